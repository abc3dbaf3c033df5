/** In each lane one operation runs after the other, in the order in which they were asked for. */
export class Lanes {
  readonly #last = new Map<string, Promise<unknown>>();

  /** What is in no lane runs at once, and is not waited for. */
  run<T>(lane: string | undefined, operation: () => Promise<T>): Promise<T> {
    if (lane === undefined) return operation();
    const result = (this.#last.get(lane) ?? Promise.resolve()).then(operation);
    const ended = result.catch(() => {});
    this.#last.set(lane, ended);
    void ended.then(() => {
      if (this.#last.get(lane) === ended) this.#last.delete(lane);
    });
    return result;
  }

  /** Waits for all that runs or waits now. */
  async settled(): Promise<void> {
    await Promise.all(this.#last.values());
  }
}
