import { describe, expect, it } from 'vitest';
import { readUntil } from '../../src/chat/read-until.js';

async function read(
  stream: ReadableStream<number>,
  signal: AbortSignal,
): Promise<{ read: number[]; isGivenUp: boolean }> {
  const found: number[] = [];
  let isGivenUp = false;
  const onGivenUp = (): void => {
    isGivenUp = true;
  };
  for await (const value of readUntil(stream, { signal, patienceMs: 5, onGivenUp })) found.push(value);
  return { read: found, isGivenUp };
}

const open = (...values: number[]): ReadableStream<number> =>
  new ReadableStream({ start: (controller) => values.forEach((value) => controller.enqueue(value)) });

describe('readUntil', () => {
  it('reads a stream to its end', async () => {
    const stream = new Blob(['x'])
      .stream()
      .pipeThrough(new TransformStream<Uint8Array, number>({ transform: (bytes, to) => to.enqueue(bytes.length) }));
    expect(await read(stream, new AbortController().signal)).toEqual({ read: [1], isGivenUp: false });
  });

  it('gives up a stream that does not end after the abort, before or while it is read', async () => {
    expect(await read(open(1, 2), AbortSignal.abort())).toEqual({ read: [1, 2], isGivenUp: true });
    const stop = new AbortController();
    const reading = read(open(1), stop.signal);
    stop.abort();
    expect(await reading).toEqual({ read: [1], isGivenUp: true });
  });
});
