import { DEFAULT_LIMITS, type Limits } from '../core/limits.js';
import { checkMessageDepth, type DecodedEvent, decodeEvent } from './decode-event.js';
import { createSseDecoder } from './decode-sse.js';
import { eventsOfResponse } from './events-of-response.js';
import { MessageSize } from './message-size.js';

/** What a response body turned out to be. */
export type BodyKind = 'sse' | 'json' | 'html';

export interface BodyDecoder {
  /** Throws `MessageTooLong` where what came since the last event is more than a message may have. */
  feed(bytes: Uint8Array): void;
  end(): void;
  /** Known from the first byte that is not blank. */
  readonly kind: BodyKind | undefined;
  /** The first characters, for error messages. */
  readonly preview: string;
  /** Messages that were not JSON. */
  readonly brokenMessages: number;
  /** Whether anything but white space came. */
  readonly sawMessage: boolean;
  /** How many events there were. */
  readonly events: number;
  /** Nothing that may still come is needed: it is a page, and its beginning is known. */
  readonly isEnough: boolean;
}

const PREVIEW_LENGTH = 200;

type DecoderLimits = Pick<Limits, 'messageBytes' | 'jsonDepth'>;
const NO_LIMIT: DecoderLimits = { ...DEFAULT_LIMITS, messageBytes: Number.POSITIVE_INFINITY };

/**
 * Bytes in, events out, in one synchronous pass. It looks at the body itself, not at its content type: servers stream
 * when asked not to, answer JSON when asked to stream, and label either wrongly.
 */
export function createBodyDecoder(
  onEvent: (event: DecodedEvent) => void,
  /** Told where a message of a stream is not JSON, in its place among the events. */
  onBroken: () => void = () => {},
  limits: DecoderLimits = NO_LIMIT,
): BodyDecoder {
  return new Decoder(onEvent, onBroken, limits);
}

class Decoder implements BodyDecoder {
  kind: BodyKind | undefined;
  preview = '';
  brokenMessages = 0;
  sawMessage = false;
  events = 0;
  readonly #onEvent: (event: DecodedEvent) => void;
  readonly #onBroken: () => void;
  readonly #size: MessageSize;
  readonly #jsonDepth: number;
  readonly #utf8 = new TextDecoder();
  readonly #sse = createSseDecoder((message) => {
    this.#size.charge(message.data);
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
  });
  #whole = '';

  constructor(onEvent: (event: DecodedEvent) => void, onBroken: () => void, limits: DecoderLimits) {
    this.#onEvent = onEvent;
    this.#onBroken = onBroken;
    this.#size = new MessageSize(limits.messageBytes);
    this.#jsonDepth = limits.jsonDepth;
  }

  get isEnough(): boolean {
    return this.kind === 'html' && this.preview.length >= PREVIEW_LENGTH;
  }

  feed(bytes: Uint8Array): void {
    const piece = this.#size.longestPiece;
    if (bytes.length <= piece) return this.#feed(bytes);
    // A stream that comes in one piece may be longer than any message in it.
    for (let at = 0; at < bytes.length; at += piece) this.#feed(bytes.subarray(at, at + piece));
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
    // Gateways pad a slow answer with blanks; they say nothing about what it will be.
    if (this.preview.length < PREVIEW_LENGTH) this.preview = (this.preview + text).trimStart().slice(0, PREVIEW_LENGTH);
    this.kind ??= kindOf(this.preview);
    if (this.kind === 'sse') this.#feedSse(text);
    else if (this.kind !== 'html') this.#whole += text;
  }

  /** Blank text before the kind was known is part of the stream too. */
  #feedSse(text: string): void {
    if (this.#whole !== '') {
      this.#sse.feed(this.#whole);
      this.#whole = '';
    }
    this.#sse.feed(text);
  }

  #readWhole(): void {
    this.#size.charge(this.#whole);
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
