import type { LanguageModelV2StreamPart } from '@ai-sdk/provider';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from '../../src/index.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { failureOf, HELLO, stream, textOf } from '../provider/support/talk.js';
import {
  answer,
  type BackgroundServer,
  type BackgroundServerOptions,
  hangUp,
  refuse,
  startBackgroundServer,
  stream as events,
} from './support/background-server.js';

const IN_BACKGROUND = { providerOptions: { openai: { background: true, store: true } } };
const TEXT = [{ type: 'text', text: ['One, ', 'two, ', 'three, ', 'four.'] }] as const;
const SOON = { retry: { initialDelayMs: 1, maxRetries: 2 } };

async function talk(
  options: Partial<BackgroundServerOptions>,
  settings: ResponsesProviderSettings = {},
): Promise<BackgroundServer & { readonly provider: ReturnType<typeof createResponsesProvider> }> {
  const server = await startBackgroundServer({ output: TEXT, ...options });
  const provider = createResponsesProvider({ baseURL: server.baseURL, apiKey: 'key-1', ...SOON, ...settings });
  return {
    ...server,
    provider,
    [Symbol.asyncDispose]: async () => {
      await provider.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

const whole = (parts: readonly LanguageModelV2StreamPart[]) => parts.filter(({ type }) => type !== 'raw');

describe.concurrent('a response in the background whose stream breaks off', () => {
  it('goes on behind the last event, wherever the cut is: the same parts as without a cut', async () => {
    await using uncut = await talk({});
    const expected = whole(await stream(uncut, IN_BACKGROUND));
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 11 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 4 }),
        async (first, cuts) => {
          await using rig = await talk({ firstStream: first, resumes: cuts });
          expect(whole(await stream(rig, IN_BACKGROUND))).toEqual(expected);
          expect(rig.asked.filter((what) => what === 'POST')).toHaveLength(1);
        },
      ),
      { numRuns: 25 },
    );
  });

  it('is asked for with the number of the last event, with the same key, and says so', async () => {
    const seen: ObserverEvent[] = [];
    await using rig = await talk({ firstStream: 5 }, { onEvent: (event) => seen.push(event) });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
    expect(rig.asked).toEqual(['POST', 'GET after=4']);
    expect([...rig.authorizations]).toEqual(['Bearer key-1']);
    expect(seen.filter(({ type }) => type === 'resume')).toMatchObject([{ round: 0, attempt: 1, after: 4 }]);
  });

  it('skips events that came before, from a server that begins again', async () => {
    await using rig = await talk({ firstStream: 6, resumes: ['whole'] });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
  });

  it('is resumed again after a connection that could not be made, and after a 503', async () => {
    await using rig = await talk({ firstStream: 6, resumes: [hangUp, refuse(503)] });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
    expect(rig.asked).toEqual(['POST', 'GET after=5', 'GET after=5', 'GET after=5']);
  });

  it.each([
    [
      'the server streams it no longer',
      [refuse(400, 'This response can no longer be streamed because it is more than 5 minutes old')],
    ],
    ['the server knows no stream of it', [refuse(404)]],
    ['the stream brings nothing', [events()]],
    [
      'events are missing',
      [events({ type: 'response.output_text.delta', sequence_number: 9, output_index: 0, delta: '!' })],
    ],
    ['it fails five times', [hangUp, hangUp, hangUp, hangUp, hangUp]],
  ])('is polled if %s, and the text goes on where it stopped', async (_name, resumes) => {
    await using rig = await talk({ firstStream: 6, resumes, running: 1 });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
    expect(rig.asked.slice(-2)).toEqual(['GET', 'GET']);
    expect(rig.asked.filter((what) => what === 'POST')).toHaveLength(1);
  });

  it.each([
    ['the server does not know it', { resumes: [refuse(404)], polls: [refuse(404)] }, /may still be running/],
    [
      'the server answers with another one',
      { resumes: [events({ type: 'response.created', response: { id: 'resp_2' } })] },
      /resp_2/,
    ],
    [
      'a poll brings another one',
      { resumes: [refuse(404)], polls: [answer({ id: 'resp_2', status: 'completed', output: [] })] },
      /resp_2/,
    ],
    ['polls bring no response', { resumes: [refuse(404)], polls: [answer({ id: 'resp_1', odd: true })] }, /resp_1/],
  ])('ends with an error that names it and asks for no second run if %s', async (_name, faults, words) => {
    await using rig = await talk({ firstStream: 6, ...faults });
    const parts = await stream(rig, IN_BACKGROUND);
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', error: { message: expect.stringMatching(words), isRetryable: false } },
      { type: 'finish', finishReason: 'error' },
    ]);
    expect(JSON.stringify(parts.slice(-2))).toContain('resp_1');
    expect(rig.asked.filter((what) => what === 'POST')).toHaveLength(1);
  });

  it('ends after three polls if each of them breaks as well, with an error that says so', async () => {
    await using rig = await talk({ firstStream: 6, resumes: Array(5).fill(hangUp), polls: Array(9).fill(hangUp) });
    const begun = performance.now();
    const parts = await stream(rig, IN_BACKGROUND);
    // Pauses of 1, 2 and 4 seconds.
    expect(performance.now() - begun).toBeLessThan(15_000);
    expect(rig.asked.filter((what) => what === 'GET')).toHaveLength(3);
    expect(parts.at(-2)).toMatchObject({
      type: 'error',
      error: {
        message: expect.stringMatching(/^3 polls failed in a row, the last one: .*may still be running .*resp_1/),
        isRetryable: false,
        isReplaySafe: false,
      },
    });
  });

  it('is waited for through polls that break between others that do not', async () => {
    const running = answer({ id: 'resp_1', status: 'in_progress', output: [] });
    const polls = [running, hangUp, hangUp, hangUp];
    await using rig = await talk({ firstStream: 6, resumes: [refuse(404)], polls });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
    expect(rig.asked.filter((what) => what === 'GET')).toHaveLength(5);
  });

  it('that was cancelled elsewhere ends with an error', async () => {
    await using rig = await talk({ firstStream: 6, resumes: [refuse(404)], status: 'cancelled' });
    expect((await stream(rig, IN_BACKGROUND)).slice(-2)).toMatchObject([
      { type: 'error', error: { message: expect.stringMatching(/cancel/i) } },
      { type: 'finish', finishReason: 'error' },
    ]);
  });

  it('is polled no more often than limits.polls says', async () => {
    await using rig = await talk({ firstStream: 6, resumes: [refuse(404)], running: 9 }, { limits: { polls: 2 } });
    expect((await stream(rig, IN_BACKGROUND)).slice(-2)).toMatchObject([
      { type: 'error', error: { code: 'limit', limit: { name: 'limits.polls', value: 2 } } },
      { type: 'finish' },
    ]);
  });
});

