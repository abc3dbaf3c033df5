import { rowOf } from '../util/guards.js';

/** Of every blank, line breaks among them. */
export const SPACE = 0x20;

/** What escapes begin with. */
export const ESCAPES = /[\\%&]/;

const BACKSLASH = 0x5c;

/** What letters behind a backslash mean, and names behind an ampersand. */
const NAMED: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
};

/**
 * The symbols of a text as it is written, one for each UTF-16 unit. Letters count in any case, since names of headers come
 * back in lower case; blanks and `+` are the same, since forms write one for the other.
 *
 * Every symbol is below 256: characters beyond ASCII share the upper half. A run of them that is the same by chance is
 * unlikely enough for taking out secrets, and it keeps the tables of the search small.
 */
export function symbolsWritten(text: string): Uint8Array {
  const symbols = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) symbols[at] = symbolOf(text.charCodeAt(at));
  return symbols;
}

export interface MeantText {
  readonly symbols: Uint8Array;
  /** Where in the text each symbol begins, which is where the one before it ends. */
  readonly bounds: Uint32Array;
}

/** The symbols of a text as it is meant, however it is spelled. */
export function readMeant(text: string): MeantText {
  const symbols = new Uint8Array(text.length);
  const bounds = new Uint32Array(text.length + 1);
  let count = 0;
  let at = 0;
  const add = (code: number, end: number): void => {
    symbols[count] = symbolOf(code);
    count += 1;
    bounds[count] = end;
  };
  const addPlain = (end: number): void => {
    for (; at < end; at += 1) add(text.charCodeAt(at), at + 1);
  };
  for (const escape of escapesIn(text)) {
    addPlain(escape.index);
    at += escape[0].length;
    for (const unit of unitsOf(codeOf(escape))) add(unit, at);
    // What stands for nothing belongs to what is in front of it.
    bounds[count] = at;
  }
  addPlain(text.length);
  return { symbols: symbols.subarray(0, count), bounds };
}

/** Code points below 128, as their symbols; filled once. */
const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[\s+]/.test(char) ? SPACE : char.toLowerCase().charCodeAt(0);
});

function symbolOf(unit: number): number {
  return unit < 128 ? (ASCII[unit] ?? 0) : 128 + (unit & 127);
}

/**
 * The escapes of JSON and of JSON within JSON (`\/`, `\u002f`), of a URL and of a URL within one (`%2F`, `%252F`, the bytes
 * of one character together), and of HTML (`&#x2F;`). Backslashes belong to what they stand before. Digits count in any case,
 * names do not: `\U002f` and `&AMP;` mean themselves.
 */
function escapesIn(text: string): IterableIterator<RegExpExecArray> {
  return text.matchAll(
    /\\+(?:u([\da-fA-F]{4})|([^\\]))?|%(?:25)*(?:([fF][0-7](?:%(?:25)*[89abAB][\da-fA-F]){3}|[eE][\da-fA-F](?:%(?:25)*[89abAB][\da-fA-F]){2}|[cdCD][\da-fA-F]%(?:25)*[89abAB][\da-fA-F])|([\da-fA-F]{2}))|&(?:#[xX]([\da-fA-F]{1,9})|#(\d{1,10})|(amp|lt|gt|quot|apos|sol|plus|equals));/g,
  );
}

/** A backslash that is escaped itself is one of those that belong to what follows. */
function unitsOf(code: number): readonly number[] {
  if (code === BACKSLASH) return [];
  return code > 0xffff ? [0xd800 + ((code - 0x10000) >> 10), 0xdc00 + (code & 0x3ff)] : [code];
}

function codeOf([, unit, letter, bytes, byte = unit, hex = byte, decimal, name = letter]: RegExpExecArray): number {
  if (hex !== undefined) return Number.parseInt(hex, 16);
  if (decimal !== undefined) return Number(decimal);
  if (bytes !== undefined) return codeOfBytes(bytes);
  // Without a name: backslashes at the end of the text.
  return name === undefined ? BACKSLASH : (rowOf(NAMED, name) ?? name).charCodeAt(0);
}

/** Of UTF-8; a byte that is none stands for itself, since older servers write Latin-1. */
function codeOfBytes(bytes: string): number {
  const [lead = 0, ...others] = bytes.split('%').map((byte) => Number.parseInt(byte.slice(-2), 16));
  return others.reduce((code, byte) => code * 0x40 + (byte & 0x3f), lead & (0x3f >> others.length));
}
