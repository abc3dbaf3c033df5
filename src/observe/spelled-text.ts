import { rowOf } from '../util/guards.js';

/** The text ends inside an escape: what it would have been is not known. */
export const INCOMPLETE = -1;
/** A backslash that is escaped itself: no character of its own, as with one that escapes another. */
export const NOTHING = -2;

export const BACKSLASH = 0x5c;
export const PERCENT = 0x25;
export const AMPERSAND = 0x26;
/** Of every blank, line breaks among them. */
export const SPACE = 0x20;

const NOT_HEX = -1;
const RAN_OUT = -2;
/** `&#1114111;` and `&#x0010ffff;`, without the ampersand. */
const MAX_ENTITY_CHARS = 12;

/**
 * Reads a text one character after the other as it is meant, however it is spelled: as it is, in JSON and in JSON within JSON
 * (`\/`, `\u002f`), in a URL and in a URL within one (`%2F`, `%252F`), in HTML (`&#x2F;`). Letters count in any case, since
 * names of headers come back in lower case; blanks and `+` are the same, since forms write one for the other.
 *
 * Every symbol is below 256: characters beyond ASCII share the upper half. A run of them that is the same by chance is
 * unlikely enough for taking out secrets, and it keeps the tables of the search small.
 */
export class SpelledText {
  /** Of the character that was read last, or `INCOMPLETE` or `NOTHING`. */
  symbol = 0;
  /** Where the next character begins. */
  end = 0;
  readonly #text: string;
  readonly #readsEscapes: boolean;

  /** Without `readsEscapes` every character stands for itself. */
  constructor(text: string, readsEscapes = true) {
    this.#text = text;
    this.#readsEscapes = readsEscapes;
  }

  read(at: number): void {
    const code = this.#text.charCodeAt(at);
    if (!this.#readsEscapes) this.readPlain(at);
    else if (code === BACKSLASH) this.#readEscape(at);
    else if (code === PERCENT) this.#readPercent(at);
    else if (code === AMPERSAND) this.#readEntity(at);
    else this.readPlain(at);
  }

  /** The character itself, whatever it could be the beginning of. */
  readPlain(at: number): void {
    const code = this.#text.codePointAt(at) ?? 0;
    this.symbol = symbolOf(code);
    this.end = code > 0xffff ? at + 2 : at + 1;
  }

  #found(symbol: number, end: number): void {
    this.symbol = symbol === BACKSLASH ? NOTHING : symbol;
    this.end = end;
  }

