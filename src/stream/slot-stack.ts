import type { Slot } from './slot.js';

/**
 * Slots in the order they were opened, asked for the last one that is still open. A slot is never opened again, so those
 * that are done are dropped when they are met: no question goes over the list.
 */
export class SlotStack {
  /** The last one, open or not. */
  last: Slot;
  readonly #open: Slot[];

  constructor(first: Slot) {
    this.last = first;
    this.#open = [first];
  }

  add(slot: Slot): void {
    this.last = slot;
    this.#open.push(slot);
  }

  lastOpen(): Slot | undefined {
    while (this.#open.at(-1)?.done === true) this.#open.pop();
    return this.#open.at(-1);
  }
}
