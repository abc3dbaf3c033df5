import type { AdapterMessage } from '../types/messages.js';
import type { DriverEventType, DriverStreamEvent, EventData, EventUsage } from '../types/events.js';
import type { SessionState } from '../types/session.js';
import { withinGrace } from './abortable.js';
import { interruptReasonOf } from './interrupt-reason.js';
import type { TurnStream } from './turn-stream.js';

/** How long what was stopped may take to hand over what it has; an adapter that does not end is not waited for. */
const GRACE_MS = 2000;

type EndState = Extract<SessionState, 'idle' | 'aborted' | 'completed' | 'deleted'>;

/** What is done in a turn. */
export type Work = (run: TurnRun) => Promise<void>;

/** One turn while it runs: what stops it, what it costs, and the event that ends it, which is held until it is over. */
export class TurnRun {
  readonly turn: TurnStream;
  usage: EventUsage | undefined;
  endsIn: EndState = 'idle';
  readonly #controller = new AbortController();
  #hasStarted = false;
  /** Of the error that was said. */
  errorCode: string | undefined;
  #end: DriverStreamEvent | undefined;
  #unfollow: () => void = () => {};

  constructor(turn: TurnStream, signal: AbortSignal | undefined) {
    this.turn = turn;
    if (signal === undefined) return;
    const follow = () => this.#controller.abort(signal.reason);
    if (signal.aborted) follow();
    else signal.addEventListener('abort', follow, { once: true });
    this.#unfollow = () => signal.removeEventListener('abort', follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Stops the turn. What was asked for first stays, unless the session is to be deleted. */
  stop(endsIn: EndState): void {
    if (this.endsIn === 'idle' || endsIn === 'deleted') this.endsIn = endsIn;
    this.#controller.abort();
  }

  take(event: DriverStreamEvent): void {
    if (this.#end !== undefined) return;
    if (!this.#hasStarted && event.type !== 'message_start') this.#start();
    this.#hasStarted = true;
    if (event.type === 'message_delta') this.usage = event.data.usage;
    if (event.type === 'error') this.errorCode = event.data.errorCode;
    if (event.type === 'message_stop' || event.type === 'interrupted') this.#end = event;
    else this.turn.push(event.type === 'message_start' ? this.#named(event) : event);
  }

  /** Says something beside the answer, also behind its end. */
  tell<Type extends DriverEventType>(type: Type, data: EventData<Type>): void {
    if (!this.#hasStarted) this.#start();
    this.turn.push({ type, timestamp: Date.now(), data } as DriverStreamEvent);
  }

  /** Ends at once: other questions are open. */
  waitForApproval(): void {
    this.take({ type: 'message_stop', timestamp: Date.now(), data: { stopReason: 'approval_needed' } });
  }

  /** Runs the answer. What it throws becomes the turn's error. */
  async answer(run: () => Promise<void>): Promise<void> {
    try {
      await run();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Takes every row, until there are no more or the turn was stopped and its time is over. */
  async drain(rows: AsyncGenerator<AdapterMessage>, onRow: (row: AdapterMessage) => void): Promise<void> {
    for (;;) {
      const next = await withinGrace(rows.next(), this.signal, GRACE_MS);
      if (next === undefined) {
        rows.return(undefined).catch(() => {});
        return;
      }
      if (next.done === true) return;
      onRow(next.value);
    }
  }

  /** Says the last event, and that nothing follows. */
  finish(): void {
    this.#unfollow();
    if (!this.#hasStarted) this.#start();
    this.turn.push(this.#end ?? this.#ownEnd());
    this.turn.end();
  }

  /** The turn cannot go on: says why, and stops it. */
  fail(error: unknown): void {
    this.#end = undefined;
    this.#fail(error);
    // Whatever the adapter still says.
    this.#end ??= this.#ownEnd();
    this.#controller.abort();
  }

  #start(): void {
    this.#hasStarted = true;
    const data = { messageId: crypto.randomUUID(), model: '' };
    this.turn.push(this.#named({ type: 'message_start', timestamp: Date.now(), data }));
  }

  #named(event: Extract<DriverStreamEvent, { readonly type: 'message_start' }>): DriverStreamEvent {
    return { ...event, data: { ...event.data, sessionId: this.turn.sessionId } };
  }

  #ownEnd(): DriverStreamEvent {
    const timestamp = Date.now();
    if (this.signal.aborted && this.errorCode === undefined)
      return { type: 'interrupted', timestamp, data: { reason: interruptReasonOf(this.signal.reason) } };
    return {
      type: 'message_stop',
      timestamp,
      data: { stopReason: this.errorCode !== undefined ? 'error' : 'end_turn' },
    };
  }

  #fail(error: unknown): void {
    if (this.errorCode !== undefined || this.#end !== undefined || this.signal.aborted) return;
    const { code, isRetryable } = (typeof error === 'object' && error !== null ? error : {}) as Record<string, unknown>;
    this.take({
      type: 'error',
      timestamp: Date.now(),
      data: {
        message: error instanceof Error ? error.message : String(error),
        errorCode: typeof code === 'string' ? code : 'adapter_error',
        isRetryable: isRetryable === true,
      },
    });
  }
}
