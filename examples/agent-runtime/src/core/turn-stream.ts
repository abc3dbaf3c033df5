import type { DriverStreamEvent } from '../types/events.js';
import type { Turn } from '../types/session.js';

/** The events of a turn. It goes on without readers, and each reader starts with the first event. */
export class TurnStream implements Turn {
  readonly sessionId: string;
  readonly #events: DriverStreamEvent[] = [];
  #waiting: (() => void)[] = [];
  #isOver = false;
  #error: Error | undefined;
  readonly #ended: Promise<void>;
  #resolve!: () => void;
  #reject!: (error: unknown) => void;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
    this.#ended = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    // A turn that nothing awaits may fail all the same.
    this.#ended.catch(() => {});
  }

  /** A turn that never began. */
  static failed(sessionId: string, error: unknown): TurnStream {
    const turn = new TurnStream(sessionId);
    turn.fail(error);
    return turn;
  }

  push(event: DriverStreamEvent): void {
    if (this.#isOver) return;
    this.#events.push(event);
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#resolve();
    this.#wake();
  }

  fail(error: unknown): void {
    this.#isOver = true;
    this.#error = error instanceof Error ? error : new Error(String(error));
    this.#reject(this.#error);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<DriverStreamEvent> {
    for (let next = 0; ;) {
      const event = this.#events[next];
      if (event !== undefined) {
        next += 1;
        yield event;
      } else if (this.#isOver) {
        if (this.#error !== undefined) throw this.#error;
        return;
      } else {
        await new Promise<void>((resolve) => this.#waiting.push(resolve));
      }
    }
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a turn can be awaited
  then<Value = void, Failure = never>(
    onfulfilled?: ((value: void) => Value | PromiseLike<Value>) | null,
    onrejected?: ((reason: unknown) => Failure | PromiseLike<Failure>) | null,
  ): PromiseLike<Value | Failure> {
    return this.#ended.then(onfulfilled, onrejected);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }
}
