/** A slot: the symbols in two numbers, and the value. */
const SLOT = 3;
/** Drawn anew by every process: a peer that chooses what is kept here must not choose where it is kept. */
const MIX = [odd(), odd(), odd()] as const;

/**
 * Runs of up to eight symbols, all of one length, with a number above 0 for each. Symbols are below 256, so a run is two
 * numbers of 32 bits; no look takes longer because there are more of them.
 */
export class GramTable {
  readonly length: number;
  readonly #slots: Int32Array;
  readonly #mask: number;
  readonly #highMask: number;
  readonly #lowMask: number;

  constructor(length: number, capacity: number) {
    this.length = length;
    const size = 2 ** Math.ceil(Math.log2(2 * capacity + 1));
    this.#slots = new Int32Array(size * SLOT);
    this.#mask = size - 1;
    this.#highMask = maskOf(length - 4);
    this.#lowMask = maskOf(length);
  }

  /** Of a run that is there already the smaller number is kept. `low` holds its last four symbols, `high` those before. */
  add(high: number, low: number, value: number): void {
    const at = this.#find(high, low);
    const known = this.#slots[at + 2] ?? 0;
    this.#slots[at] = high & this.#highMask;
    this.#slots[at + 1] = low & this.#lowMask;
    this.#slots[at + 2] = known === 0 ? value : Math.min(known, value);
  }

  /** The number of the run that ends here, or 0. Symbols before it do not count. */
  get(high: number, low: number): number {
    return this.#slots[this.#find(high, low) + 2] ?? 0;
  }

  #find(fullHigh: number, fullLow: number): number {
    const high = fullHigh & this.#highMask;
    const low = fullLow & this.#lowMask;
    const slots = this.#slots;
    let slot = hash(high, low) & this.#mask;
    // Half of the slots are empty.
    while (slots[slot * SLOT + 2] !== 0 && (slots[slot * SLOT] !== high || slots[slot * SLOT + 1] !== low))
      slot = (slot + 1) & this.#mask;
    return slot * SLOT;
  }
}

/** The lowest bytes, at most four of them. */
function maskOf(bytes: number): number {
  return bytes >= 4 ? -1 : bytes <= 0 ? 0 : 2 ** (8 * bytes) - 1;
}

function hash(high: number, low: number): number {
  const first = Math.imul(high, MIX[0]) + Math.imul(low, MIX[1]);
  const second = Math.imul(first ^ (first >>> 15), MIX[2]);
  return second ^ (second >>> 13);
}

function odd(): number {
  return Math.trunc(Math.random() * 2 ** 31) * 2 + 1;
}