  #ranOut(): void {
    this.#found(INCOMPLETE, this.#text.length);
  }

  /** Backslashes double with every level of JSON. */
  #readEscape(at: number): void {
    const letterAt = this.#afterBackslashes(at);
    if (letterAt === this.#text.length) return this.#ranOut();
    const letter = this.#text[letterAt];
    if (letter === 'n' || letter === 'r' || letter === 't') return this.#found(SPACE, letterAt + 1);
    const unit = letter === 'u' ? hexAt(this.#text, letterAt + 1, 4) : NOT_HEX;
    if (unit === RAN_OUT) return this.#ranOut();
    if (unit === NOT_HEX) return this.readPlain(letterAt);
    const end = letterAt + 5;
    const low = isHighSurrogate(unit) ? this.#lowSurrogateAt(end) : undefined;
    if (low === undefined) return this.#found(symbolOf(unit), end);
    this.#found(symbolOf(0x10000 + (unit - 0xd800) * 0x400 + (low.unit - 0xdc00)), low.end);
  }

  #afterBackslashes(at: number): number {
    let next = at;
    while (this.#text.charCodeAt(next) === BACKSLASH) next += 1;
    return next;
  }

  #lowSurrogateAt(at: number): { readonly unit: number; readonly end: number } | undefined {
    const letterAt = this.#afterBackslashes(at);
    if (letterAt === at || this.#text[letterAt] !== 'u') return undefined;
    const unit = hexAt(this.#text, letterAt + 1, 4);
    return unit >= 0xdc00 && unit <= 0xdfff ? { unit, end: letterAt + 5 } : undefined;
  }

  #readPercent(at: number): void {
    const byte = this.#byteAt(at);
    if (byte === RAN_OUT) return this.#ranOut();
    if (byte === NOT_HEX) return this.readPlain(at);
    if (byte < 0xc0) return this.#found(symbolOf(byte), this.end);
    this.#readUtf8(byte);
  }

  /** The value of `%2F` or `%252F`, or why there is none; sets `end` behind it. */
  #byteAt(at: number): number {
    if (at >= this.#text.length) return RAN_OUT;
    if (this.#text.charCodeAt(at) !== PERCENT) return NOT_HEX;
    let digits = at + 1;
    while (this.#text.startsWith('25', digits) && hexAt(this.#text, digits + 2, 2) >= 0) digits += 2;
    this.end = digits + 2;
    const byte = hexAt(this.#text, digits, 2);
    // `%25` may be all there is left of `%252F`.
    return byte === PERCENT && hexAt(this.#text, this.end, 2) === RAN_OUT ? RAN_OUT : byte;
  }

  #readUtf8(lead: number): void {
    const count = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    const afterLead = this.end;
    let code = lead & (0x3f >> count);
    for (let read = 0; read < count; read += 1) {
      const byte = this.#byteAt(this.end);
      if (byte === RAN_OUT) return this.#ranOut();
      // No UTF-8: older servers write Latin-1.
      if (byte < 0x80 || byte > 0xbf) return this.#found(symbolOf(lead), afterLead);
      code = code * 0x40 + (byte & 0x3f);
    }
    this.#found(symbolOf(code), this.end);
  }

  #readEntity(at: number): void {
    const piece = this.#text.slice(at + 1, at + 1 + MAX_ENTITY_CHARS);
    const length = piece.indexOf(';');
    if (length < 0) {
      const isCut = at + 1 + piece.length === this.#text.length && beginsEntity(piece);
      return isCut ? this.#ranOut() : this.readPlain(at);
    }
    const code = codeOfEntity(piece.slice(0, length));
    if (code === undefined) this.readPlain(at);
    else this.#found(symbolOf(code), at + 2 + length);
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  sol: '/',
  plus: '+',
  equals: '=',
};

/** Whether a text is the beginning of an entity, the ampersand alone included. */
function beginsEntity(piece: string): boolean {
  return /^#(?:x[\da-f]*|\d*)$/i.test(piece) || Object.keys(ENTITIES).some((name) => name.startsWith(piece));
}

function codeOfEntity(name: string): number | undefined {
  if (!name.startsWith('#')) return rowOf(ENTITIES, name)?.charCodeAt(0);
  const isHex = name[1] === 'x' || name[1] === 'X';
  const digits = name.slice(isHex ? 2 : 1);
  const code = /^[\da-f]+$/i.test(digits) ? Number.parseInt(digits, isHex ? 16 : 10) : Number.NaN;
  return Number.isNaN(code) ? undefined : code;
}

/** The symbols of a text as it is meant, its escapes read. */
export function symbolsMeant(text: string): Uint8Array {
  const symbols: number[] = [];
  // What follows it wherever it stands ends whatever its end could begin.
  const spelled = new SpelledText(`${text} `);
  for (let at = 0; at < text.length; at = spelled.end) {
    spelled.read(at);
    if (spelled.symbol >= 0 && spelled.end <= text.length) symbols.push(spelled.symbol);
  }
  return Uint8Array.from(symbols);
}

/** The symbols of a text as it is written. */
export function symbolsWritten(text: string): Uint8Array {
  const symbols: number[] = [];
  const spelled = new SpelledText(text, false);
  for (let at = 0; at < text.length; at = spelled.end) {
    spelled.read(at);
    symbols.push(spelled.symbol);
  }
  return Uint8Array.from(symbols);
}

/** Code points below 128, as their symbols; filled once. */
export const ASCII = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  return /[\s+]/.test(char) ? SPACE : char.toLowerCase().charCodeAt(0);
});

/** Of a character as it is meant. */
function symbolOf(code: number): number {
  return code < 128 ? (ASCII[code] ?? 0) : 128 + (code & 127);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function hexAt(text: string, at: number, digits: number): number {
  let value = 0;
  for (let index = at; index < at + digits; index += 1) {
    if (index >= text.length) return RAN_OUT;
    const digit = hexDigit(text.charCodeAt(index));
    if (digit < 0) return NOT_HEX;
    value = value * 16 + digit;
  }
  return value;
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : NOT_HEX;
}
