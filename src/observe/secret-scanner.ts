import { wellFormed } from '../util/json.js';

/** A stretch of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The number of consecutive characters of a secret that must stay hidden. */
const PIECE = 8;
/** With this many symbols of words, half of it, a piece may occur in any text. */
const MIN_WORDS = PIECE / 2;
/** This many symbols of a secret's words (`no-key-required`) occur nowhere else. */
const MANY_WORDS = 16;
/** An unescaped secret may be shorter than the escaped one, and occur in every text. */
const MIN_SYMBOLS = 4;
const NEVER = 0x7fff_ffff;
const SPACE = 0x20;

/**
 * Finds secrets in texts, all in one search: verbatim, JSON-escaped and URL-encoded. Finds any eight characters of one
 * in a row, because servers cut, wrap and mask repeated text. The first words of a secret are found only with later
 * characters, or if sixteen characters match; a secret of fewer than eight characters as a whole.
 *
 * Looks up the last eight symbols at every place in a table of the pieces of all secrets: one step for each character.
 * Reads a text with escapes twice, raw and decoded, because text before a secret may look like an escape (`50%`).
 */
export class SecretScanner {
  /** By the length of their pieces. */
  readonly #tables: readonly Table[];

  /** With `wholeOnly`, pieces of a secret are not found. */
  constructor(secrets: readonly string[], { wholeOnly = false } = {}) {
    const patterns = secrets.flatMap(patternsOf).map((pattern) => (wholeOnly ? { ...pattern, wholeOnly } : pattern));
    const lengths = new Set(patterns.map(({ symbols }) => Math.min(symbols.length, PIECE)));
    this.#tables = [...lengths].map((length) =>
      tableOf(
        length,
        patterns.filter(({ symbols }) => Math.min(symbols.length, PIECE) === length),
      ),
    );
  }

  /** In any order; they may overlap. */
  spansIn(text: string): readonly Span[] {
    return SecretScanner.spansIn(text, [this]);
  }

  /** The same for several scanners. */
  static spansIn(text: string, scanners: readonly SecretScanner[]): readonly Span[] {
    const tables: Table[] = [];
    for (const scanner of scanners) tables.push(...scanner.#tables);
    if (tables.length === 0) return [];
    const spans = search(symbolsWritten(text), tables);
    if (!ESCAPED.test(text)) return spans;
    const { symbols, bounds } = readMeant(text);
    for (const { start, end } of search(symbols, tables))
      spans.push({ start: bounds[start] ?? 0, end: bounds[end] ?? 0 });
    return spans;
  }
}

/** Pieces of up to eight symbols, all of one length. Symbols are below 256, so two numbers of 32 bits make a piece. */
interface Table {
  readonly length: number;
  /** Three numbers a slot: the two of the piece, and how many symbols of secrets have to be found together there. */
  readonly slots: Int32Array;
  /** 1 if a piece may have these last symbols. */
  readonly filter: Uint8Array;
  readonly highMask: number;
  readonly lowMask: number;
}

const SLOT = 3;
const MAX_FILTER = 2 ** 16;
/** Random in every process, so that a peer that chooses the content cannot choose the slot. */
const [MIX_HIGH = 1, MIX_LOW = 1, MIX_ALL = 1] = [0, 0, 0].map(() => Math.trunc(Math.random() * 2 ** 31) * 2 + 1);

function tableOf(length: number, patterns: readonly SecretPattern[]): Table {
  const pieces = patterns.reduce((sum, { symbols }) => sum + symbols.length - length + 1, 0);
  const size = 2 ** Math.ceil(Math.log2(2 * pieces + 1));
  const slots = new Int32Array(size * SLOT);
  const filter = new Uint8Array(Math.min(16 * size, MAX_FILTER));
  const [highMask = 0, lowMask = 0] = [length - 4, length].map((bytes) => (bytes >= 4 ? -1 : (1 << (8 * bytes)) - 1));
  const table = { length, slots, filter, highMask: length > 4 ? highMask : 0, lowMask };
  for (const pattern of patterns) {
    let [high, low, end] = [0, 0, 0];
    for (const symbol of pattern.symbols) {
      high = ((high << 8) | (low >>> 24)) & table.highMask;
      low = ((low << 8) | symbol) & lowMask;
      end += 1;
      if (end < length) continue;
      const at = slotOf(table, high, low);
      const known = slots[at + 2] || NEVER;
      slots[at] = high;
      slots[at + 1] = low;
      slots[at + 2] = Math.min(known, enoughAt(pattern, end, length));
      filter[(Math.imul(low, MIX_LOW) >>> 15) & (filter.length - 1)] = 1;
    }
  }
  return table;
}

