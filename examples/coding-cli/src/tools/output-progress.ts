const EVERY_MS = 100;
const MAX_CHARS = 4000;

/** Hands on an output in pieces, not too often and not too long: of one that comes faster only the end is shown. */
export class OutputProgress {
  readonly #emit: (text: string) => void;
  #pending = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(emit: (text: string) => void) {
    this.#emit = emit;
  }

  add(text: string): void {
    this.#pending = (this.#pending + text).slice(-MAX_CHARS);
    this.#timer ??= setTimeout(() => this.#flush(), EVERY_MS);
  }

  end(): void {
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#pending !== '') this.#emit(this.#pending);
    this.#pending = '';
  }
}
