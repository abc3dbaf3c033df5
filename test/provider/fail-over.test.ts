import { APICallError, generateText, streamText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import type { ObserverEvent } from '../../src/index.js';
import { errorEvent, errorReply, responseEvents, type ScriptedServer, type ScriptedStep } from '../../src/testing.js';
import { ADD, callAdd, failureOf, HELLO, say, start, stream, textOf } from './support/talk.js';

const keysOf = (server: ScriptedServer) => server.requests.map(({ headers }) => headers.authorization?.slice(7));
const refusal = (status: number, code?: string, headers: Record<string, string> = {}): ScriptedStep =>
  errorReply({ status, headers, ...(code === undefined ? {} : { code }) });
const [opened] = [responseEvents({ status: 'none' })];

describe('K01 S1-20 another key takes over', () => {
  it.each<[string, ScriptedStep]>([
    ['a 401', refusal(401, 'invalid_api_key')],
    ['a 403', refusal(403)],
    ['a 402', refusal(402)],
    ['a 429', refusal(429, 'rate_limit_exceeded')],
    ['a spent quota', refusal(429, 'insufficient_quota')],
    [
      'a 200 whose stream begins with an error',
      [...opened, errorEvent({ code: 'rate_limit_exceeded', message: 'Slow down.' })],
    ],
    [
      'an item that was opened, then an error',
      [
        ...opened,
        { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'm', content: [] } },
        errorEvent({ code: 'insufficient_quota', message: 'No money.' }),
      ],
    ],
  ])('K01 after %s, without a word to the caller', async (_name, step) => {
    const talk = await start([step, say('Hi.')], { apiKey: 'key-1,key-2,key-3' });
    const parts = await stream(talk);
    expect(textOf(parts)).toBe('Hi.');
    expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2']);
  });

  it('K01 401, then 429, then an answer: each key once', async () => {
    const talk = await start([refusal(401), refusal(429), say('Hi.')], { apiKey: 'key-1,key-2,key-3' });
    expect(textOf(await stream(talk))).toBe('Hi.');
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it('K01 when all fail, the last error is told, and each key was used once', async () => {
    const steps = [refusal(401), refusal(401), refusal(429, 'insufficient_quota')];
    const talk = await start(steps, { apiKey: 'key-1,key-2,key-3' });
    const error = await failureOf(stream(talk));
    expect(APICallError.isInstance(error) && error.statusCode).toBe(429);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it.each<[string, ScriptedStep]>([
    ['a 400', refusal(400)],
    ['a 500', refusal(500)],
    ['an overloaded server', refusal(503)],
  ])('K02 not after %s: no other key helps against that', async (_name, step) => {
    const talk = await start([step], { apiKey: 'key-1,key-2' });
    await failureOf(stream(talk));
    expect(keysOf(talk.server)).toEqual(['key-1']);
  });

  it('K01 not after something was visible', async () => {
    const spoken: ScriptedStep = [
      ...responseEvents({ output: [{ type: 'text', text: 'Half' }] }).slice(0, -3),
      errorEvent({ code: 'insufficient_quota', message: 'No money.' }),
    ];
    const talk = await start([spoken], { apiKey: 'key-1,key-2' });
    const parts = await stream(talk);
    expect(parts.some(({ type }) => type === 'error')).toBe(true);
    expect(keysOf(talk.server)).toEqual(['key-1']);
  });

  it('I10 I13 in a follow-up round the new key stays for the rest of the call, and the tool ran once', async () => {
    const execute = vi.fn(() => 5);
    const talk = await start([callAdd('r1'), refusal(429), callAdd('r2'), say('Done.', { id: 'r3' })], {
      apiKey: 'key-1,key-2',
      tools: { add: { ...ADD.add, execute } },
    });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-1', 'key-2', 'key-2']);
    expect(execute).toHaveBeenCalledTimes(2);
  });

  it('I15 reasoning that was sealed for the key before stays behind', async () => {
    const thinking = responseEvents({
      id: 'r1',
      output: [
        { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed-for-1' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'c1' },
      ],
    });
    const again = responseEvents({
      id: 'r2',
      output: [
        { type: 'reasoning', summary: ['Ah.'], encrypted: 'sealed-for-2' },
        { type: 'call', name: 'add', arguments: { a: 2, b: 2 }, callId: 'c2' },
      ],
    });
    const talk = await start([thinking, refusal(429), again, say('Done.', { id: 'r3' })], {
      apiKey: 'key-1,key-2',
      backend: 'openai',
      tools: ADD,
    });
    await stream(talk);
    const bodies = talk.server.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies[1]).toContain('sealed-for-1');
    expect(bodies[2]).not.toContain('sealed-for-1');
    expect(bodies[3]).not.toContain('sealed-for-1');
    expect(bodies[3]).toContain('sealed-for-2');
    for (const body of bodies.slice(2)) expect(body).toContain('"call_id":"c1"');
  });
});

describe('K02 keys that rest', () => {
  it('K02 a refused key is passed over by later calls until its time is up', async () => {
    const talk = await start([refusal(429, undefined, { 'retry-after-ms': '300' }), say('1'), say('2'), say('3')], {
      apiKey: 'key-1,key-2',
    });
    await stream(talk);
    await stream(talk);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2']);
    await new Promise((resolve) => setTimeout(resolve, 320));
    await stream(talk);
    expect(keysOf(talk.server).at(-1)).toBe('key-1');
  });

  it('K02 an only key does not rest: it may have been topped up meanwhile', async () => {
    const talk = await start([refusal(429, 'insufficient_quota'), say('Paid.')], { apiKey: 'key-1' });
    await failureOf(stream(talk));
    expect(textOf(await stream(talk))).toBe('Paid.');
  });

  it('K02 when all rest, the first to be back is tried, at once or after maxKeyWaitMs', async () => {
    const steps = [
      refusal(429, undefined, { 'retry-after': '50' }),
      refusal(429, undefined, { 'retry-after': '20' }),
      say('Back.'),
    ];
    const talk = await start(steps, { apiKey: 'key-1,key-2' });
    await failureOf(stream(talk));
    expect(textOf(await stream(talk))).toBe('Back.');
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2']);
  });

  it('K02 an abort ends the wait for a key', async () => {
    const steps = [refusal(429, undefined, { 'retry-after': '50' }), refusal(429, undefined, { 'retry-after': '50' })];
    const talk = await start(steps, { apiKey: 'key-1,key-2', retry: { maxKeyWaitMs: 60_000 } });
    await failureOf(stream(talk));
    const controller = new AbortController();
    const call = failureOf(stream(talk, { abortSignal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
    expect(talk.server.requests).toHaveLength(2);
  });

  it('S3-50 calls at the same time share what was learnt about keys', async () => {
    const talk = await start([refusal(401), say('1'), say('2'), say('3'), say('4')], { apiKey: 'bad-1,good-2' });
    await stream(talk);
    await Promise.all([stream(talk), stream(talk), stream(talk)]);
    expect(keysOf(talk.server)).toEqual(['bad-1', 'good-2', 'good-2', 'good-2', 'good-2']);
  });
});

describe('U03 tokens from a function', () => {
  it('U03 that expired during a call are asked for once more', async () => {
    const tokens = ['token-1', 'token-2'];
    const talk = await start([callAdd('r1'), refusal(401), say('Done.', { id: 'r2' })], {
      apiKey: () => tokens.shift() ?? 'none-left',
      tools: ADD,
    });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(keysOf(talk.server)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('U03 that are refused again are not asked for for ever', async () => {
    let asked = 0;
    const talk = await start([refusal(401), refusal(401)], { apiKey: () => `token-${(asked += 1)}` });
    expect((await failureOf(stream(talk))).statusCode).toBe(401);
    expect(asked).toBe(2);
  });

  it('U03 that stay the same are not sent twice', async () => {
    const talk = await start([refusal(401)], { apiKey: () => 'token' });
    await failureOf(stream(talk));
    expect(talk.server.requests).toHaveLength(1);
  });
});

describe('K03 what is told of keys', () => {
  it('K03 I18 is their last four characters: which was chosen, which rests, which took its place', async () => {
    const events: ObserverEvent[] = [];
    const apiKey = 'sk-first-secret-aaaa,sk-second-secret-bbbb';
    const talk = await start([refusal(401, 'invalid_api_key'), say('Hi.')], { apiKey, onEvent: (e) => events.push(e) });
    await stream(talk);
    expect(events.filter(({ type }) => type === 'key')).toMatchObject([
      { what: 'chosen', key: '…aaaa' },
      { what: 'resting', key: '…aaaa', reason: 'invalid_api_key', restMs: 600_000 },
      { what: 'replaced', key: '…bbbb', reason: 'invalid_api_key' },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  });
});

describe('a key of the environment that was not sent', () => {
  it('is named in the error of a server that wanted one', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    try {
      const talk = await start([refusal(401)]);
      const error = await failureOf(generateText({ model: talk.provider('m'), prompt: 'Hi', maxRetries: 0 }));
      expect(error.message).toContain('OPENAI_API_KEY was not sent');
      expect(talk.server.requests[0]?.headers.authorization).toBeUndefined();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('is not spoken of where a key was given', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    try {
      const talk = await start([refusal(401)], { apiKey: 'mine' });
      const result = streamText({ model: talk.provider('m'), prompt: 'Hi', maxRetries: 0, onError: () => {} });
      const error = await failureOf(result.consumeStream().then(() => result.text));
      expect(String(error)).not.toContain('OPENAI_API_KEY');
      await failureOf(talk.provider('m').doStream(HELLO));
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
