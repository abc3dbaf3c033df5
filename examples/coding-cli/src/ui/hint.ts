import { TWICE_MS } from './twice.js';

/** What stands in place of the status for a while. */
export class Hint {
  text: string | undefined;
  readonly #onGone: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(onGone: () => void) {
    this.#onGone = onGone;
  }

  /** For two seconds. */
  show(text: string): void {
    this.keep(text);
    this.#timer = setTimeout(() => {
      this.text = undefined;
      this.#onGone();
    }, TWICE_MS);
    this.#timer.unref();
  }

  /** Until another one, or `forget`. */
  keep(text: string): void {
    this.forget();
    this.text = text;
  }

  forget(): void {
    clearTimeout(this.#timer);
    this.text = undefined;
  }
}
