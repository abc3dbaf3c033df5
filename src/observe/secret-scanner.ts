import { ESCAPES, patternsOf, PIECE, type SecretPattern } from './secret-patterns.js';
import { AMPERSAND, ASCII, BACKSLASH, INCOMPLETE, NOTHING, PERCENT, SPACE, SpelledText } from './spelled-text.js';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** With so many symbols of words, a piece may stand in any text: half of it. */
const MIN_WORDS = PIECE / 2;
/** So much of the words of a secret (`no-key-required`) stands nowhere else. */
const MANY_WORDS = 16;
const NEVER = 0x7fff_ffff;
const NONE: readonly Span[] = [];

/**
 * Finds secrets in texts, all of them in one search, however they are spelled and in base64. Any eight characters of one in a
 * row are found, wherever they stand: others cut, wrap and mask what they repeat in every way. Words that it begins with are
 * found only together with what follows them, or sixteen characters of them; one of fewer than eight characters as a whole.
 *
 * The last eight symbols of a text are looked up at every place, in a table of the pieces of all secrets: one step for each
 * character. A text with escapes is read twice, as it is written and as it is meant: in what is written in an odd way,
 * escapes may seem to be where none are (`50%` before a key that begins with `ab`).
 */
export class SecretScanner {
  /** By the length of their pieces, the longest first. */
  readonly #tables: readonly GramTable[];

  /** With `wholeOnly`, pieces of a secret are not found. */
  constructor(secrets: readonly string[], { wholeOnly = false } = {}) {
    const patterns = secrets.flatMap(patternsOf);
    const all = wholeOnly ? patterns.map((pattern) => ({ ...pattern, wholeOnly })) : patterns;
    this.#tables = tablesOf(all);
  }

  /** In any order; they may overlap. */
  spansIn(text: string): readonly Span[] {
    const from = this.#firstDoubt(text);
    if (from < 0) return NONE;
    const written = this.#search(text, from, false);
    return ESCAPES.test(text) ? [...written, ...this.#search(text, from, true)] : written;
  }

  /** A quick look, which is enough for most texts: where the first piece begins, or the first escape; -1 for neither. */
  #firstDoubt(text: string): number {
    if (this.#tables.length === 0) return -1;
    let high = 0;
    let low = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code >= ASCII.length || code === BACKSLASH || code === PERCENT || code === AMPERSAND) return startOfPiece(at);
      high = (high << 8) | (low >>> 24);
      low = (low << 8) | (ASCII[code] ?? 0);
      for (const table of this.#tables) if (table.has(high, low)) return startOfPiece(at);
    }
    return -1;
  }

  #search(text: string, from: number, readsEscapes: boolean): Span[] {
    const spelled = new SpelledText(text, readsEscapes);
    const latest = new LatestSymbols();
    const runs = new Runs();
    for (let at = from; at < text.length; at = spelled.end) {
      spelled.read(at);
      if (spelled.symbol === INCOMPLETE) break;
      if (spelled.symbol === NOTHING) continue;
      latest.push(spelled.symbol, at);
      // The blanks around a piece stay, whatever the secret has there.
      const end = spelled.symbol === SPACE ? at : spelled.end;
      for (const table of this.#tables) {
        const enough = table.get(latest.high, latest.low);
        if (enough > 0 && latest.count >= table.length) runs.add(latest, table.length, enough, end);
      }
    }
    return runs.found();
  }
}

/** Where a piece begins that ends here. */
function startOfPiece(at: number): number {
  return Math.max(0, at - PIECE + 1);
}

function tablesOf(patterns: readonly SecretPattern[]): GramTable[] {
  const lengths = [...new Set(patterns.map(pieceLength))].toSorted((a, b) => b - a);
  return lengths.map((length) => {
    const ofLength = patterns.filter((pattern) => pieceLength(pattern) === length);
    const table = new GramTable(
      length,
      ofLength.reduce((sum, { symbols }) => sum + symbols.length - length + 1, 0),
    );
    for (const pattern of ofLength) addPieces(table, pattern);
    return table;
  });
}

function pieceLength({ symbols }: SecretPattern): number {
  return Math.min(symbols.length, PIECE);
}

/** Each piece with the number of symbols of secrets that have to stand together there. */
function addPieces(table: GramTable, pattern: SecretPattern): void {
  const { symbols } = pattern;
  const latest = new LatestSymbols();
  for (const symbol of symbols) {
    latest.push(symbol, 0);
    if (latest.count >= table.length) table.add(latest.high, latest.low, enoughAt(pattern, latest.count, table.length));
  }
}

/** Pieces of a whole secret stand together, so it is always found. */
function enoughAt({ symbols, words = 0, wholeOnly }: SecretPattern, end: number, length: number): number {
  const ofWhole = end === symbols.length ? end : NEVER;
  if (wholeOnly === true) return ofWhole;
  return words - (end - length) < MIN_WORDS ? length : Math.min(ofWhole, MANY_WORDS);
}

/** The last eight symbols, and where they began. */
class LatestSymbols {
  high = 0;
  low = 0;
  count = 0;
  readonly #starts = new Int32Array(PIECE);

  push(symbol: number, start: number): void {
    this.high = (this.high << 8) | (this.low >>> 24);
    this.low = (this.low << 8) | symbol;
    this.#starts[this.count % PIECE] = start;
    this.count += 1;
  }

  /** Where the last symbols began, so many of them; without a blank in front. */
  start(length: number): number {
    const first = (length > 4 ? this.high >>> (8 * (length - 5)) : this.low >>> (8 * (length - 1))) & 0xff;
    return this.#starts[(this.count - (first === SPACE ? length - 1 : length)) % PIECE] ?? 0;
  }
}

/** Puts pieces of secrets together that overlap or touch. */
class Runs {
  readonly #found: Span[] = [];
  /** Places among the symbols, the last one exclusive. */
  #first = 0;
  #last = -1;
  #start = 0;
  #end = 0;
  #isEnough = false;

  /** A piece that ends with the latest symbol, and how many symbols a run that it is in has to have. */
  add(latest: LatestSymbols, length: number, enough: number, end: number): void {
    const first = latest.count - length;
    if (first > this.#last) this.#close();
    if (this.#last < 0 || first < this.#first) {
      this.#first = first;
      this.#start = latest.start(length);
    }
    this.#last = latest.count;
    // What is no secret by itself belongs to one only in front of it.
    if (latest.count - this.#first < enough) return;
    this.#end = end;
    this.#isEnough = true;
  }

  found(): Span[] {
    this.#close();
    return this.#found;
  }

  #close(): void {
    if (this.#isEnough) this.#found.push({ start: this.#start, end: this.#end });
    this.#last = -1;
    this.#isEnough = false;
  }
}

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

  has(high: number, low: number): boolean {
    return this.#slots[this.#find(high, low) + 2] !== 0;
  }

  #find(fullHigh: number, fullLow: number): number {
    const high = fullHigh & this.#highMask;
    const low = fullLow & this.#lowMask;
    const slots = this.#slots;
    const first = Math.imul(high, MIX[0]) + Math.imul(low, MIX[1]);
    const second = Math.imul(first ^ (first >>> 15), MIX[2]);
    let slot = (second ^ (second >>> 13)) & this.#mask;
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

function odd(): number {
  return Math.trunc(Math.random() * 2 ** 31) * 2 + 1;
}
