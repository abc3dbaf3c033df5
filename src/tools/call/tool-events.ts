import type { JsonValue } from '../../core/json.js';
import { errorOutput, outputText, type ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import type { Observer } from '../../observe/event.js';
import { notify } from '../../observe/notify.js';
import { redactBody } from '../../observe/redact.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { excerpt } from '../../util/excerpt.js';
import type { ToolProgress } from '../tool-source.js';
import type { Permission } from './approval.js';
import type { ExecuteToolCallOptions } from './call-scope.js';

const MAX_EVENT_CHARS = 2_000;

/** The events of one call, for the observer. */
export class ToolEvents {
  readonly #call: ExecuteToolCallOptions;
  readonly #observer: Observer;
  #startedAt = 0;

  constructor(call: ExecuteToolCallOptions, observer: Observer) {
    this.#call = call;
    this.#observer = observer;
  }

  start(args: JsonValue | ToolArguments): void {
    this.asking();
    // A copy of JSON without its secrets is JSON.
    this.#emit(() => ({ type: 'tool-start', arguments: redactBody(args) as JsonValue }));
  }

  asking(): void {
    this.#startedAt = this.#call.scope.now();
  }

  approvalRequest(args: ToolArguments): void {
    // A copy of JSON without its secrets is JSON.
    this.#emit(() => ({ type: 'tool-approval-request', arguments: redactBody(args) as JsonValue }));
  }

  approval(permission: Exclude<Permission, { readonly granted: 'later' }>): void {
    const durationMs = this.#call.scope.now() - this.#startedAt;
    this.#emit(() => ({
      type: 'tool-approval',
      approved: permission.granted,
      ...(permission.granted ? { isEdited: permission.isEdited } : { reason: permission.detail ?? permission.reason }),
      durationMs,
    }));
  }

  progress({ progress, total, message }: ToolProgress): void {
    const said = this.#isRedacted ? undefined : message;
    this.#emit(() => ({ type: 'tool-progress', progress, ...defined({ total, message: said }) }));
  }

  retry(attempt: number, error: unknown, delayMs: number): void {
    const reason = this.#isRedacted ? (error instanceof Error ? error.name : 'Error') : errorText(error);
    this.#emit(() => ({ type: 'tool-retry', attempt, delayMs, reason: this.#shown(reason) }));
  }

  end(output: ToolOutput): void {
    const durationMs = this.#call.scope.now() - this.#startedAt;
    const { isError } = output;
    this.#emit(() => {
      const text = outputText(output);
      return { type: 'tool-end', isError, output: this.#shown(text), outputChars: text.length, durationMs };
    });
  }

  aborted(): void {
    this.end(errorOutput('The call was aborted.'));
  }

  /** Outputs are redacted. Progress messages cannot be redacted, so they are omitted. */
  get #isRedacted(): boolean {
    return this.#call.scope.redactToolOutput !== undefined;
  }

  #shown(text: string): string {
    return excerpt(this.#call.scope.redactor?.text(text) ?? text, MAX_EVENT_CHARS);
  }

  #emit(make: () => ToolEventBody): void {
    const { tool, callId, round, scope } = this.#call;
    notify(this.#observer, () => ({
      callNumber: scope.callNumber,
      round,
      callId,
      tool: tool.declaration.name,
      source: tool.source.key,
      ...make(),
    }));
  }
}

type ToolEvent = Extract<Parameters<Observer>[0], { type: `tool-${string}` }>;
type WithoutPlace<E> = E extends ToolEvent ? Omit<E, 'callNumber' | 'round' | 'callId' | 'tool' | 'source'> : never;
type ToolEventBody = WithoutPlace<ToolEvent>;
