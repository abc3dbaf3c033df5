import { listOf } from '../../util/to-json.js';
import { DEFAULT_MAX_FILE_BYTES } from '../map-content-result.js';
import type { ExecuteOptions } from '../tool-source.js';
import { bytesOf } from '../../util/bytes.js';

/**
 * The result of a function that returns it bit by bit. Generators, as the AI SDK has them, yield preliminary results, and
 * the last one counts; a stream of bytes or texts is one result in pieces, and is put together. Each is a sign of life.
 */
export async function readResult(pending: unknown, options: ExecuteOptions): Promise<unknown> {
  // Also behind a promise: an `async` function that returns a generator it was given.
  const returned = valuesOf(pending) === undefined ? await pending : pending;
  const values = valuesOf(returned);
  if (values !== undefined) return isStream(returned) ? readStream(values, options) : lastValue(values, options);
  return isGenerator(returned) ? listOf(returned) : returned;
}

function valuesOf(value: unknown): AsyncIterable<unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Symbol.asyncIterator in value && typeof value[Symbol.asyncIterator] === 'function') {
    return value as AsyncIterable<unknown>;
  }
  return value instanceof ReadableStream ? chunksOf(value) : undefined;
}

/** Not every browser can iterate over a stream. */
async function* chunksOf(stream: ReadableStream): AsyncGenerator {
  const reader = stream.getReader();
  let isDone = false;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (done) return;
      yield value;
    }
  } finally {
    if (!isDone) await reader.cancel();
    reader.releaseLock();
  }
}

/** The web's, and Node's. */
function isStream(value: unknown): boolean {
  return value instanceof ReadableStream || (typeof value === 'object' && value !== null && 'pipe' in value);
}

/** Read once, so it is read before anybody else does. */
function isGenerator(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value && 'next' in value;
}

async function lastValue(values: AsyncIterable<unknown>, options: ExecuteOptions): Promise<unknown> {
  let last: unknown;
  let count = 0;
  for await (const value of values) {
    if (options.signal.aborted) break;
    last = value;
    count += 1;
    options.onProgress?.({ progress: count });
  }
  return last;
}

async function readStream(values: AsyncIterable<unknown>, options: ExecuteOptions): Promise<unknown> {
  const pieces: unknown[] = [];
  let size = 0;
  for await (const value of values) {
    if (options.signal.aborted) break;
    size += sizeOf(value);
    // Leaving the loop cancels the stream.
    if (size > DEFAULT_MAX_FILE_BYTES)
      return `[a stream of more than ${DEFAULT_MAX_FILE_BYTES / 1_000_000} MB, left out]`;
    pieces.push(value);
    options.onProgress?.({ progress: pieces.length });
  }
  if (pieces.length === 0) return undefined;
  if (pieces.every((piece) => typeof piece === 'string')) return pieces.join('');
  const bytes = pieces.map(bytesOf).filter((piece) => piece !== undefined);
  return bytes.length === pieces.length ? join(bytes, size) : pieces.at(-1);
}

function sizeOf(piece: unknown): number {
  return typeof piece === 'string' ? piece.length : (bytesOf(piece)?.length ?? 0);
}

function join(pieces: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
