import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import type { Observer } from '../../observe/event.js';
import type { Redactor } from '../../observe/redact.js';
import { traceparentOf } from '../../observe/notify.js';
import { abortError } from '../../util/abort.js';
import { createContextQueue } from '../../util/queues.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { timerMs } from '../../util/timers.js';
import type { LoopTool } from '../loop-tool.js';
import { type ParsedArguments, parseToolArguments } from '../parse-tool-arguments.js';
import type { CallOrigin, SourceTool, ToolProgress } from '../tool-source.js';
import { type Approve, askPermission, denialText, editedText, type Permission, type UserVoice } from './approval.js';
import { attempt } from './attempts.js';
import { limitOutput, type OutputLimits } from './limit-output.js';
import { type RedactToolOutput, redactOutput } from './redact-output.js';
import { DEFAULT_TOOL_TIMEOUT_MS, timeLimits, type TimeLimits } from './time-limits.js';
import { ToolEvents } from './tool-events.js';
import { watchTool } from './watch-tool.js';

const NO_LIMIT_MS = timerMs(0);

export interface ExecuteToolCallOptions extends OutputLimits {
  readonly tool: LoopTool;
  readonly callId: string;
  /** What the call came with. */
  readonly origin?: Pick<CallOrigin, 'owner' | 'responseId'> | undefined;
  /** As the model wrote them. */
  readonly argumentsText: string;
  readonly signal: AbortSignal;
  /** Longest silence where neither the tool nor its server says otherwise; default 60,000 ms, 0 = none. */
  readonly timeoutMs?: number | undefined;
  /** Longest duration in all where neither says otherwise; default ten times the silence. */
  readonly totalTimeoutMs?: number | undefined;
  /** Levels of nesting in the arguments. Default 500. */
  readonly maxJsonDepth?: number | undefined;
  /** Further attempts after a failure, for tools that may be asked twice. Default 0. */
  readonly maxRetries?: number | undefined;
  readonly approve?: Approve | undefined;
  /** Default `'unreachable'`. */
  readonly user?: UserVoice | undefined;
  readonly redactOutput?: RedactToolOutput | undefined;
  /** Called when the user had to be asked, and cannot be. */
  readonly onUnreachable?: (() => void) | undefined;
  /**
   * Called as soon as it is known whether the tool runs: with `true` when everything that could still keep it from running
   * has passed. Not called where `signal` ends the call before.
   */
  readonly onDecided?: ((runs: boolean) => void) | undefined;
  readonly callNumber: number;
  readonly round: number;
  readonly observer?: Observer | undefined;
  /** Takes secrets out of what a tool throws or answers as an error, and of events. Default: nothing is known. */
  readonly redactor?: Redactor | undefined;
  readonly now?: (() => number) | undefined;
}

/** What came of a call: its output, or that the user has to be asked first. */
export type ToolCallOutcome = ToolOutput | 'awaits-user';

/**
 * Runs one call of a loop tool. Whatever goes wrong becomes an output the model can read: bad JSON, a denial, a thrown
 * error, a time limit. Rejects only when `signal` fires, and then at once, even if the tool takes no notice.
 */
export async function executeToolCall(options: ExecuteToolCallOptions): Promise<ToolCallOutcome> {
  const { signal, tool } = options;
  if (signal.aborted) throw abortError(signal);
  const events = new ToolEvents(
    { isRedacted: options.redactOutput !== undefined, ...options },
    options.now ?? Date.now,
  );
  const parsed = readArguments(options);
  if (!parsed.ok) {
    options.onDecided?.(false);
    return refuse(options.argumentsText, parsed.message, { events, options });
  }
  // Without anybody to ask the tool starts in this very turn: whoever calls may rely on it.
  const asks = options.approve !== undefined || tool.tool.needsApproval !== undefined;
  if (!asks) return runWatched(options, { args: parsed.arguments, note: undefined }, events);
  const leave = await askLeave(options, parsed.arguments, events);
  if (!('refusal' in leave)) return runWatched(options, leave, events);
  options.onDecided?.(false);
  return leave.refusal;
}

async function askLeave(
  options: ExecuteToolCallOptions,
  args: ToolArguments,
  events: ToolEvents,
): Promise<Run | { readonly refusal: ToolCallOutcome }> {
  const { tool } = options.tool;
  // Nobody has to agree to a call that cannot run.
  const problem = await tool.checkArguments?.(args);
  if (problem !== undefined) return { refusal: refuse(args, problem, { events, options }) };
  const permission = await ask(options, args, events);
  if (permission === undefined) return { args, note: undefined };
  if (permission.granted === 'later') return { refusal: 'awaits-user' };
  if (!permission.granted && permission.isUnreachable === true) options.onUnreachable?.();
  if (!permission.granted)
    return { refusal: limitOutput(errorOutput(denialText(options.tool.declaration.name, permission.reason)), options) };
  return { args: permission.arguments, note: permission.isEdited ? editedText(permission.arguments) : undefined };
}

