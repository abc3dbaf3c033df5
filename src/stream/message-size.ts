/** What came since the last event is more than one message may have. */
export class MessageTooLong extends Error {}

/** What a line costs beside its bytes: each piece of an event that comes in many is kept as a text of its own. */
const LINE_BYTES = 64;
/** Lines that a parser keeps or looks into; blank ones and comments are gone at once. */
const LINE_STARTS = /[\r\n][^\r\n:]/g;
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
    const lines = text === '' ? 0 : ((this.#lastCharacter + text).match(LINE_STARTS)?.length ?? 0);
    this.#bytes += bytes + lines * LINE_BYTES;
    this.#lastCharacter = text.at(-1) ?? this.#lastCharacter;
    if (this.#bytes > this.#limit) throw new MessageTooLong();
  }
}
