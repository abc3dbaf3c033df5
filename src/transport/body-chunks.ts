import type { PushStream, OnValue } from '../core/push-stream.js';
import { bytesOf } from '../util/bytes.js';
import { abortError, type AbortLike } from '../util/abort.js';
import { drainWithin, SilenceTimer } from '../util/timers.js';
import { ignoreErrors } from '../util/error-text.js';

export interface ReadingOptions {
  readonly signal: AbortLike;
  /** Longest silence between two chunks, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  /** The request's silence timer, stopped at the end of the body. @default a new one */
  readonly silence?: SilenceTimer;
  readonly onIdle: () => Error;
  /** Ends the request itself: an iterator that waits for its next chunk cannot be stopped. */
  readonly giveUp: () => void;
  /** Called once, at any end of the body. */
  readonly onEnd?: () => void;
}

export interface BodyChunksOptions extends ReadingOptions {
  /** A chunk that is neither bytes nor text. */
  readonly onOddChunk: (what: string) => Error;
}

/**
 * The bytes of a response, from any body of the platform's `fetch`: a web stream, an async iterable (Tauri, Node
 * shims), or no body (React Native), then the whole text at once.
 */
export function bodyChunks(response: Response, options: BodyChunksOptions): PushStream<Uint8Array> {
  return readChunks(readerOf(response), (value) => toBytes(value, options), options);
}

/** Reads chunks, each converted by `decode`. */
export function readChunks<T>(
  reader: ChunkReader,
  decode: (value: unknown) => T,
  options: ReadingOptions,
): PushStream<T> {
  return new Reading(reader, decode, options).read;
}

/** How long the end of a body may take after the round, in milliseconds. */
const REST_MS = 250;

/** Uses one listener, one timer and one promise, because new ones for each chunk cost more than parsing. */
class Reading<T> {
  readonly #reader: ChunkReader;
  readonly #decode: (value: unknown) => T;
  readonly #options: ReadingOptions;
  readonly #silence: SilenceTimer;
  #isOver = false;
  #failure: unknown;
  #take: OnValue<T> = () => false;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(reader: ChunkReader, decode: (value: unknown) => T, options: ReadingOptions) {
    this.#reader = reader;
    this.#decode = decode;
    this.#options = options;
    this.#silence = options.silence ?? new SilenceTimer();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly read: PushStream<T> = (take) =>
    new Promise((resolve, reject) => {
      this.#take = take;
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#options.signal.aborted) this.#onAbort();
      if (this.#isOver) reject(this.#failure);
      else this.#readNext();
    });

  readonly #readNext = (): void => {
    // The consumer of the previous chunk may have ended it.
    if (this.#isOver) return;
    this.#silence.begin(this.#options.idleMs, this.#onIdle);
    this.#reader.read().then(this.#onRead, this.#fail);
  };

  readonly #onRead = ({ done, value }: IteratorResult<unknown>): void => {
    if (this.#isOver) return;
    this.#silence.end();
    if (done === true) return this.#finish();
    try {
      const wanted = this.#take(this.#decode(value));
      if (wanted === true) this.#readNext();
      else if (wanted === false) void this.#drain();
      else wanted.then(this.#readNext, this.#refuse);
    } catch (error) {
      this.#refuse(error);
    }
  };

  readonly #refuse = (error: unknown): void => {
    this.#reject(error);
    void this.#drain();
  };

  readonly #onIdle = (): void => this.#fail(this.#options.onIdle());

  readonly #onAbort = (): void => this.#fail(abortError(this.#options.signal));

  readonly #fail = (error: unknown): void => {
    if (this.#isOver) return;
    this.#failure = error;
    this.#reject(error);
    this.#finish();
    this.#giveUp();
  };

  /** Stops reading and drains the rest, so that the connection can serve the next round. */
  async #drain(): Promise<void> {
    if (this.#isOver) return;
    this.#finish();
    if (!(await drainWithin(REST_MS, () => this.#reader.read(), this.#options.signal))) this.#giveUp();
  }

  #giveUp(): void {
    cancel(this.#reader);
    this.#options.giveUp();
  }

  #finish(): void {
    this.#isOver = true;
    this.#silence.stop();
    this.#options.signal.removeEventListener('abort', this.#onAbort);
    this.#options.onEnd?.();
    this.#resolve();
  }
}

/** Ends a body that was never read. */
export function cancelBody(response: Response): void {
  cancel(readerOf(response));
}

/** Custom bodies can fail in any way. */
function cancel(reader: ChunkReader): void {
  ignoreErrors(() => reader.cancel());
}

interface ChunkReader {
  read(): PromiseLike<IteratorResult<unknown>>;
  cancel(): unknown;
}

function readerOf(response: Response): ChunkReader {
  const body: unknown = response.body;
  if (typeof body !== 'object' || body === null) return iteratorReader(wholeText(response));
  if ('getReader' in body) return (body as ReadableStream<unknown>).getReader();
  return iteratorReader(Symbol.asyncIterator in body ? (body as AsyncIterable<unknown>) : wholeText(response));
}

function iteratorReader(body: AsyncIterable<unknown>): ChunkReader {
  const iterator = body[Symbol.asyncIterator]();
  return { read: async () => iterator.next(), cancel: () => iterator.return?.() };
}

async function* wholeText(response: Response): AsyncGenerator<string> {
  yield await response.text();
}

/** Bytes have many forms: as buffers, as plain numbers (Tauri), as text (React Native). */
function toBytes(value: unknown, { onOddChunk }: BodyChunksOptions): Uint8Array {
  if (value instanceof Uint8Array) return value;
  if (typeof value === 'string') return new TextEncoder().encode(value);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes;
  if (Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255))
    return Uint8Array.from(value as number[]);
  throw onOddChunk(Object.prototype.toString.call(value).slice('[object '.length, -1));
}
