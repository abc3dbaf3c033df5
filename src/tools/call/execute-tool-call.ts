import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { traceparentOf } from '../../observe/notify.js';
import { abortError } from '../../util/abort.js';
import { createContextQueue } from '../../util/queues.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import type { LoopTool } from '../loop-tool.js';
import { parseToolArguments } from '../parse-tool-arguments.js';
import type { ToolProgress } from '../tool-source.js';
import { askPermission, denialText, editedText, type Permission, toolCallInfo } from './approval.js';
import type { CallScope, ExecuteToolCallOptions } from './call-scope.js';
import { redactOutput } from './redact-output.js';
import { ToolEvents } from './tool-events.js';
import { attempt, limitOutput, NO_LIMIT_MS, timeLimits, type TimeLimits, watchTool } from './run-limits.js';

/** What came of a call: its output, or that the user has to be asked first. */
export type ToolCallOutcome = ToolOutput | 'awaits-user';

/** What really runs. */
interface Run {
  readonly args: ToolArguments;
  /** For the model, before the output. */
  readonly note?: string | undefined;
}

/**
 * Runs one call of a loop tool. Whatever goes wrong becomes an output the model can read: bad JSON, a denial, a thrown
 * error, a time limit. Rejects only when `signal` fires, and then at once, even if the tool takes no notice.
 */
export async function executeToolCall(options: ExecuteToolCallOptions): Promise<ToolCallOutcome> {
  const { signal, tool, scope } = options;
  if (signal.aborted) throw abortError(signal);
  const events = scope.observer === undefined ? undefined : new ToolEvents(options, scope.observer);
  const parsed = parseToolArguments(options.argumentsText, scope.limits.jsonDepth);
  if (!parsed.ok) {
    options.onDecided?.(false);
    return refuse(options.argumentsText, parsed.message, { events, scope });
  }
  const args = tool.toToolArguments?.(parsed.arguments) ?? parsed.arguments;
  // Without anybody to ask the tool starts in this very turn: callers rely on it.
  if (scope.approve === undefined && tool.tool.needsApproval === undefined) return run(options, { args }, events);
  const asked = await askApproval(options, args, events);
  if (!('refusal' in asked)) return run(options, asked, events);
  events?.settle(false);
  options.onDecided?.(false);
  return asked.refusal;
}

async function askApproval(
  options: ExecuteToolCallOptions,
  args: ToolArguments,
  events: ToolEvents | undefined,
): Promise<Run | { readonly refusal: ToolCallOutcome }> {
  const { tool, scope, user = 'unreachable' } = options;
  // A call that cannot run needs no approval.
  const problem = await tool.tool.checkArguments?.(args);
  if (problem !== undefined) return { refusal: refuse(args, problem, { events, scope }) };
  events?.asking();
  const permission = await askPermission({ ...options, approve: scope.approve, user, arguments: args });
  if (permission === undefined) return { args };
  announce(permission, args, events);
  if (permission.granted === 'later') return { refusal: 'awaits-user' };
  if (permission.granted)
    return { args: permission.arguments, note: permission.isEdited ? editedText(permission.arguments) : undefined };
  if (permission.isUnreachable === true) options.onUnreachable?.();
  const denial = errorOutput(denialText(tool.declaration.name, permission.reason));
  return { refusal: limitOutput(denial, scope.limits) };
}

function announce(permission: Permission, args: ToolArguments, events: ToolEvents | undefined): void {
  if (permission.granted === 'later') events?.approvalRequest(args);
  else events?.approval(permission);
}

/** A call that cannot run is reported like one that failed. */
function refuse(
  args: string | ToolArguments,
  message: string,
  { events, scope }: { readonly events: ToolEvents | undefined; readonly scope: CallScope },
): ToolOutput {
  events?.settle(false);
  events?.start(args);
  const output = limitOutput(errorOutput(message), scope.limits);
  events?.end(output);
  return output;
}

