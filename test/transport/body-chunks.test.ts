import vm from 'node:vm';
import { describe, expect, it, vi } from 'vitest';
import { bodyChunks } from '../../src/transport/body-chunks.js';
import { failureOf } from './support/open.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

interface FakeBody {
  readonly body: unknown;
  readonly text?: () => Promise<string>;
}

function chunksOf(fake: FakeBody, signal = new AbortController().signal): ReturnType<typeof bodyChunks> {
  return bodyChunks(fake as unknown as Response, {
    signal,
    idleMs: 0,
    onIdle: () => new Error('idle'),
    onOddChunk: (what) => new TypeError(`odd: ${what}`),
    giveUp: () => {},
  });
}

async function textOf(fake: FakeBody): Promise<string> {
  const parts: string[] = [];
  await chunksOf(fake)((chunk) => parts.push(new TextDecoder().decode(chunk)) > 0);
  return parts.join('|');
}

async function* iterate(...values: unknown[]): AsyncGenerator {
  yield* values;
}

const foreign = (source: string): unknown => vm.runInNewContext(source);

function streamOf(...values: unknown[]): ReadableStream {
  return new ReadableStream({
    start: (controller) => {
      for (const value of values) controller.enqueue(value);
      controller.close();
    },
  });
}

describe('the bodies platforms give', () => {
  it.each<[string, FakeBody, string]>([
    ['a web stream', { body: new Response('hello').body }, 'hello'],
    ['nothing but a reader', { body: { getReader: () => streamOf(bytes('hello')).getReader() } }, 'hello'],
    ['an async iterable of bytes (Node shims, Tauri)', { body: iterate(bytes('he'), bytes('llo')) }, 'he|llo'],
    ['an async iterable of texts', { body: iterate('he', 'llo') }, 'he|llo'],
    ['an async iterable of Node buffers', { body: iterate(Buffer.from('he'), Buffer.from('llo')) }, 'he|llo'],
    ['an async iterable of plain numbers (Tauri)', { body: iterate([104, 101], [108, 108, 111]) }, 'he|llo'],
    ['an async iterable of buffers', { body: iterate(bytes('hello').buffer) }, 'hello'],
    ['an async iterable of views', { body: iterate(new DataView(bytes('hello').buffer, 1, 3)) }, 'ell'],
    ['bytes of another realm', { body: iterate(foreign('new Uint8Array([104, 105])')) }, 'hi'],
    ['a buffer of another realm', { body: iterate(foreign('new Uint8Array([104, 105]).buffer')) }, 'hi'],
    ['a web stream of texts', { body: streamOf('he', 'llo') }, 'he|llo'],
    ['a web stream of buffers', { body: streamOf(bytes('hello').buffer) }, 'hello'],
    ['no body but a text (React Native)', { body: null, text: async () => 'hello' }, 'hello'],
    ['no body property at all', { body: undefined, text: async () => 'hello' }, 'hello'],
    ['an empty text', { body: null, text: async () => '' }, ''],
    ['an empty stream', { body: new Response('').body }, ''],
  ])('%s', async (_name, fake, expected) => {
    expect(await textOf(fake)).toBe(expected);
  });

  it.each<[string, unknown]>([
    ['Object', { data: 'hello' }],
    ['Undefined', undefined],
    ['Null', null],
    ['Number', 104],
    ['Array', [256]],
    ['Array', ['h']],
  ])('a chunk that is no bytes (%s) is refused, not taken for nothing: %j', async (what, chunk) => {
    const error = await failureOf(textOf({ body: iterate(bytes('a'), chunk) }));
    expect(error.message).toBe(`odd: ${what}`);
  });

  it('an error in the middle comes after what was there', async () => {
    const failure = new TypeError('terminated');
    const body = new ReadableStream(
      { pull: (controller) => controller.error(failure), start: (controller) => controller.enqueue(bytes('a')) },
      { highWaterMark: 0 },
    );
    const seen: string[] = [];
    const reading = chunksOf({ body })((chunk) => seen.push(new TextDecoder().decode(chunk)) > 0);
    expect(await failureOf(reading)).toBe(failure);
    expect(seen).toEqual(['a']);
  });
});

