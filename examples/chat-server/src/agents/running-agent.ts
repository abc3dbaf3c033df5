import { Clock } from './clock.js';
import type { Slots } from 'responses-loop-example-shared/slots.js';

/** A sub-agent's place among those who work at once, and its time. */
export class RunningAgent {
  readonly #slots: Slots;
  readonly #parent: RunningAgent | undefined;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #holdsSlot = false;
  #children = 0;

  constructor({ slots, parent, limitMs, stop }: RunningAgentOptions) {
    this.#slots = slots;
    this.#parent = parent;
    this.#clock = new Clock(limitMs);
    this.#signal = AbortSignal.any([stop, this.#clock.signal]);
  }

  /** Fires at Stop and when the time is over. */
  get signal(): AbortSignal {
    return this.#signal;
  }

  get isOutOfTime(): boolean {
    return this.#clock.signal.aborted;
  }

  /** Waits for a place, then works. An agent that waits for its own agents gives its place up, or all could wait for all. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const wait = this.#work(work);
    return this.#parent === undefined ? wait : this.#parent.#waitForChild(wait);
  }

  /** While a person thinks, no clock runs that could end the question. */
  hold<T>(wait: Promise<T>): Promise<T> {
    const held = this.#clock.hold(wait);
    return this.#parent === undefined ? held : this.#parent.hold(held);
  }

  async #work<T>(work: () => Promise<T>): Promise<T> {
    await this.#takeSlot();
    this.#clock.start();
    try {
      return await work();
    } finally {
      this.#clock.stop();
      this.#giveSlot();
    }
  }

  async #waitForChild<T>(child: Promise<T>): Promise<T> {
    this.#children += 1;
    this.#giveSlot();
    try {
      return await child;
    } finally {
      this.#children -= 1;
      if (this.#children === 0 && !this.#signal.aborted) await this.#takeSlot().catch(() => {});
    }
  }

  async #takeSlot(): Promise<void> {
    await this.#slots.take(this.#signal);
    // Another child began while this waited in line.
    if (this.#children > 0 || this.#holdsSlot) this.#slots.give();
    else this.#holdsSlot = true;
  }

  #giveSlot(): void {
    if (!this.#holdsSlot) return;
    this.#holdsSlot = false;
    this.#slots.give();
  }
}

export interface RunningAgentOptions {
  readonly slots: Slots;
  /** The sub-agent that asked for it; none for one of the chat. */
  readonly parent: RunningAgent | undefined;
  readonly limitMs: number;
  readonly stop: AbortSignal;
}
