import { errorOutput, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import { traceparentOf } from '../../observe/notify.js';
import { abortError, raceAbort } from '../../util/abort.js';
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
import { gapOf, limitOutput, limitsOfTool } from './limit-output.js';
import { attempt, NO_LIMIT_MS, timeLimits, type TimeLimits, watchTool } from './run-limits.js';

/** The result of a call: its output, or the fact that the user must decide first. */
export type ToolCallOutcome = ToolOutput | 'awaits-user';

/**
 * Runs one call of a loop tool. Each failure becomes an output for the model: bad JSON, a denial, a thrown error, a
 * time limit. Rejects only when `signal` fires, and then at once, even if the tool ignores it.
 */
export async function executeToolCall(options: ExecuteToolCallOptions): Promise<ToolCallOutcome> {
  if (options.signal.aborted) throw abortError(options.signal);
  return new ToolCall(options).execute();
}

/** A call in progress. */
class ToolCall {
  readonly #options: ExecuteToolCallOptions;
  readonly #events: ToolEvents | undefined;

  constructor(options: ExecuteToolCallOptions) {
    this.#options = options;
    const { observer } = options.scope;
    this.#events = observer === undefined ? undefined : new ToolEvents(options, observer);
  }

  async execute(): Promise<ToolCallOutcome> {
    const { tool, scope, argumentsText } = this.#options;
    const parsed = parseToolArguments(argumentsText, scope.limits.jsonDepth);
    if (!parsed.ok) return this.#refuse(argumentsText, parsed.message);
    const args = parsed.arguments;
    // Without a question the tool starts in this turn of the event loop, as callers expect.
    if (scope.approve === undefined && tool.tool.needsApproval === undefined) return this.#run(args);
    // A call that cannot run needs no approval.
    const problem = await tool.tool.checkArguments?.(args);
    if (problem !== undefined) return this.#refuse(args, problem);
    const permission = await this.#ask(args);
    if (permission.granted !== true) return this.#keepBack(permission);
    return this.#run(permission.arguments, permission.isEdited ? editedText(permission.arguments) : undefined);
  }

  #keepBack(permission: Exclude<Permission, { readonly granted: true }>): ToolCallOutcome {
    const { tool, scope, onDecided } = this.#options;
    onDecided?.(false);
    if (permission.granted === 'later') return 'awaits-user';
    return limitOutput(errorOutput(denialText(tool.declaration.name, permission.reason)), scope.limits);
  }

  /** Reports a call that cannot run as failed. */
  #refuse(args: string | ToolArguments, message: string): ToolOutput {
    this.#options.onDecided?.(false);
    const output = limitOutput(errorOutput(message), this.#options.scope.limits);
    this.#events?.start(args);
    this.#events?.end(output);
    return output;
  }

  async #ask(args: ToolArguments): Promise<Permission> {
    const { scope, user = 'unreachable', onUnreachable } = this.#options;
    this.#events?.asking();
    const permission = await askPermission({ ...this.#options, approve: scope.approve, user, arguments: args });
    if (permission === undefined) return { granted: true, arguments: args, isEdited: false };
    if (permission.granted === 'later') this.#events?.approvalRequest(args);
    else this.#events?.approval(permission);
    if (permission.granted === false && permission.isUnreachable === true) onUnreachable?.();
    return permission;
  }

  /** `note`: for the model, before the output. */
  async #run(args: ToolArguments, note?: string): Promise<ToolOutput> {
    const { signal, steps, tool, onDecided } = this.#options;
    if (signal.aborted) throw abortError(signal);
    if (steps === undefined) return this.#runNow(args, note);
    let hasRun = false;
    const run = (): Promise<ToolOutput> => {
      hasRun = true;
      return this.#runNow(args, note);
    };
    const output = await steps.keep({ signal, mayRepeat: tool.recorded?.mayRepeat ?? mayRunTwice(tool), run });
    if (hasRun) return output;
    this.#events?.start(args);
    onDecided?.(true);
    this.#events?.end(output);
    return output;
  }

  async #runNow(args: ToolArguments, note: string | undefined): Promise<ToolOutput> {
    const { signal, scope, onDecided } = this.#options;
    this.#events?.start(args);
    onDecided?.(true);
    try {
      const raw = await this.#outputOf(args);
      const noted =
        note === undefined ? raw : { ...raw, content: [{ type: 'text' as const, text: note }, ...raw.content] };
      const { redactToolOutput: redact } = scope;
      const info = { ...this.#options, arguments: args };
      const redacted = redact === undefined ? noted : await redactOutput(noted, toolCallInfo(info), { redact, signal });
      const output = await this.#limited(redacted);
      this.#events?.end(output);
      return output;
    } catch (error) {
      this.#events?.aborted();
      throw error;
    }
  }

  /** Returns the output within its budget. The cut text is kept if the model can read it later. */
  async #limited(output: ToolOutput): Promise<ToolOutput> {
    const { scope, signal, tool } = this.#options;
    const limits = limitsOfTool(tool.tool, scope.limits);
    const gap = gapOf(output, limits);
    if (gap === undefined || scope.keepOutput === undefined) return limitOutput(output, limits);
    return limitOutput(output, limits, { gap, note: await raceAbort(scope.keepOutput(gap), signal) });
  }

  async #outputOf(args: ToolArguments): Promise<ToolOutput> {
    const { signal, scope, onProgress } = this.#options;
    const events = this.#events;
    const told = scope.redactToolOutput === undefined ? onProgress : undefined;
    const progress = events && createContextQueue<ToolProgress>((step) => events.progress(step));
    let output: ToolOutput;
    try {
      output = await this.#watched(args, (step) => {
        progress?.push(step);
        told?.(step);
      });
    } catch (error) {
      if (signal.aborted) throw abortError(signal);
      output = errorOutput(errorText(error));
    } finally {
      await progress?.end();
    }
    return output.isError ? withoutSecrets(output, scope) : output;
  }

  #watched(args: ToolArguments, onProgress: (step: ToolProgress) => void): Promise<ToolOutput> {
    const { callId, origin, round, scope, steps } = this.#options;
    const { source, tool, declaration, recorded } = this.#options.tool;
    const { toolTimeoutMs, toolTotalTimeoutMs, maxToolRetries = 0 } = scope.limits;
    const limits = timeLimits(tool.timeoutMs ?? toolTimeoutMs, tool.totalTimeoutMs ?? toolTotalTimeoutMs);
    const runOnce = (parent: AbortSignal, own: TimeLimits): Promise<ToolOutput> =>
      watchTool(declaration.name, own, parent, ({ signal, touch }) =>
        source.execute(tool.name, args, {
          callId,
          offered: recorded?.offered ?? tool,
          signal,
          timeoutMs: limits.idleMs,
          totalTimeoutMs: limits.totalMs,
          onProgress: (step) => {
            touch();
            onProgress(step);
          },
          origin: origin && { ...origin, round, seed: steps?.seed },
          traceparent: scope.observer && traceparentOf(scope.observer, { callNumber: scope.callNumber, callId }),
        }),
      );
    if (maxToolRetries === 0 || !mayRunTwice(this.#options.tool)) return runOnce(this.#options.signal, limits);
    // All attempts share the time limit of one.
    return watchTool(declaration.name, { ...limits, idleMs: NO_LIMIT_MS }, this.#options.signal, ({ signal }) =>
      attempt(() => runOnce(signal, { ...limits, totalMs: NO_LIMIT_MS }), {
        maxRetries: maxToolRetries,
        signal,
        onRetry: (tried, error, delayMs) => this.#events?.retry(tried, error, delayMs),
      }),
    );
  }
}

/** Whether the tool declares that a second run changes nothing more. */
function mayRunTwice({ tool }: LoopTool): boolean {
  return tool.readOnly || tool.idempotent === true;
}

/**
 * Redacts errors only, because they may repeat a key that was sent to the server. The model reads other outputs
 * unchanged.
 */
function withoutSecrets(output: ToolOutput, { redactor }: CallScope): ToolOutput {
  if (redactor === undefined) return output;
  const { content, value } = output;
  return {
    ...output,
    content: content.map((block) => (block.type === 'text' ? { ...block, text: redactor.text(block.text) } : block)),
    ...defined({ value: redactor.value(value) }),
  };
}
