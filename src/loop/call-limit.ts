import { limitReached } from '../errors/limit-reached.js';

/** How many calls a round makes that somebody would have to answer. With more than it may, none of them is run. */
export class CallLimit {
  /** Set once there are too many. */
  exceeded: Error | undefined;
  readonly #limit: number;
  readonly #callIds = new Set<string>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a call once, whether it was announced or is complete. */
  count(callId: string): void {
    this.#callIds.add(callId);
    if (this.#callIds.size <= this.#limit) return;
    const what = `A round may make ${this.#limit} calls, and this one made more`;
    this.exceeded ??= limitReached(what, { name: 'limits.callsPerRound', value: this.#limit });
  }
}