async function run(options: ExecuteToolCallOptions, what: Run, events: ToolEvents | undefined): Promise<ToolOutput> {
  const { signal, steps, tool } = options;
  if (signal.aborted) throw abortError(signal);
  if (steps === undefined) return runNow(options, what, events);
  return steps.keep({
    signal,
    mayRepeat: mayRunTwice(tool),
    run: () => {
      events?.settle(false);
      return runNow(options, what, events);
    },
    onReplay: (output) => {
      events?.settle(true);
      events?.start(what.args);
      options.onDecided?.(true);
      events?.end(output);
    },
  });
}

async function runNow(options: ExecuteToolCallOptions, what: Run, events: ToolEvents | undefined): Promise<ToolOutput> {
  const { signal, scope } = options;
  events?.start(what.args);
  options.onDecided?.(true);
  try {
    const raw = await outputOf(options, what, events);
    const { redactToolOutput: redact } = scope;
    const info = { ...options, arguments: what.args };
    const redacted = redact === undefined ? raw : await redactOutput(raw, toolCallInfo(info), { redact, signal });
    const output = limitOutput(redacted, scope.limits);
    events?.end(output);
    return output;
  } catch (error) {
    events?.aborted();
    throw error;
  }
}

async function outputOf(
  options: ExecuteToolCallOptions,
  { args, note }: Run,
  events: ToolEvents | undefined,
): Promise<ToolOutput> {
  const progress = events && createContextQueue<ToolProgress>((step) => events.progress(step));
  let output: ToolOutput;
  try {
    output = await runWatched(options, args, { events, onProgress: (step) => progress?.push(step) });
  } catch (error) {
    if (options.signal.aborted) throw abortError(options.signal);
    output = errorOutput(errorText(error));
  } finally {
    await progress?.end();
  }
  const shown = output.isError ? withoutSecrets(output, options.scope) : output;
  return note === undefined ? shown : { ...shown, content: [{ type: 'text', text: note }, ...shown.content] };
}

interface Watching {
  readonly events: ToolEvents | undefined;
  readonly onProgress: (step: ToolProgress) => void;
}

function runWatched(
  options: ExecuteToolCallOptions,
  args: ToolArguments,
  { events, onProgress }: Watching,
): Promise<ToolOutput> {
  const { callId, origin, round, scope } = options;
  const { source, tool, declaration } = options.tool;
  const { toolTimeoutMs, toolTotalTimeoutMs, maxToolRetries = 0 } = scope.limits;
  const limits = timeLimits(tool.timeoutMs ?? toolTimeoutMs, tool.totalTimeoutMs ?? toolTotalTimeoutMs);
  const runOnce = (signal: AbortSignal, own: TimeLimits): Promise<ToolOutput> =>
    watchTool(declaration.name, own, signal, (watched) =>
      source.execute(tool.name, args, {
        callId,
        offered: tool,
        signal: watched.signal,
        timeoutMs: limits.idleMs,
        totalTimeoutMs: limits.totalMs,
        onProgress: (step) => {
          watched.touch();
          onProgress(step);
        },
        origin: origin && { ...origin, round, seed: options.steps?.seed },
        traceparent: scope.observer && traceparentOf(scope.observer, { callNumber: scope.callNumber, callId }),
      }),
    );
  if (maxToolRetries === 0 || !mayRunTwice(options.tool)) return runOnce(options.signal, limits);
  const onRetry = (tried: number, error: unknown, delayMs: number): void => events?.retry(tried, error, delayMs);
  // All attempts together have the time of one.
  return watchTool(declaration.name, { ...limits, idleMs: NO_LIMIT_MS }, options.signal, ({ signal }) =>
    attempt(() => runOnce(signal, { ...limits, totalMs: NO_LIMIT_MS }), {
      maxRetries: maxToolRetries,
      signal,
      onRetry,
    }),
  );
}

/** By its own word, asking such a tool twice does no more than asking once. */
function mayRunTwice({ tool }: LoopTool): boolean {
  return tool.readOnly || tool.idempotent === true;
}

/** Of an error: it may repeat a key that the server was sent. What a tool gives otherwise is for the model as it is. */
function withoutSecrets(output: ToolOutput, { redactor }: CallScope): ToolOutput {
  if (redactor === undefined) return output;
  const { content, value } = output;
  return {
    ...output,
    content: content.map((block) => (block.type === 'text' ? { ...block, text: redactor.text(block.text) } : block)),
    ...defined({ value: redactor.value(value) }),
  };
}
