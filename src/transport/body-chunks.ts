import type { PushStream, OnValue } from '../core/push-stream.js';
import { bytesOf } from '../util/bytes.js';
import { abortError, type AbortLike } from '../util/abort.js';
import { drainWithin, SilenceTimer } from '../util/timers.js';
import { ignoreErrors } from '../util/error-text.js';

export interface BodyChunksOptions {
  readonly signal: AbortLike;
  /** Longest silence between two chunks, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  /** Of the request: stopped at the end of the body. Default: one of its own. */
  readonly silence?: SilenceTimer;
  readonly onIdle: () => Error;
  /** A chunk that is neither bytes nor text. */
  readonly onOddChunk: (what: string) => Error;
  /** Ends the request itself: an iterator that waits for its next chunk cannot be stopped. */
  readonly giveUp: () => void;
  /** Called once, when the body is over, whichever way. */
  readonly onEnd?: () => void;
}

/**
 * The bytes of a response, from whatever kind of body the platform's `fetch` gave: a web stream, an async iterable
 * (Tauri, Node shims), or none at all (React Native), then the whole text at once.
 */
export function bodyChunks(response: Response, options: BodyChunksOptions): PushStream<Uint8Array> {
  return new Body(readerOf(response), options).read;
}

/** How long the end of a body may take once the round is over, in milliseconds. */
const REST_MS = 250;

/** With one listener, one timer and one promise for all of it: new ones for each chunk cost more than parsing it. */
class Body {
  readonly #reader: ChunkReader;
  readonly #options: BodyChunksOptions;
  readonly #silence: SilenceTimer;
  #isOver = false;
  #failure: unknown;
  #take: OnValue<Uint8Array> = () => false;
  #resolve: () => void = () => {};
  #reject: (error: unknown) => void = () => {};

  constructor(reader: ChunkReader, options: BodyChunksOptions) {
    this.#reader = reader;
    this.#options = options;
    this.#silence = options.silence ?? new SilenceTimer();
    options.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  readonly read: PushStream<Uint8Array> = (take) =>
    new Promise((resolve, reject) => {
      this.#take = take;
      this.#resolve = resolve;
      this.#reject = reject;
      if (this.#options.signal.aborted) this.#onAbort();
      if (this.#isOver) reject(this.#failure);
      else this.#read();
    });

  #read(): void {
    // Whoever took the chunk before may have ended it.
    if (this.#isOver) return;
    this.#silence.begin(this.#options.idleMs, this.#onIdle);
    this.#reader.read().then(this.#onRead, this.#onFailure);
  }

  readonly #onRead = ({ done, value }: IteratorResult<unknown>): void => {
    if (this.#isOver) return;
    this.#silence.end();
    if (done === true) return this.#finish();
    const bytes = value instanceof Uint8Array ? value : toBytes(value);
    if (bytes === undefined)
      return this.#fail(this.#options.onOddChunk(Object.prototype.toString.call(value).slice('[object '.length, -1)));
    try {
      const wanted = this.#take(bytes);
      if (wanted === true) this.#read();
      else if (wanted === false) void this.#drain();
      else wanted.then(this.#onWanted, this.#onRefused);
    } catch (error) {
      this.#onRefused(error);
    }
  };

  readonly #onWanted = (): void => this.#read();

  readonly #onRefused = (error: unknown): void => {
    this.#reject(error);
    void this.#drain();
  };

  readonly #onIdle = (): void => this.#fail(this.#options.onIdle());

  readonly #onFailure = (error: unknown): void => this.#fail(error);

  readonly #onAbort = (): void => this.#fail(abortError(this.#options.signal));

  #fail(error: unknown): void {
    if (this.#isOver) return;
    this.#failure = error;
    this.#reject(error);
    this.#finish();
    this.#reader.cancel();
    this.#options.giveUp();
  }

  /** Stop reading; what is left is drained in the background, so that the connection can serve the next round. */
  async #drain(): Promise<void> {
    if (this.#isOver) return;
    this.#finish();
    const { signal, giveUp } = this.#options;
    if (await drainWithin(REST_MS, () => this.#reader.read(), signal)) return;
    this.#reader.cancel();
    giveUp();
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
  readerOf(response).cancel();
}

interface ChunkReader {
  read(): PromiseLike<IteratorResult<unknown>>;
  cancel(): void;
}

function readerOf(response: Response): ChunkReader {
  const body: unknown = response.body;
  if (typeof body === 'object' && body !== null && 'getReader' in body)
    return streamReader(body as ReadableStream<unknown>);
  if (isAsyncIterable(body)) return iteratorReader(body[Symbol.asyncIterator]());
  return textReader(response);
}

function streamReader(body: ReadableStream<unknown>): ChunkReader {
  const reader = body.getReader();
  return {
    read: () => reader.read(),
    // Bodies made by hand fail in every way.
    cancel: () => ignoreErrors(() => reader.cancel()),
  };
}

function iteratorReader(iterator: AsyncIterator<unknown>): ChunkReader {
  return {
    read: async () => iterator.next(),
    cancel: () => ignoreErrors(() => iterator.return?.()),
  };
}

function textReader(response: Response): ChunkReader {
  let done = false;
  return {
    async read() {
      if (done) return { done, value: undefined };
      done = true;
      return { done: false, value: await response.text() };
    },
    cancel() {},
  };
}

/** Bytes come in many shapes: as buffers, as plain numbers (Tauri), as text (React Native). */
function toBytes(value: unknown): Uint8Array | undefined {
  if (typeof value === 'string') return new TextEncoder().encode(value);
  const bytes = bytesOf(value);
  if (bytes !== undefined) return bytes;
  const isList = Array.isArray(value) && value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255);
  return isList ? Uint8Array.from(value as number[]) : undefined;
}

function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