/** A call that cannot run, told like one that failed. */
function refuse(
  args: string | ToolArguments,
  message: string,
  { events, options }: { readonly events: ToolEvents; readonly options: OutputLimits },
): ToolOutput {
  events.start(args);
  return told(limitOutput(errorOutput(message), options), events);
}

function readArguments({ argumentsText, maxJsonDepth, tool }: ExecuteToolCallOptions): ParsedArguments {
  const { toToolArguments } = tool;
  const parsed = parseToolArguments(argumentsText, maxJsonDepth);
  if (!parsed.ok || toToolArguments === undefined) return parsed;
  return { ok: true, arguments: toToolArguments(parsed.arguments) };
}

async function ask(
  options: ExecuteToolCallOptions,
  args: ToolArguments,
  events: ToolEvents,
): Promise<Permission | undefined> {
  events.asking();
  const { approve, user = 'unreachable' } = options;
  const permission = await askPermission({ ...options, approve, user, arguments: args });
  if (permission?.granted === 'later') events.approvalRequest(args);
  else if (permission !== undefined) events.approval(permission);
  return permission;
}

interface Run {
  readonly args: ToolArguments;
  /** Told to the model before the output. */
  readonly note: string | undefined;
}

async function runWatched(
  options: ExecuteToolCallOptions,
  { args, note }: Run,
  events: ToolEvents,
): Promise<ToolOutput> {
  if (options.signal.aborted) throw abortError(options.signal);
  events.start(args);
  options.onDecided?.(true);
  try {
    const raw = withNote(withoutSecrets(await run(options, args, events), options), note);
    const output = await redactOutput(raw, { arguments: args, ...options });
    return told(limitOutput(output, options), events);
  } catch (error) {
    events.aborted();
    throw error;
  }
}

async function run(options: ExecuteToolCallOptions, args: ToolArguments, events: ToolEvents): Promise<ToolOutput> {
  const { signal } = options;
  const limits = limitsFor(options);
  const { name } = options.tool.declaration;
  const progress = createContextQueue<ToolProgress>((step) => events.progress(step));
  const maxRetries = mayRunTwice(options.tool.tool) ? (options.maxRetries ?? 0) : 0;
  const onRetry = (tried: number, error: unknown, delayMs: number): void => events.retry(tried, error, delayMs);
  try {
    // All attempts together have the time of one.
    return await watchTool(name, { ...limits, idleMs: NO_LIMIT_MS }, signal, (watched) =>
      attempt(() => runOnce({ ...options, signal: watched.signal }, args, limits, (step) => progress.push(step)), {
        maxRetries,
        signal: watched.signal,
        onRetry,
      }),
    );
  } catch (error) {
    if (signal.aborted) throw abortError(signal);
    return errorOutput(errorText(error));
  } finally {
    await progress.end();
  }
}

/** What went wrong may be told in the words of whoever was sent a key; what a tool gives is for the model as it is. */
function withoutSecrets(output: ToolOutput, { redactor }: ExecuteToolCallOptions): ToolOutput {
  if (!output.isError || redactor === undefined) return output;
  const { content, value } = output;
  return {
    ...output,
    content: content.map((block) => (block.type === 'text' ? { ...block, text: redactor.text(block.text) } : block)),
    ...defined({ value: redactor.value(value) }),
  };
}

function runOnce(
  { tool, callId, origin, round, callNumber, observer, signal }: ExecuteToolCallOptions,
  args: ToolArguments,
  limits: TimeLimits,
  onProgress: (step: ToolProgress) => void,
): Promise<ToolOutput> {
  return watchTool(tool.declaration.name, { ...limits, totalMs: NO_LIMIT_MS }, signal, async (watched) =>
    tool.source.execute(tool.tool.name, args, {
      callId,
      offered: tool.tool,
      signal: watched.signal,
      ...defined({
        origin: origin && { ...origin, round },
        traceparent: traceparentOf(observer, { callNumber, callId }),
      }),
      timeoutMs: limits.idleMs,
      totalTimeoutMs: limits.totalMs,
      onProgress: (step) => {
        watched.touch();
        onProgress(step);
      },
    }),
  );
}

function limitsFor({ tool: { tool }, timeoutMs, totalTimeoutMs }: ExecuteToolCallOptions): TimeLimits {
  return timeLimits(tool.timeoutMs ?? timeoutMs ?? DEFAULT_TOOL_TIMEOUT_MS, tool.totalTimeoutMs ?? totalTimeoutMs);
}

/** By its own word, asking twice does no more than asking once. */
function mayRunTwice(tool: SourceTool): boolean {
  return tool.readOnly || tool.idempotent === true;
}

function told(output: ToolOutput, events: ToolEvents): ToolOutput {
  events.end(output);
  return output;
}

function withNote(output: ToolOutput, note: string | undefined): ToolOutput {
  if (note === undefined) return output;
  return { ...output, content: [{ type: 'text', text: note }, ...output.content] };
}
