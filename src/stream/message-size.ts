import { countJsonValues } from '../util/json.js';

/** What came since the last event is more than one message may have. */
export class MessageTooLong extends Error {}

/** What a line costs beside its bytes: each piece of an event that comes in many is kept as a text of its own. */
const LINE_BYTES = 64;
/**
 * What a value of JSON costs beside its characters: an empty object takes three of them and some ninety bytes of memory. Less
 * is charged, since good answers have many short values too (token probabilities).
 */
const VALUE_BYTES = 16;
/** What is shorter is little, whatever it holds. */
const LONG_MESSAGE = 1_000_000;
/** A long chunk is looked at in pieces, in bytes and in parts of the limit: it may hold the end of a message and more. */
const LONGEST_PIECE = 65_536;
const PIECES_OF_LIMIT = 16;

/**
 * How much of a body came since its last event: an endless line, an event of endless lines, a page of text and padding
 * without end are all the same, and no good stream of any length is any of them.
 */
export class MessageSize {
  readonly longestPiece: number;
  readonly #limit: number;
  #bytes = 0;
  #lastCharacter = '';

  constructor(limit: number) {
    this.#limit = limit;
    this.longestPiece = Math.ceil(Math.min(limit / PIECES_OF_LIMIT, LONGEST_PIECE));
  }

  /** There was an event; what came behind it in the same chunk is little. */
  reset(): void {
    this.#bytes = 0;
    this.#lastCharacter = '';
  }

  /** A chunk without an event; its text, if it is one of a stream. */
  add(bytes: number, text: string): void {
    this.#bytes += bytes + this.#linesIn(text) * LINE_BYTES;
    if (this.#bytes > this.#limit) throw new MessageTooLong();
  }

  /** A message that is about to be parsed. */
  charge(json: string): void {
    if (json.length > LONG_MESSAGE && json.length + countJsonValues(json) * VALUE_BYTES > this.#limit)
      throw new MessageTooLong();
  }

  /** Lines that begin here and that a parser keeps or looks into; blank ones and comments are gone at once. */
  #linesIn(text: string): number {
    let lines = 0;
    for (const character of text) {
      if (isLineEnd(this.#lastCharacter) && !isLineEnd(character) && character !== ':') lines += 1;
      this.#lastCharacter = character;
    }
    return lines;
  }
}

function isLineEnd(character: string): boolean {
  return character === '\n' || character === '\r';
}
