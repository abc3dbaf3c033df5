import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';

import type { CutInside, EndlessAnswer } from './scenario.js';
import { secretPlace } from '../secrets.js';

/** A server that goes on for ever is stopped by the test here. */
const MOST_BYTES = 10_000_000;

/** Bytes of one answer that were taken by the reader. */
export interface Meter {
  taken: number;
}

/** A body in pieces, counted as it is taken. */
export function bodyOf(pieces: readonly Uint8Array[], meter: Meter, ending: CutInside['ending'] = 'end'): BodyInit {
  let at = 0;
  return new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const piece = pieces[at];
        at += 1;
        if (piece !== undefined) {
          meter.taken += piece.length;
          controller.enqueue(piece);
        } else if (ending === 'reset') controller.error(new TypeError('terminated'));
        else controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

/** Ends inside the first secret, or anywhere if there is none. */
export function cutBody(text: string, cut: CutInside | undefined): string {
  if (cut === undefined) return text;
  const place = secretPlace(text);
  return place < 0 ? text.slice(0, Math.floor((text.length * cut.at) / 48)) : text.slice(0, place + cut.at);
}

const ENDLESS: {
  readonly [K in EndlessAnswer['of']]: { readonly type: string; readonly start: string; readonly more: string };
} = {
  html: { type: 'text/html', start: '<!doctype html><html><body>', more: '<p>w</p>' },
  json: { type: 'application/json', start: '{"id":"resp_1","output":[{"type":"message","text":"', more: 'a' },
  array: { type: 'application/json', start: '[', more: '[],' },
  line: { type: 'text/event-stream', start: 'data: {"type":"response.output_text.delta","delta":"', more: 'a' },
  'data-lines': { type: 'text/event-stream', start: 'data: x\n', more: 'data: x\n' },
  comments: { type: 'text/event-stream', start: ': keep-alive\n\n', more: ': keep-alive\n\n' },
  blanks: { type: 'application/json', start: ' ', more: ' \n' },
  'error-html': { type: 'text/html', start: '<html>', more: '<p>w</p>' },
  'error-json': { type: 'application/json', start: '{"error":{"message":"', more: 'a' },
};

/** Statuses of errors for those that are errors. */
export function endlessResponse(
  { of, chunkBytes }: EndlessAnswer,
  meter: Meter,
  signal: AbortSignal | undefined,
): Response {
  const { type, start, more } = ENDLESS[of];
  const first = Buffer.from(start);
  const chunk = Buffer.from(more.repeat(Math.ceil(chunkBytes / more.length)));
  let pulls = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        // Comments are sent to keep a connection open, now and then; and no network keeps timers from running.
        await (of === 'comments' ? sleep(10) : tick());
        if (signal?.aborted === true) return controller.error(signal.reason);
        const piece = pulls === 0 || of === 'comments' ? first : chunk;
        pulls += 1;
        meter.taken += piece.length;
        if (meter.taken > MOST_BYTES) return controller.error(new TypeError('the test has seen enough'));
        controller.enqueue(piece);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, { status: of.startsWith('error') ? 502 : 200, headers: { 'content-type': type } });
}

/** JSON that never closes, for readers that have no signal. */
export function endlessJson(): Response {
  return endlessResponse({ kind: 'endless', of: 'json', chunkBytes: 64_000 }, { taken: 0 }, undefined);
}