describe.concurrent('a response in the background', () => {
  it('is waited for where no stream is wanted', async () => {
    await using rig = await talk({ running: 1 });
    const { content, finishReason } = await rig.provider('m').doGenerate({ ...HELLO, ...IN_BACKGROUND });
    expect(content).toMatchObject([{ type: 'text', text: 'One, two, three, four.' }]);
    expect(finishReason).toBe('stop');
    expect(rig.asked).toEqual(['POST', 'GET', 'GET']);
  });

  it('is waited for in every round of a loop', async () => {
    let ran = 0;
    const output = [{ type: 'call', name: 'add', arguments: {}, callId: 'c1' }] as const;
    const tools = { add: { inputSchema: { type: 'object' }, execute: () => (ran += 1) } };
    await using rig = await talk({ output, firstStream: 3 }, { tools, maxRounds: 1 });
    await stream(rig, IN_BACKGROUND);
    expect(ran).toBe(1);
    expect(rig.asked.filter((what) => what === 'POST')).toHaveLength(2);
  });

  it('is cancelled once when the call is aborted, and nothing else is asked', async () => {
    const stop = new AbortController();
    await using rig = await talk({ firstStream: 6, resumes: [() => {}] });
    const { stream: parts } = await rig
      .provider('m')
      .doStream({ ...HELLO, ...IN_BACKGROUND, abortSignal: stop.signal });
    const reader = parts.getReader();
    for (let part = await reader.read(); part.value?.type !== 'text-delta';) part = await reader.read();
    stop.abort();
    await reader.read().catch(() => {});
    await expect.poll(() => rig.asked.filter((what) => what === 'cancel')).toHaveLength(1);
    expect(rig.asked.filter((what) => what === 'POST')).toHaveLength(1);
  });

  it('is cancelled when nobody reads its parts any more, and when the provider is closed', async () => {
    for (const end of ['cancel', 'close'] as const) {
      await using rig = await talk({ firstStream: 6, resumes: [() => {}] });
      const { stream: parts } = await rig.provider('m').doStream({ ...HELLO, ...IN_BACKGROUND });
      const reader = parts.getReader();
      for (let part = await reader.read(); part.value?.type !== 'text-delta';) part = await reader.read();
      if (end === 'cancel') await reader.cancel();
      else await rig.provider.close();
      await expect.poll(() => rig.asked.filter((what) => what === 'cancel')).toHaveLength(1);
    }
  });

  it('is not cancelled once it has ended', async () => {
    await using rig = await talk({});
    await stream(rig, IN_BACKGROUND);
    await rig.provider.close();
    expect(rig.asked).toEqual(['POST']);
  });

  it('is not created twice if the connection breaks before its first event', async () => {
    await using rig = await talk({ firstStream: 0 });
    const error = await failureOf(stream(rig, IN_BACKGROUND));
    expect(error).toMatchObject({
      isRetryable: false,
      message: expect.stringContaining('the request is not repeated'),
    });
    expect(rig.asked).toEqual(['POST']);
  });
});

