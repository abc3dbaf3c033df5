import { DEFAULT_LIMITS, type Limits } from '../core/limits.js';
import { countJsonValues } from '../util/json.js';
import {
  checkMessageDepth,
  createSseDecoder,
  type DecodedEvent,
  decodeEvent,
  type SseMessage,
} from './decode-event.js';
import { eventsOfResponse } from './events-of-response.js';

/** The bytes since the last event exceed the limit of one message. */
export class MessageTooLong extends Error {}

/** The cost of a line in addition to its bytes, because each piece of an event is kept as a string. */
const LINE_BYTES = 64;
/**
 * The cost of a JSON value in addition to its characters: `{},` has three of them and needs about ninety bytes. The
 * charge is lower, because good answers have many short values too (token probabilities).
 */
const VALUE_BYTES = 16;
/** A shorter message is cheap, whatever its content. */
const LONG_MESSAGE = 1_000_000;
/** A long chunk is read in pieces of this many bytes or less, because it may contain the end of a message and more. */
const LONGEST_PIECE = 65_536;
const PIECES_OF_LIMIT = 16;

/**
 * Counts the bytes of a body since its last event. This catches an endless line, event, page or padding, and never a
 * valid stream.
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

  /** Starts anew after an event; the rest of its chunk is small enough to ignore. */
  reset(): void {
    this.#bytes = 0;
    this.#lastCharacter = '';
  }

  /** Adds a chunk without an event. `text` is empty unless the body is a stream. */
  add(bytes: number, text: string): void {
    this.#bytes += bytes + this.#linesIn(text) * LINE_BYTES;
    if (this.#bytes > this.#limit) throw new MessageTooLong();
  }

  /** Checks a message that arrived whole. */
  checkWhole({ length }: string): void {
    if (length > this.#limit) throw new MessageTooLong();
  }

  /** Checks a long message before it is parsed. */
  charge(json: string): void {
    if (json.length + countJsonValues(json) * VALUE_BYTES > this.#limit) throw new MessageTooLong();
  }

  /** Counts the lines that a parser keeps or reads; it drops blank lines and comments at once. */
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

/** The kind of a response body. */
export type BodyKind = 'sse' | 'json' | 'html';

const PREVIEW_LENGTH = 200;

type DecoderLimits = Pick<Limits, 'messageBytes' | 'jsonDepth'>;
const NO_LIMIT: DecoderLimits = { ...DEFAULT_LIMITS, messageBytes: Number.POSITIVE_INFINITY };

/**
 * Bytes in, events out, in one synchronous pass. It looks at the body itself, not at its content type: servers stream
 * when asked not to, answer JSON when asked to stream, and label either wrongly.
 */
export class BodyDecoder {
  /** Known from the first byte that is not blank. */
  kind: BodyKind | undefined;
  /** The first characters, for error messages. */
  preview = '';
  /** Messages that were not JSON. */
  brokenMessages = 0;
  /** Whether the body contained anything but white space. */
  sawMessage = false;
  /** The number of events. */
  events = 0;
  readonly #onEvent: (event: DecodedEvent) => void;
  readonly #onBroken: () => void;
  readonly #size: MessageSize;
  readonly #jsonDepth: number;
  readonly #utf8 = new TextDecoder();
  readonly #sse = createSseDecoder((message) => this.#read(message));
  #whole = '';

  /** `onBroken` is called in order for each message of a stream that is not JSON. */
  constructor(
    onEvent: (event: DecodedEvent) => void,
    onBroken: () => void = () => {},
    limits: DecoderLimits = NO_LIMIT,
  ) {
    this.#onEvent = onEvent;
    this.#onBroken = onBroken;
    this.#size = new MessageSize(limits.messageBytes);
    this.#jsonDepth = limits.jsonDepth;
  }

  /** Whether the reader can stop, because the body is a page and its beginning is known. */
  get isEnough(): boolean {
    return this.kind === 'html' && this.preview.length >= PREVIEW_LENGTH;
  }

  /**
   * Throws `MessageTooLong` if the bytes since the last event exceed the limit. A list contains messages that arrived
   * one by one.
   */
  feed(bytes: Uint8Array | readonly string[]): void {
    if (!(bytes instanceof Uint8Array)) return this.#readAll(bytes);
    const piece = this.#size.longestPiece;
    if (bytes.length <= piece) return this.#feed(bytes);
    // A stream that arrives in one piece may be longer than any message in it.
    for (let at = 0; at < bytes.length; at += piece) this.#feed(bytes.subarray(at, at + piece));
  }

  #readAll(messages: readonly string[]): void {
    this.kind = 'sse';
    for (const data of messages) {
      if (this.preview === '') this.preview = data.slice(0, PREVIEW_LENGTH);
      this.#size.checkWhole(data);
      this.#read({ data });
    }
  }

  #read(message: SseMessage): void {
    if (message.data.length > LONG_MESSAGE) this.#size.charge(message.data);
    const event = decodeEvent(message, this.#jsonDepth);
    if (event === undefined) return;
    if (event === 'broken') {
      this.brokenMessages += 1;
      this.#onBroken();
    } else {
      this.sawMessage = true;
      this.events += 1;
      this.#onEvent(event);
    }
  }

  #feed(bytes: Uint8Array): void {
    const before = this.events;
    const text = this.#utf8.decode(bytes, { stream: true });
    this.#take(text);
    if (this.events > before) this.#size.reset();
    else this.#size.add(bytes.length, this.kind === 'sse' ? text : '');
  }

  end(): void {
    this.#take(this.#utf8.decode());
    if (this.kind === 'sse') this.#sse.end();
    if (this.kind === 'json') this.#readWhole();
  }

  #take(text: string): void {
    if (text === '') return;
    // Gateways pad a slow answer with blanks, which do not tell its kind.
    if (this.preview.length < PREVIEW_LENGTH) this.preview = (this.preview + text).trimStart().slice(0, PREVIEW_LENGTH);
    this.kind ??= kindOf(this.preview);
    if (this.kind === 'html') return;
    if (this.kind !== 'sse') {
      this.#whole += text;
      return;
    }
    // Blank text before the kind was known is part of the stream too.
    if (this.#whole !== '') this.#sse.feed(this.#whole);
    this.#whole = '';
    this.#sse.feed(text);
  }

  #readWhole(): void {
    if (this.#whole.length > LONG_MESSAGE) this.#size.charge(this.#whole);
    let body: unknown;
    try {
      body = JSON.parse(this.#whole);
    } catch {
      this.brokenMessages += 1;
      return;
    }
    checkMessageDepth(body, this.#whole, this.#jsonDepth);
    for (const event of eventsOfResponse(body)) {
      this.sawMessage = true;
      this.#onEvent(event);
    }
  }
}

function kindOf(preview: string): BodyKind | undefined {
  const start = preview[0];
  if (start === undefined) return undefined;
  if (start === '<') return 'html';
  return start === '{' || start === '[' ? 'json' : 'sse';
}