/**
 * The number of symbols that must match together with the piece that ends there. Pieces of a whole secret always
 * suffice.
 */
function enoughAt({ symbols, words = 0, wholeOnly }: SecretPattern, end: number, length: number): number {
  const ofWhole = end === symbols.length ? end : NEVER;
  if (wholeOnly === true) return ofWhole;
  return words - (end - length) < MIN_WORDS ? length : Math.min(ofWhole, MANY_WORDS);
}

/** Returns the slot of a piece, or its free slot. Half of the slots are empty. */
function slotOf({ slots }: Table, high: number, low: number): number {
  const first = Math.imul(high, MIX_HIGH) + Math.imul(low, MIX_LOW);
  const second = Math.imul(first ^ (first >>> 15), MIX_ALL);
  const count = slots.length / SLOT;
  let slot = (second ^ (second >>> 13)) & (count - 1);
  while (slots[slot * SLOT + 2] !== 0 && (slots[slot * SLOT] !== high || slots[slot * SLOT + 1] !== low))
    slot = (slot + 1) & (count - 1);
  return slot * SLOT;
}

/** Returns the ranges in which pieces of one table overlap or touch and suffice together, without outer blanks. */
function search(symbols: Uint8Array, tables: readonly Table[]): Span[] {
  const found: Span[] = [];
  for (const table of tables) {
    const { length, slots, filter, highMask, lowMask } = table;
    const last = filter.length - 1;
    let [high, low, at] = [0, 0, 0];
    // Pieces in a row. What is no secret by itself belongs to one only in front of it: up to `end` it is one.
    let [start, next, end] = [0, -1, 0];
    for (const symbol of symbols) {
      high = ((high << 8) | (low >>> 24)) & highMask;
      low = ((low << 8) | symbol) & lowMask;
      at += 1;
      if (filter[(Math.imul(low, MIX_LOW) >>> 15) & last] === 0 || at < length) continue;
      const enough = slots[slotOf(table, high, low) + 2] ?? 0;
      if (enough === 0) continue;
      const isApart = at - length > next;
      if (isApart && end > 0) found.push({ start, end });
      if (isApart) [start, end] = [at - length, 0];
      next = at;
      if (next - start >= enough) end = next;
    }
    if (end > 0) found.push({ start, end });
  }
  return found.map(({ start, end }) => ({
    start: symbols[start] === SPACE ? start + 1 : start,
    end: symbols[end - 1] === SPACE ? end - 1 : end,
  }));
}

/** A spelling of a secret. */
interface SecretPattern {
  readonly symbols: Uint8Array;
  /** The number of its first symbols that are words, which other texts may contain too. @default 0 */
  readonly words?: number;
  /** Its pieces are found decoded, because raw ones could end inside an escape of the text. */
  readonly wholeOnly?: boolean;
}

/** Longer ones are sealed reasoning, which servers repeat unchanged or in JSON, if at all. */
const MAX_SPELLED_CHARS = 1_000;

