import type { KeptTurn, TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import type { DriverStreamEvent } from '../types/events.js';
import type { NumberedEvent, Turn } from '../types/session.js';

export interface KeptTurnOptions {
  readonly sessionId: string;
  readonly engine: TurnEngine;
  /** Rejects if the turn could not begin. */
  readonly turn: Promise<KeptTurn>;
  readonly onEnd: () => Promise<void>;
}

/** A turn that runs in any instance: its events are read from where they are kept. */
export class KeptTurnStream implements Turn {
  readonly sessionId: string;
  readonly #options: KeptTurnOptions;
  #ended: Promise<void> | undefined;

  constructor(options: KeptTurnOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
    // A turn that nothing awaits may fail all the same.
    options.turn.catch(() => {});
  }

  async *after(seen: number, signal?: AbortSignal): AsyncGenerator<NumberedEvent, void> {
    const { engine, turn, onEnd } = this.#options;
    for await (const { seq, event } of engine.follow(await turn, seen, signal)) {
      yield { id: seq, event: event as DriverStreamEvent };
    }
    if (signal?.aborted !== true) await onEnd();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<DriverStreamEvent, void> {
    for await (const { event } of this.after(0)) yield event;
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a turn can be awaited
  then<Value = void, Failure = never>(
    onfulfilled?: ((value: void) => Value | PromiseLike<Value>) | null,
    onrejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): PromiseLike<Value | Failure> {
    this.#ended ??= this.#readAll();
    return this.#ended.then(onfulfilled, onrejected);
  }

  async #readAll(): Promise<void> {
    for (const events = this.after(0); (await events.next()).done !== true;);
  }
}