describe('a body nobody wants any more', () => {
  it('a web stream is cancelled, even if cancelling fails', async () => {
    let cancelled = false;
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(bytes('a')),
      cancel: () => {
        cancelled = true;
        throw new Error('cannot');
      },
    });
    await chunksOf({ body })(() => false);
    await vi.waitFor(() => expect(cancelled).toBe(true));
  });

  it('an async iterable is told to return, if it can', async () => {
    let returned = false;
    const body = (async function* (): AsyncGenerator<Uint8Array> {
      try {
        for (;;) yield bytes('a');
      } finally {
        returned = true;
      }
    })();
    await chunksOf({ body })(() => false);
    await vi.waitFor(() => expect(returned).toBe(true));
    const withoutReturn = {
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: false, value: bytes('a') }) }),
    };
    await chunksOf({ body: withoutReturn })(() => false);
  });

  it('a body that ends at once is read to its end, so that its connection can be used again', async () => {
    let cancelled = false;
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    const writer = writable.getWriter();
    void writer.write(bytes('a'));
    void writer.closed.catch(() => (cancelled = true));
    await chunksOf({ body: readable })(() => false);
    await writer.close();
    expect(cancelled).toBe(false);
  });

  it.each([1_000, 64_000])(
    'a rest of many bytes is given up, however quickly it comes (%i at a time)',
    async (size) => {
      let taken = 0;
      let cancelled = false;
      const body = new ReadableStream(
        {
          pull: (controller) => {
            taken += size;
            controller.enqueue(new Uint8Array(size));
          },
          cancel: () => {
            cancelled = true;
          },
        },
        { highWaterMark: 0 },
      );
      await chunksOf({ body })(() => false);
      await vi.waitFor(() => expect(cancelled).toBe(true));
      expect(taken).toBeLessThanOrEqual(64_000 + 2 * size);
    },
  );

  it('a body that was read to its end is not cancelled', async () => {
    let cancelled = false;
    const body = new ReadableStream({
      start: (controller) => {
        controller.enqueue(bytes('a'));
        controller.close();
      },
      cancel: () => {
        cancelled = true;
      },
    });
    expect(await textOf({ body })).toBe('a');
    expect(cancelled).toBe(false);
  });

  it('abort ends reading of a stream that ignores signals', async () => {
    const controller = new AbortController();
    const reading = failureOf(chunksOf({ body: new ReadableStream() }, controller.signal)(() => true));
    const reason = new DOMException('stop', 'AbortError');
    controller.abort(reason);
    expect(await reading).toBe(reason);
  });

  it('abort by whoever takes a chunk leaves no timer, and nothing more is read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const stop = new AbortController();
    let reads = 0;
    const read = async () => ({ done: (reads += 1) > 5, value: bytes('x') });
    const chunks = bodyChunks(
      { body: { getReader: () => ({ read, cancel: async () => {} }) } } as unknown as Response,
      {
        signal: stop.signal,
        idleMs: 60_000,
        onIdle: () => new Error('idle'),
        onOddChunk: (what) => new TypeError(`odd: ${what}`),
        giveUp: () => {},
      },
    );
    const reading = chunks(() => {
      stop.abort();
      return true;
    });
    expect(await failureOf(reading)).toMatchObject({ name: 'AbortError' });
    expect({ reads, timers: vi.getTimerCount() }).toEqual({ reads: 1, timers: 0 });
    vi.useRealTimers();
  });

  it('an abort without a reason of its own is still an AbortError', async () => {
    const controller = new AbortController();
    const reading = failureOf(chunksOf({ body: new ReadableStream() }, controller.signal)(() => true));
    controller.abort('because');
    expect(await reading).toMatchObject({ name: 'AbortError' });
  });
});
