import type { TaskOp } from './task.js';

/** A submission that waits for its turn. */
export interface Waiting {
  readonly id: string;
  readonly op: TaskOp;
}

/** What waits while a task runs, the oldest first. */
export class Inbox {
  readonly #waiting: Waiting[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  add(waiting: Waiting): void {
    this.#waiting.push(waiting);
  }

  next(): Waiting | undefined {
    return this.#waiting.shift();
  }

  /** `undefined`: it has begun, or there never was one. */
  withdraw(id: string): Waiting | undefined {
    const index = this.#waiting.findIndex((waiting) => waiting.id === id);
    return index === -1 ? undefined : this.#waiting.splice(index, 1)[0];
  }

  /** Takes what steers the task that runs. What waits behind another submission waits on, so that the order is kept. */
  takeSteered(): { readonly id: string; readonly text: string }[] {
    const taken: { readonly id: string; readonly text: string }[] = [];
    for (
      let [first] = this.#waiting;
      first?.op.type === 'user_input' && first.op.steer === true && isOnlyText(first.op);
      [first] = this.#waiting
    ) {
      taken.push({ id: first.id, text: first.op.text });
      this.#waiting.shift();
    }
    return taken;
  }

  clear(): void {
    this.#waiting.length = 0;
  }
}

/** What is brought along has to be read first. */
function isOnlyText({ images, resources }: Extract<TaskOp, { type: 'user_input' }>): boolean {
  return images === undefined && resources === undefined;
}
