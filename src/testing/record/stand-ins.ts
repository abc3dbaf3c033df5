/** What stands in a recording where something sealed was: `sealed-1`, `sealed-2`, … */
const STAND_IN = /^sealed-\d+$/;

const MIN_CHARS = 8;

export function isStandIn(text: unknown): boolean {
  return typeof text === 'string' && STAND_IN.test(text);
}

/** Names for sealed values, the same one for the same value, so that what is sent back can be told to be what came. */
export class StandIns {
  readonly #names = new Map<string, string>();

  get size(): number {
    return this.#names.size;
  }

  nameOf(sealed: string): string {
    if (isStandIn(sealed)) return sealed;
    const name = this.#names.get(sealed) ?? `sealed-${this.#names.size + 1}`;
    this.#names.set(sealed, name);
    return name;
  }

  /** Each value that is no word by chance, and its name. */
  entries(): readonly (readonly [string, string])[] {
    return [...this.#names].filter(([value]) => value.length >= MIN_CHARS);
  }
}
