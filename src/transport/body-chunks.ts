import { bytesOf } from '../util/bytes.js';
import { abortError, raceAbort } from '../util/abort.js';
import { withTimeout } from '../util/timeout.js';

export interface BodyChunksOptions {
  readonly signal: AbortSignal;
  /** Longest silence between two chunks, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  readonly onIdle: () => Error;
  /** A chunk that is neither bytes nor text. */
  readonly onOddChunk: (what: string) => Error;
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
      const bytes = toBytes(next.value);
      if (bytes === undefined) throw options.onOddChunk(describeChunk(next.value));
      yield bytes;
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

/** Ends a body that nobody has begun to read. */
export function cancelBody(response: Response): void {
  readerOf(response).cancel();
}

interface ChunkReader {
  read(): Promise<{ readonly done: true } | { readonly done: false; readonly value: unknown }>;
  cancel(): void;
}

function readerOf(response: Response): ChunkReader {
  const body: unknown = response.body;
  if (isReadableStream(body)) return streamReader(body);
  if (isAsyncIterable(body)) return iteratorReader(body[Symbol.asyncIterator]());
  return textReader(response);
}

function streamReader(body: ReadableStream<unknown>): ChunkReader {
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
      return next.done === true ? { done: true } : { done: false, value: next.value };
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

function describeChunk(value: unknown): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

function isReadableStream(body: unknown): body is ReadableStream<unknown> {
  return typeof body === 'object' && body !== null && 'getReader' in body;
}

function isAsyncIterable(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}
