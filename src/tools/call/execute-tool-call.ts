import type { JsonValue } from '../../core/json.js';
import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import type { Observer } from '../../observe/event.js';
import { notify } from '../../observe/notify.js';
import { redactBody } from '../../observe/redact.js';
import { abortError } from '../../util/abort.js';
import { createContextQueue } from '../../util/context-queue.js';
import { errorText } from '../../util/error-text.js';
import { excerpt } from '../../util/excerpt.js';
import type { LoopTool } from '../loop-tool.js';
import { parseToolArguments } from '../parse-tool-arguments.js';
import type { ToolProgress } from '../tool-source.js';
import { limitOutput } from './limit-output.js';
import { DEFAULT_TOOL_TIMEOUT_MS, timeLimits, ToolTimeout } from './time-limits.js';
import { watchTool } from './watch-tool.js';
import { defined } from '../../util/defined.js';

const MAX_EVENT_CHARS = 2_000;

export interface ExecuteToolCallOptions {
  readonly tool: LoopTool;
  readonly callId: string;
  /** As the model wrote them. */
  readonly argumentsText: string;
  readonly signal: AbortSignal;
  /** Longest silence where neither the tool nor its server says otherwise; default 60,000 ms, 0 = none. */
  readonly timeoutMs?: number | undefined;
  /** Default 200,000. */
  readonly maxOutputChars?: number | undefined;
  readonly callNumber: number;
  readonly round: number;
  readonly observer?: Observer | undefined;
  readonly now?: (() => number) | undefined;
}

/**
 * Runs one call of a loop tool. Whatever goes wrong becomes an output the model can read: bad JSON, a thrown error, a
 * time limit. Rejects only when `signal` fires, and then at once, even if the tool takes no notice.
 */
export async function executeToolCall(options: ExecuteToolCallOptions): Promise<ToolOutput> {
  const { signal, now = Date.now } = options;
  if (signal.aborted) throw abortError(signal);
  const startedAt = now();
  const parsed = parseToolArguments(options.argumentsText);
  notifyStart(options, parsed.ok ? parsed.arguments : options.argumentsText);
  try {
    const output = parsed.ok ? await run(options, parsed.arguments) : errorOutput(parsed.message);
    const limited = limitOutput(output, options.maxOutputChars);
    notifyEnd(options, limited.isError, outputText(limited), now() - startedAt);
    return limited;
  } catch (error) {
    notifyEnd(options, true, 'The call was aborted.', now() - startedAt);
    throw error;
  }
}

async function run(options: ExecuteToolCallOptions, args: ToolArguments): Promise<ToolOutput> {
  const { tool, callId, signal } = options;
  const { name } = tool.tool;
  const limits = timeLimits(tool.tool.timeoutMs ?? options.timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS);
  const progress = createContextQueue<ToolProgress>((step) => notifyProgress(options, step));
  try {
    return await watchTool(tool.declaration.name, limits, signal, async (watched) =>
      tool.source.execute(name, args, {
        callId,
        signal: watched.signal,
        timeoutMs: limits.idleMs,
        totalTimeoutMs: limits.totalMs,
        onProgress: (step) => {
          watched.touch();
          progress.push(step);
        },
      }),
    );
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    return errorOutput(error instanceof ToolTimeout ? error.message : errorText(error));
  } finally {
    await progress.end();
  }
}

function notifyStart(
  { tool, callId, callNumber, round, observer }: ExecuteToolCallOptions,
  args: JsonValue | ToolArguments,
): void {
  notify(observer, () => ({
    type: 'tool-start',
    callNumber,
    round,
    callId,
    tool: tool.declaration.name,
    source: tool.source.key,
    // A copy of JSON without its secrets is JSON.
    arguments: redactBody(args) as JsonValue,
  }));
}

function notifyProgress({ tool, callId, observer }: ExecuteToolCallOptions, step: ToolProgress): void {
  notify(observer, () => ({
    type: 'tool-progress',
    callId,
    tool: tool.declaration.name,
    source: tool.source.key,
    progress: step.progress,
    ...defined({ total: step.total, message: step.message }),
  }));
}

function notifyEnd(options: ExecuteToolCallOptions, isError: boolean, output: string, durationMs: number): void {
  const { tool, callId, callNumber, round, observer } = options;
  notify(observer, () => ({
    type: 'tool-end',
    callNumber,
    round,
    callId,
    tool: tool.declaration.name,
    source: tool.source.key,
    isError,
    output: excerpt(output, MAX_EVENT_CHARS),
    durationMs,
  }));
}

function outputText(output: ToolOutput): string {
  return output.content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n');
}
