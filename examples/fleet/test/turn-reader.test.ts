import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { TurnReader } from '../turn-reader.js';

const PAUSE_MS = 200;

/** An answer that is silent, says something or nothing, and breaks. */
function broken(...texts: string[]): () => Response {
  const encoder = new TextEncoder();
  // Nothing is read ahead.
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await sleep(PAUSE_MS);
        const text = texts.shift();
        if (text === undefined) controller.error(new Error('The instance died.'));
        else controller.enqueue(encoder.encode(text));
      },
    },
    { highWaterMark: 0 },
  );
  return () => new Response(body);
}

async function readAll(...answers: readonly (() => Response)[]): Promise<TurnReader> {
  const reader = new TurnReader();
  for (const answer of answers) for await (const _ of reader.read(answer()));
  return reader;
}

describe('the silence of a turn', () => {
  test('is counted per instance, if several die one after the other', async () => {
    const reader = await readAll(broken('id: 1\ndata: {}\n\n'), broken(), broken(), broken('id: 2\ndata: {}\n\n'));
    expect(reader.silenceMs).toBeGreaterThan(PAUSE_MS * 0.9);
    expect(reader.silenceMs).toBeLessThan(PAUSE_MS * 2);
  });

  test('is that of one connection, if it broke once', async () => {
    const reader = await readAll(broken('id: 1\ndata: {}\n\n'), broken('id: 2\ndata: {}\n\n'));
    expect(reader.silenceMs).toBeGreaterThan(PAUSE_MS * 1.8);
  });
});
