/** A key that is pressed twice counts as that within this time. */
export const TWICE_MS = 2000;

/** Knows whether a key is pressed for the second time. */
export class Twice {
  #at = 0;

  press(): boolean {
    const isAgain = Date.now() - this.#at < TWICE_MS;
    this.#at = isAgain ? 0 : Date.now();
    return isAgain;
  }

  forget(): void {
    this.#at = 0;
  }
}
