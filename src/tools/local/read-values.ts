import { listOf } from '../../util/to-json.js';
import type { ExecuteOptions } from '../tool-source.js';

/**
 * The result of a function that returns it bit by bit: generators, as the AI SDK has them, yield preliminary results, and
 * the last one counts. Each is a sign of life.
 */
export async function readResult(pending: unknown, options: ExecuteOptions): Promise<unknown> {
  // Also behind a promise: an `async` function that returns a generator it was given.
  const returned = isAsyncIterable(pending) ? pending : await pending;
  if (isStream(returned)) return returned;
  if (isAsyncIterable(returned)) return lastValue(returned, options);
  return isGenerator(returned) ? listOf(returned) : returned;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  if (typeof value !== 'object' || value === null || !(Symbol.asyncIterator in value)) return false;
  return typeof value[Symbol.asyncIterator] === 'function';
}

/** A stream of pieces, of the web or of Node: where one result ends in it is for the function to say. */
export function isStream(value: unknown): boolean {
  return value instanceof ReadableStream || (typeof value === 'object' && value !== null && 'pipe' in value);
}

/** A body can be read once, so it is read here, before other code does. */
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
