import { everyByte, randomCuts, type Rechunk } from 'responses-loop/testing';
import type { Cut } from './scenario.js';

/** The server says how its answer is to be cut. */
const CUT_HEADER = 'x-chaos-cut';

export function cutHeader(cut: Cut): Record<string, string> {
  return { [CUT_HEADER]: JSON.stringify(cut) };
}

/**
 * The platform's `fetch`, whose answers arrive in the pieces that their header asks for: on loopback the kernel would join
 * what the server wrote apart. Nothing is read before it is wanted.
 */
export const cuttingFetch: typeof globalThis.fetch = async (input, init) => {
  const response = await globalThis.fetch(input, init);
  const header = response.headers.get(CUT_HEADER);
  if (header === null || response.body === null) return response;
  const cut = JSON.parse(header) as Cut;
  if (cut.how === 'whole' || cut.how === 'events') return response;
  const { status, statusText, headers } = response;
  return new Response(recut(response.body, rechunkOf(cut)), { status, statusText, headers });
};

function recut(body: ReadableStream<Uint8Array>, rechunk: Rechunk): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pieces: Uint8Array[] = [];
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        if (pieces.length === 0) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          pieces.push(...rechunk(value).filter((piece) => piece.length > 0));
        }
        const piece = pieces.shift();
        if (piece !== undefined) controller.enqueue(piece);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

export function otherCut(cut: Cut): Cut {
  return cut.how === 'random' ? { how: 'utf8', seed: cut.seed } : { how: 'random', seed: cut.seed + 1 };
}

const CUTS: { readonly [K in Exclude<Cut['how'], 'random'>]: Rechunk } = {
  whole: (bytes) => [bytes],
  events: (bytes) => [bytes],
  byte: everyByte,
  utf8: insideCharacters,
};

function rechunkOf(cut: Cut): Rechunk {
  return cut.how === 'random' ? randomCuts({ seed: cut.seed, maxBytes: 300 }) : CUTS[cut.how];
}

/** A cut before every byte that continues a character. */
function insideCharacters(bytes: Uint8Array): readonly Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let from = 0;
  bytes.forEach((byte, at) => {
    if ((byte & 0xc0) !== 0x80) return;
    chunks.push(bytes.subarray(from, at));
    from = at;
  });
  return [...chunks, bytes.subarray(from)];
}
