import { ESCAPES, readMeant, SPACE, symbolsWritten } from './spelled-text.js';
import { toBase64 } from '../util/bytes.js';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** So many characters of a secret in a row must not be seen. */
const PIECE = 8;
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
    if (this.#tables.length === 0) return NONE;
    const written = this.#search(symbolsWritten(text));
    if (!ESCAPES.test(text)) return written;
    const { symbols, bounds } = readMeant(text);
    const meant = this.#search(symbols);
    return [...written, ...meant.map(({ start, end }) => ({ start: bounds[start] ?? 0, end: bounds[end] ?? 0 }))];
  }

  /** Where secrets stand among symbols, without the blanks around them, whatever the secret has there. */
  #search(symbols: Uint8Array): Span[] {
    const runs: Run[] = [];
    forEachPlace(symbols, (high, low, end) => {
      for (const table of this.#tables) {
        const enough = table.get(high, low);
        if (enough > 0 && end >= table.length) addPiece(runs, end - table.length, end, enough);
      }
    });
    const secrets = runs.filter(({ end }) => end > 0);
    return secrets.map(({ start, end }) => ({
      start: symbols[start] === SPACE ? start + 1 : start,
      end: symbols[end - 1] === SPACE ? end - 1 : end,
    }));
  }
}

/** The last eight symbols at every place, in two numbers; `end`: how many there have been. */
function forEachPlace(symbols: Uint8Array, visit: (high: number, low: number, end: number) => void): void {
  let high = 0;
  let low = 0;
  let end = 0;
  for (const symbol of symbols) {
    high = (high << 8) | (low >>> 24);
    low = (low << 8) | symbol;
    end += 1;
    visit(high, low, end);
  }
}

/** Pieces of secrets that overlap or touch, as places among the symbols. */
interface Run {
  start: number;
  /** Where its last piece ends. */
  last: number;
  /** What is no secret by itself belongs to one only in front of it: up to here it is one. 0: nowhere. */
  end: number;
}

/** `enough`: how many symbols a run that the piece is in has to have. */
function addPiece(runs: Run[], start: number, last: number, enough: number): void {
  let run = runs.at(-1);
  if (run === undefined || start > run.last) {
    if (run?.end === 0) runs.pop();
    run = { start, last, end: 0 };
    runs.push(run);
  }
  // One of a longer table may begin before the others.
  run.start = Math.min(run.start, start);
  run.last = last;
  if (run.last - run.start >= enough) run.end = run.last;
}

function tablesOf(patterns: readonly SecretPattern[]): GramTable[] {
  const lengths = [...new Set(patterns.map(pieceLength))].toSorted((a, b) => b - a);
  return lengths.map((length) =>
    tableOf(
      length,
      patterns.filter((pattern) => pieceLength(pattern) === length),
    ),
  );
}

/** Each piece with the number of symbols of secrets that have to stand together there. */
function tableOf(length: number, patterns: readonly SecretPattern[]): GramTable {
  const pieces = patterns.reduce((sum, { symbols }) => sum + symbols.length - length + 1, 0);
  const table = new GramTable(length, pieces);
  for (const pattern of patterns) {
    forEachPlace(pattern.symbols, (high, low, end) => {
      if (end >= length) table.add(high, low, enoughAt(pattern, end, length));
    });
  }
  return table;
}

function pieceLength({ symbols }: SecretPattern): number {
  return Math.min(symbols.length, PIECE);
}

/** Pieces of a whole secret stand together, so it is always found. */
function enoughAt({ symbols, words = 0, wholeOnly }: SecretPattern, end: number, length: number): number {
  const ofWhole = end === symbols.length ? end : NEVER;
  if (wholeOnly === true) return ofWhole;
  return words - (end - length) < MIN_WORDS ? length : Math.min(ofWhole, MANY_WORDS);
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

/** One way to write a secret. */
interface SecretPattern {
  readonly symbols: Uint8Array;
  /** How many symbols of words it begins with, which other texts may have too. Default 0. */
  readonly words?: number;
  /** Its pieces are found as what they mean; as they are written they could end inside an escape of the text. */
  readonly wholeOnly?: boolean;
}

/** Longer ones are sealed reasoning, which is not sent in base64 once more. */
const MAX_BASE64_CHARS = 1_000;
/** What its escapes mean may be shorter than a secret is, and stand in every text. */
const MIN_SYMBOLS = 4;

/** Every way to write a secret that reading escapes does not make the same. */
function patternsOf(secret: string): SecretPattern[] {
  const sealed = base64Forms(secret).map((form) => ({ symbols: symbolsWritten(form) }));
  if (!ESCAPES.test(secret)) return [{ symbols: symbolsWritten(secret), words: wordSymbols(secret) }, ...sealed];
  const written = [secret, ...escapedForms(secret)].map((form) => ({ symbols: symbolsWritten(form), wholeOnly: true }));
  const meant = readMeant(secret).symbols;
  return [...written, ...sealed, ...(meant.length < MIN_SYMBOLS ? [] : [{ symbols: meant }])];
}

/** In JSON, in JSON within JSON, and in URLs: what looks like an escape itself may be read in more than one way. */
function escapedForms(secret: string): string[] {
  const inJson = JSON.stringify(secret).slice(1, -1);
  const forms = [inJson, JSON.stringify(inJson).slice(1, -1), new URLSearchParams([['', secret]]).toString().slice(1)];
  try {
    forms.push(encodeURIComponent(secret), encodeURI(secret));
  } catch {
    // Half a surrogate pair has no place in a URL.
  }
  return forms;
}

/** What stands for a secret in base64, whatever was in front of it and behind it. */
function base64Forms(secret: string): string[] {
  if (secret.length < PIECE || secret.length > MAX_BASE64_CHARS) return [];
  const bytes = new TextEncoder().encode(secret);
  const forms = [0, 1, 2].map((before) => {
    const whole = new Uint8Array(before + bytes.length);
    whole.set(bytes, before);
    // Characters that bits of its neighbours have a part in are no part of it.
    return toBase64(whole).slice(Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6));
  });
  return [...new Set(forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]))];
}

const AFTER_MARK = /(?<=[\s\-_.:/=])/;
const WORD = /^(?:[A-Za-z][a-z]{0,9})?[\s\-_.:/=]?$/;

/**
 * Of `sk-proj-…`, `Bearer …` and all of `no-key-required`: the words that a secret begins with, or that it is. Random letters
 * have more than one case, or digits among them.
 */
function wordSymbols(secret: string): number {
  const parts = secret.split(AFTER_MARK);
  const end = parts.findIndex((part) => !WORD.test(part));
  return parts.slice(0, end < 0 ? parts.length : end).join('').length;
}
