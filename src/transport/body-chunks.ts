import { abortError, raceAbort } from '../util/abort.js';
import { withTimeout } from '../util/timeout.js';

export interface BodyChunksOptions {
  readonly signal: AbortSignal;
  /** Longest silence between two chunks, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  readonly onIdle: () => Error;
  /** Ends the request itself: an iterator that waits for its next chunk cannot be told to stop. */
  readonly giveUp: () => void;
}

/**
 * The bytes of a response, from whatever kind of body the platform's `fetch` gave: a web stream, an async iterable
 * (Tauri, Node shims), or none at all (React Native), then the whole text at once.
 */
export async function* bodyChunks(
  response: Response,
  options: BodyChunksOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = readerOf(response);
  let finished = false;
  try {
    for (;;) {
      if (options.signal.aborted) throw abortError(options.signal);
      const next = await withTimeout(raceAbort(reader.read(), options.signal), options.idleMs, options.onIdle);
      if (next.done) {
        finished = true;
        return;
      }
      yield next.value;
    }
  } catch (error) {
    finished = true;
    reader.cancel();
    options.giveUp();
    throw error;
  } finally {
    // Not awaited: nobody is waiting for the rest any more.
    if (!finished) void leave(reader, options);
  }
}

/** How long the end of a body may take once nobody needs it, in milliseconds, and in how many chunks it may come. */
const LINGER_MS = 250;
const LINGER_CHUNKS = 16;

/** A connection can serve the next round only if its body was read to the end, which is mostly a moment away. */
async function leave(reader: ChunkReader, { signal, giveUp }: BodyChunksOptions): Promise<void> {
  const drain = async (): Promise<void> => {
    for (let chunks = 0; chunks < LINGER_CHUNKS; chunks += 1) if ((await reader.read()).done) return;
    throw new Error('The body goes on.');
  };
  try {
    await withTimeout(raceAbort(drain(), signal), LINGER_MS, () => new Error('The body goes on.'));
  } catch {
    reader.cancel();
    giveUp();
  }
}

interface ChunkReader {
  read(): Promise<{ readonly done: true } | { readonly done: false; readonly value: Uint8Array }>;
  cancel(): void;
}

function readerOf(response: Response): ChunkReader {
  const body: unknown = response.body;
  if (isReadableStream(body)) return streamReader(body);
  if (isAsyncIterable(body)) return iteratorReader(body[Symbol.asyncIterator]());
  return textReader(response);
}

function streamReader(body: ReadableStream<Uint8Array>): ChunkReader {
  const reader = body.getReader();
  return {
    async read() {
      const next = await reader.read();
      return next.done ? { done: true } : { done: false, value: next.value };
    },
    cancel() {
      reader.cancel().catch(() => {});
    },
  };
}

function iteratorReader(iterator: AsyncIterator<unknown>): ChunkReader {
  return {
    async read() {
      const next = await iterator.next();
      return next.done === true ? { done: true } : { done: false, value: toBytes(next.value) };
    },
    cancel() {
      Promise.resolve(iterator.return?.()).catch(() => {});
    },
  };
}

function textReader(response: Response): ChunkReader {
  let done = false;
  return {
    async read() {
      if (done) return { done: true };
      done = true;
      return { done: false, value: toBytes(await response.text()) };
    },
    cancel() {},
  };
}

function toBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  return new TextEncoder().encode(typeof value === 'string' ? value : '');
}

function isReadableStream(body: unknown): body is ReadableStream<Uint8Array> {
  return typeof body === 'object' && body !== null && 'getReader' in body;
}

function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