/** Returns the meaning of a secret, and its spellings: escapes in the text before it may hide the meaning. */
function patternsOf(secret: string): SecretPattern[] {
  const isEscaped = ESCAPED.test(secret);
  const forms = new Set([secret, JSON.stringify(secret).slice(1, -1)]);
  if (isEscaped || secret.length <= MAX_SPELLED_CHARS)
    forms.add(encodeURIComponent(wellFormed(secret))).add(new URLSearchParams([['', secret]]).toString().slice(1));
  if (!isEscaped) forms.delete(secret);
  const written = [...forms].map((form) => ({ symbols: symbolsWritten(form), wholeOnly: true }));
  if (!isEscaped) return [{ symbols: symbolsWritten(secret), words: wordSymbols(secret) }, ...written];
  const { symbols } = readMeant(secret);
  return symbols.length < MIN_SYMBOLS ? written : [{ symbols }, ...written];
}

const AFTER_MARK = /(?<=[\s\-_.:/=])/;
const WORD = /^(?:[A-Za-z][a-z]{0,9})?[\s\-_.:/=]?$/;

/**
 * Counts the first words of a secret: of `sk-proj-…`, of `Bearer …`, and all of `no-key-required`. Random letters have
 * more than one case, or digits among them.
 */
function wordSymbols(secret: string): number {
  const parts = secret.split(AFTER_MARK);
  const end = parts.findIndex((part) => !WORD.test(part));
  return parts.slice(0, end < 0 ? parts.length : end).join('').length;
}

/** Code points below 128, as their symbols. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[\s+]/.test(char) ? SPACE : char.toLowerCase().charCodeAt(0);
});

/**
 * Returns one symbol per UTF-16 unit. Letters are compared in any case, because header names return in lower case.
 * Blanks and `+` are equal, because forms write one for the other. Characters beyond ASCII share the upper half, which
 * keeps pieces small.
 */
function symbolsWritten(text: string): Uint8Array {
  const symbols = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    symbols[at] = unit < 128 ? (ASCII[unit] ?? 0) : 128 + (unit & 127);
  }
  return symbols;
}

const ESCAPED = /[\\%]/;

/**
 * Returns the symbols of a decoded text, with escapes of JSON (`\/`, `\u002f`) and of URLs (`%2F`, the bytes of one
 * character together). Several backslashes are one, because a message may quote JSON. `bounds`: where each symbol
 * begins in the text, which is where the one before it ends.
 */
function readMeant(text: string): { readonly symbols: Uint8Array; readonly bounds: Uint32Array } {
  const written = symbolsWritten(text);
  const symbols = new Uint8Array(text.length);
  const bounds = new Uint32Array(text.length + 1);
  let [count, at] = [0, 0];
  for (const match of text.matchAll(
    /\\+(?:u([\da-fA-F]{4})|([^\\%]))?|%(?:([fF][0-7](?:%[89abAB][\da-fA-F]){3}|[eE][\da-fA-F](?:%[89abAB][\da-fA-F]){2}|[cdCD][\da-fA-F]%[89abAB][\da-fA-F])|([\da-fA-F]{2}))/g,
  )) {
    for (; at < match.index; bounds[count] = at) symbols[count++] = written[at++] ?? 0;
    at += match[0].length;
    for (const symbol of symbolsWritten(meaningOf(match))) {
      symbols[count++] = symbol;
      bounds[count] = at;
    }
    // A character without meaning belongs to the previous one.
    bounds[count] = at;
  }
  for (; at < text.length; bounds[count] = at) symbols[count++] = written[at++] ?? 0;
  return { symbols: symbols.subarray(0, count), bounds };
}

/** Empty for a backslash, because an escaped one belongs to the next character. */
function meaningOf([, unit, letter = '', bytes, byte = unit]: RegExpExecArray): string {
  if (bytes !== undefined) return fromUtf8(bytes);
  if (byte === undefined) return /[nrt]/.test(letter) ? ' ' : letter;
  const char = String.fromCharCode(Number.parseInt(byte, 16));
  return char === '\\' ? '' : char;
}

/** Not by `decodeURIComponent`, which throws if a server writes Latin-1. */
function fromUtf8(bytes: string): string {
  const [lead = 0, ...others] = bytes.split('%').map((byte) => Number.parseInt(byte, 16));
  const code = others.reduce((sum, byte) => sum * 0x40 + (byte & 0x3f), lead & (0x3f >> others.length));
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}
