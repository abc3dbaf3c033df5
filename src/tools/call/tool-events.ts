import type { JsonValue } from '../../core/json.js';
import type { ToolOutput } from '../../core/message.js';
import type { ToolArguments } from '../../core/tool.js';
import type { Observer } from '../../observe/event.js';
import { notify } from '../../observe/notify.js';
import { redactBody, type Redactor } from '../../observe/redact.js';
import { defined } from '../../util/defined.js';
import { errorText } from '../../util/error-text.js';
import { excerpt } from '../../util/excerpt.js';
import type { LoopTool } from '../loop-tool.js';
import type { ToolProgress } from '../tool-source.js';
import type { Permission } from './approval.js';

const MAX_EVENT_CHARS = 2_000;

/** Whose call it is, in every event about it. */
export interface CallPlace {
  readonly tool: LoopTool;
  readonly callId: string;
  readonly callNumber: number;
  readonly round: number;
  readonly observer?: Observer | undefined;
  /** Takes out what no event may show, before a text is cut. */
  readonly redactor?: Redactor | undefined;
  /** Outputs are redacted: what the tool says on the way cannot be, and is left out. */
  readonly isRedacted?: boolean;
}

/** What happens to one call, told to whoever watches. */
export class ToolEvents {
  readonly #place: CallPlace;
  readonly #now: () => number;
  #startedAt = 0;

  constructor(place: CallPlace, now: () => number) {
    this.#place = place;
    this.#now = now;
  }

  start(args: JsonValue | ToolArguments): void {
    this.#startedAt = this.#now();
    // A copy of JSON without its secrets is JSON.
    this.#tell(() => ({ type: 'tool-start', arguments: redactBody(args) as JsonValue }));
  }

  asking(): void {
    this.#startedAt = this.#now();
  }

  approvalRequest(args: ToolArguments): void {
    // A copy of JSON without its secrets is JSON.
    this.#tell(() => ({ type: 'tool-approval-request', arguments: redactBody(args) as JsonValue }));
  }

  approval(permission: Exclude<Permission, { readonly granted: 'later' }>): void {
    const durationMs = this.#now() - this.#startedAt;
    this.#tell(() => ({
      type: 'tool-approval',
      approved: permission.granted,
      ...(permission.granted ? { isEdited: permission.isEdited } : { reason: permission.detail ?? permission.reason }),
      durationMs,
    }));
  }

  progress({ progress, total, message }: ToolProgress): void {
    const said = this.#place.isRedacted === true ? undefined : message;
    this.#tell(() => ({ type: 'tool-progress', progress, ...defined({ total, message: said }) }));
  }

  retry(attempt: number, error: unknown, delayMs: number): void {
    const reason = this.#place.isRedacted === true ? nameOf(error) : errorText(error);
    this.#tell(() => ({ type: 'tool-retry', attempt, delayMs, reason: this.#shown(reason) }));
  }

  end(output: ToolOutput): void {
    this.#end(output.isError, () => outputText(output));
  }

  aborted(): void {
    this.#end(true, () => 'The call was aborted.');
  }

  #end(isError: boolean, text: () => string): void {
    const durationMs = this.#now() - this.#startedAt;
    this.#tell(() => ({ type: 'tool-end', isError, output: this.#shown(text()), durationMs }));
  }

  #shown(text: string): string {
    return excerpt(this.#place.redactor?.text(text) ?? text, MAX_EVENT_CHARS);
  }

  #tell(make: () => ToolEventBody): void {
    const { tool, callId, callNumber, round, observer } = this.#place;
    notify(observer, () => ({
      callNumber,
      round,
      callId,
      tool: tool.declaration.name,
      source: tool.source.key,
      ...make(),
    }));
  }
}

type ObserverEventOf<T> = Extract<Parameters<Observer>[0], { type: T }>;
type ToolEvent = ObserverEventOf<
  'tool-start' | 'tool-approval' | 'tool-approval-request' | 'tool-progress' | 'tool-retry' | 'tool-end'
>;
type WithoutPlace<E> = E extends ToolEvent ? Omit<E, 'callNumber' | 'round' | 'callId' | 'tool' | 'source'> : never;
type ToolEventBody = WithoutPlace<ToolEvent>;

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : 'Error';
}

function outputText(output: ToolOutput): string {
  return output.content.map((block) => (block.type === 'text' ? block.text : `[${block.mediaType}]`)).join('\n');
}
