import { clean } from '../../../core/clean-text.js';
import { limitReached } from '../../../errors/limit-reached.js';
import type { FetchLike } from './guard-fetch.js';

/** Bytes read of an error body; more than any error shows. */
const MAX_FAILURE_BYTES = 64_000;

const LF = 10;
const CR = 13;

interface BodyLimit {
  readonly maxBytes: number;
  /** Called before the body fails, because clients of event streams lose the error. */
  readonly onLimit: (error: Error) => void;
}

/** Fails a body with more bytes, decompressed, than a message may have; each event of a stream counts alone. */
export function limitBodies(fetch: FetchLike, { maxBytes, onLimit }: BodyLimit): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { body, status, statusText, headers, ok } = response;
    // Bodies of unusual runtimes are no streams and are already in memory.
    if (typeof body?.pipeThrough !== 'function') return response;
    const isStream = headers.get('content-type')?.toLowerCase().startsWith('text/event-stream') === true;
    const size = isStream && ok ? eventSize() : bodySize();
    const limited = body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          const most = size(chunk);
          if (most <= maxBytes) controller.enqueue(chunk);
          if (!ok && most > MAX_FAILURE_BYTES) return controller.terminate();
          if (most <= maxBytes) return;
          const what = clean`The answer of the MCP server has ${isStream ? 'an event of ' : ''}more than ${maxBytes} bytes`;
          const error = limitReached(what, { name: 'limits.messageBytes', value: maxBytes });
          onLimit(error);
          controller.error(error);
        },
      }),
    );
    return new Response(limited, { status, statusText, headers });
  };
}

function bodySize(): (chunk: Uint8Array) => number {
  let size = 0;
  return (chunk) => (size += chunk.length);
}

/** Returns the size of the longest event that ends or continues in a chunk; an empty line ends an event. */
function eventSize(): (chunk: Uint8Array) => number {
  let size = 0;
  let isLineEmpty = true;
  let before = 0;
  return (chunk) => {
    let most = 0;
    for (const byte of chunk) {
      size += 1;
      const isLineEnd = byte === LF || byte === CR;
      // CR LF is one end of a line.
      if (isLineEnd && !(byte === LF && before === CR)) {
        if (isLineEmpty) {
          most = Math.max(most, size);
          size = 0;
        }
        isLineEmpty = true;
      } else if (!isLineEnd) isLineEmpty = false;
      before = byte;
    }
    return Math.max(most, size);
  };
}
