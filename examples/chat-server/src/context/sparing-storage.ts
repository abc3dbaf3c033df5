import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * An `AsyncLocalStorage` that is in use only while something runs in it. Before Node 24 a storage in use makes every promise
 * of the process dearer, which was a third of what a delta costs in a stream of many promises.
 */
export class SparingStorage<T> {
  readonly #storage = new AsyncLocalStorage<T>();
  #running = 0;

  getStore(): T | undefined {
    return this.#storage.getStore();
  }

  /** What `work` has not awaited when it settles may find no store any more. */
  run<R>(store: T, work: () => R): R {
    this.#running += 1;
    let result: R | undefined;
    try {
      result = this.#storage.run(store, work);
      return result;
    } finally {
      if (result instanceof Promise) void result.then(this.#leave, this.#leave);
      else this.#leave();
    }
  }

  readonly #leave = (): void => {
    this.#running -= 1;
    if (this.#running === 0) this.#storage.disable();
  };
}
