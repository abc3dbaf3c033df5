import type { ToolProgress } from '../tools/tool-source.js';

/** The latest step of a run. A reader that is slower than the tool sees only this one, because each replaces the last. */
export class LatestStep {
  #step: ToolProgress | undefined;
  #hasEnded = false;
  #wake: () => void = () => {};

  put(step: ToolProgress): void {
    this.#step = step;
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Returns the next step, or `undefined` once the run has ended. */
  async next(): Promise<ToolProgress | undefined> {
    while (this.#step === undefined && !this.#hasEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const step = this.#hasEnded ? undefined : this.#step;
    this.#step = undefined;
    return step;
  }
}

/**
 * Returns a generator whose reader may leave at any time. `return()` of a generator itself waits for the value that is awaited,
 * and so for the tool.
 */
export function leaveable<T>(begin: (left: AbortSignal) => AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  const controller = new AbortController();
  const values = begin(controller.signal);
  const end = values.return.bind(values);
  values.return = (value) => {
    controller.abort();
    return end(value);
  };
  return values;
}