describe.concurrent('a server that is odd about responses in the background', () => {
  const partial = {
    id: 'resp_1',
    object: 'response',
    status: 'in_progress',
    output: [
      {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        status: 'in_progress',
        content: [{ type: 'output_text', text: 'One, ' }],
      },
    ],
  };

  it('sends JSON of a response under way in place of the rest of its stream: it is polled to its end', async () => {
    await using rig = await talk({ firstStream: 6, resumes: [answer(partial)], running: 1 });
    const parts = await stream(rig, IN_BACKGROUND);
    expect(textOf(parts)).toBe('One, two, three, four.');
    expect(parts.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(rig.asked).toEqual(['POST', 'GET after=5', 'GET', 'GET']);
  });

  it('sends JSON of the finished response in place of the rest of its stream', async () => {
    const content = [{ type: 'output_text', text: 'One, two, three, four.' }];
    const finished = {
      ...partial,
      status: 'completed',
      output: [{ ...partial.output[0], status: 'completed', content }],
    };
    await using rig = await talk({ firstStream: 6, resumes: [answer(finished)] });
    expect(textOf(await stream(rig, IN_BACKGROUND))).toBe('One, two, three, four.');
    expect(rig.asked).toEqual(['POST', 'GET after=5']);
  });

  it('an abort, and the end of the provider, end the polling and cancel it', async () => {
    for (const end of ['abort', 'close'] as const) {
      const stop = new AbortController();
      await using rig = await talk({ running: 1_000 }, { limits: { polls: Infinity } });
      const options = { ...HELLO, ...IN_BACKGROUND, abortSignal: stop.signal };
      const failed = failureOf(rig.provider('m').doGenerate(options));
      await expect.poll(() => rig.asked.includes('GET'), { timeout: 10_000 }).toBe(true);
      if (end === 'abort') stop.abort();
      else await rig.provider.close();
      expect(await failed).toMatchObject(end === 'abort' ? { name: 'AbortError' } : { code: 'closed' });
      await expect.poll(() => rig.asked.filter((what) => what === 'cancel')).toHaveLength(1);
      const asked = rig.asked.length;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(rig.asked).toHaveLength(asked);
    }
  });

  it('is cancelled when the call takes longer than timeouts.totalMs', async () => {
    await using rig = await talk({ running: 1_000 }, { timeouts: { totalMs: 200 } });
    expect(await failureOf(rig.provider('m').doGenerate({ ...HELLO, ...IN_BACKGROUND }))).toMatchObject({
      message: expect.stringContaining('totalMs'),
    });
    await expect.poll(() => rig.asked.filter((what) => what === 'cancel')).toHaveLength(1);
  });
});

describe.concurrent('where a response in the background is asked for', () => {
  async function asked(id: string, settings: ResponsesProviderSettings = {}) {
    const seen: { url: string; method: string; headers: Headers }[] = [];
    const body = (status: string) => JSON.stringify({ id, object: 'response', status, output: [] });
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push({ url: input as string, method: init?.method ?? 'GET', headers: new Headers(init?.headers) });
      const headers = { 'content-type': 'application/json' };
      return new Response(body(init?.method === 'POST' ? 'queued' : 'completed'), { headers });
    };
    const provider = createResponsesProvider({ baseURL: 'https://api.test/v1', apiKey: 'k', fetch, ...settings });
    const failure = await provider('m')
      .doGenerate({ ...HELLO, ...IN_BACKGROUND })
      .then(
        () => undefined,
        (error: unknown) => error,
      );
    await provider.close();
    return { seen, failure };
  }

  it('keeps the parameters of the URL, and says nothing of a body that it has not', async () => {
    const { seen } = await asked('resp_1', { query: { 'api-version': '2025-04-01-preview' } });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST https://api.test/v1/responses?api-version=2025-04-01-preview',
      'GET https://api.test/v1/responses/resp_1?api-version=2025-04-01-preview',
    ]);
    expect(seen.map(({ headers }) => headers.get('content-type'))).toEqual(['application/json', null]);
  });

  it.each(['a/../../secret', 'a?b=c#d', 'ä b'])('an odd id is one step of the path: %s', async (id) => {
    const { seen } = await asked(id);
    expect(seen.at(-1)?.url).toBe(`https://api.test/v1/responses/${encodeURIComponent(id)}`);
  });

  it.each(['.', '..', '\ud800'])(
    'an id that no URL can have is an error, and nothing else is asked for: %j',
    async (id) => {
      const { seen, failure } = await asked(id);
      expect(seen.map(({ method }) => method)).toEqual(['POST']);
      expect(failure).toMatchObject({
        isRetryable: false,
        message: expect.stringContaining('the request is not repeated'),
      });
    },
  );
});
