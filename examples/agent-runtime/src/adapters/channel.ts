/** Values that come at any time, for one reader. */
export class Channel<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #wake: () => void = () => {};
  #end: { readonly error?: unknown } | undefined;

  push(value: T): void {
    this.#values.push(value);
    this.#wake();
  }

  /** Nothing follows. With an error, the reader gets it behind the values. */
  end(error?: unknown): void {
    this.#end = error === undefined ? {} : { error };
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, undefined> {
    for (;;) {
      const values = this.#values.splice(0);
      yield* values;
      if (this.#values.length > 0) continue;
      if (this.#end?.error !== undefined) throw this.#end.error as Error;
      if (this.#end !== undefined) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
