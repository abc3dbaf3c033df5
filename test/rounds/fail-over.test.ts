import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { APICallError, generateText, streamText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { logEvents, type ObserverEvent } from '../../src/index.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { errorEvent, errorReply, responseEvents, type ScriptedServer, type ScriptedStep } from '../../src/testing.js';
import { ADD, callAdd, failureOf, HELLO, say, start, stream, textOf } from '../provider/support/talk.js';

const keysOf = (server: ScriptedServer) => server.requests.map(({ headers }) => headers.authorization?.slice(7));
const refusal = (status: number, code?: string, headers: Record<string, string> = {}): ScriptedStep =>
  errorReply({ status, headers, ...(code === undefined ? {} : { code }) });
const [opened] = [responseEvents({ status: 'none' })];

describe('another key takes over', () => {
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
  ])('after %s, without a word to the caller', async (_name, step) => {
    const talk = await start([step, say('Hi.')], { apiKey: 'key-1,key-2,key-3' });
    const parts = await stream(talk);
    expect(textOf(parts)).toBe('Hi.');
    expect(parts.filter(({ type }) => type === 'error')).toEqual([]);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2']);
  });

  it('401, then 429, then an answer: each key once', async () => {
    const talk = await start([refusal(401), refusal(429), say('Hi.')], { apiKey: 'key-1,key-2,key-3' });
    expect(textOf(await stream(talk))).toBe('Hi.');
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-3']);
  });

  it('when all fail, the last error is told, and each key was used once', async () => {
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
  ])('not after %s: no other key helps against that', async (_name, step) => {
    const talk = await start([step], { apiKey: 'key-1,key-2' });
    await failureOf(stream(talk));
    expect(keysOf(talk.server)).toEqual(['key-1']);
  });

  it('not after something was visible', async () => {
    const spoken: ScriptedStep = [
      ...responseEvents({ output: [{ type: 'text', text: 'Half' }] }).slice(0, -3),
      errorEvent({ code: 'insufficient_quota', message: 'No money.' }),
    ];
    const talk = await start([spoken], { apiKey: 'key-1,key-2' });
    const parts = await stream(talk);
    expect(parts.some(({ type }) => type === 'error')).toBe(true);
    expect(keysOf(talk.server)).toEqual(['key-1']);
  });

  it('in a follow-up round the new key stays for the rest of the call, and the tool ran once', async () => {
    const execute = vi.fn(() => 5);
    const talk = await start([callAdd('r1'), refusal(429), callAdd('r2'), say('Done.', { id: 'r3' })], {
      apiKey: 'key-1,key-2',
      tools: { add: { ...ADD.add, execute } },
    });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-1', 'key-2', 'key-2']);
    expect(execute).toHaveBeenCalledTimes(2);
  });

  it('reasoning that was sealed for the key before stays behind', async () => {
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

describe('keys that rest', () => {
  it('a refused key is passed over by later calls until its time is up', async () => {
    const talk = await start([refusal(429, undefined, { 'retry-after-ms': '1100' }), say('1'), say('2'), say('3')], {
      apiKey: 'key-1,key-2',
    });
    await stream(talk);
    await stream(talk);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2']);
    await new Promise((resolve) => setTimeout(resolve, 1_120));
    await stream(talk);
    expect(keysOf(talk.server).at(-1)).toBe('key-1');
  });

  it('an only key does not rest: it may have been topped up meanwhile', async () => {
    const talk = await start([refusal(429, 'insufficient_quota'), say('Paid.')], { apiKey: 'key-1' });
    await failureOf(stream(talk));
    expect(textOf(await stream(talk))).toBe('Paid.');
  });

  it('when all rest, the first to be back is tried at once', async () => {
    const talk = await start(
      [
        refusal(429, undefined, { 'retry-after': '50' }),
        refusal(429, undefined, { 'retry-after': '20' }),
        say('Back.'),
      ],
      { apiKey: 'key-1,key-2' },
    );
    await failureOf(stream(talk));
    const timers = vi.spyOn(globalThis, 'setTimeout');
    try {
      expect(textOf(await stream(talk))).toBe('Back.');
      expect(timers.mock.calls.filter(([, ms = 0]) => ms > 15_000 && ms <= 50_000)).toEqual([]);
    } finally {
      timers.mockRestore();
    }
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2']);
  });

  it('a spent quota rests, whatever its Retry-After says', async () => {
    const spent = refusal(429, 'insufficient_quota', { 'retry-after': '0' });
    const talk = await start([spent, say('1'), say('2'), say('3')], { apiKey: 'key-1,key-2' });
    for (let n = 0; n < 3; n += 1) await stream(talk);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2', 'key-2']);
  });

  it('calls at the same time share what was learnt about keys', async () => {
    const talk = await start([refusal(401), say('1'), say('2'), say('3'), say('4')], { apiKey: 'bad-1,good-2' });
    await stream(talk);
    await Promise.all([stream(talk), stream(talk), stream(talk)]);
    expect(keysOf(talk.server)).toEqual(['bad-1', 'good-2', 'good-2', 'good-2', 'good-2']);
  });
});

describe('keys that are back during a follow-up round', () => {
  const soon = { 'retry-after': '1' };
  const late = { 'retry-after': '90' };

  it.each([
    ['the other one asks for two seconds', { 'retry-after': '2' }],
    ['the other one asks for longer than anybody waits', late],
  ])('the first to be back is waited for, although %s', async (_name, headers) => {
    const events: ObserverEvent[] = [];
    const talk = await start(
      [callAdd('r1'), refusal(429, undefined, soon), refusal(429, undefined, headers), say('5')],
      {
        apiKey: 'sk-number-aaaa,sk-number-bbbb',
        tools: ADD,
        onEvent: (event) => events.push(event),
      },
    );
    expect(textOf(await stream(talk))).toBe('5');
    const keys = keysOf(talk.server).map((key) => key?.slice(-4));
    expect(keys).toEqual(['aaaa', 'aaaa', 'bbbb', 'aaaa']);
    const told = events.flatMap((event) =>
      event.type === 'key' ? [`${event.what} ${event.key}`] : event.type === 'retry' ? [`retry ${event.attempt}`] : [],
    );
    expect(told).toEqual([
      'chosen …aaaa',
      'paused …aaaa',
      'replaced …bbbb',
      'paused …bbbb',
      'retry 1',
      'replaced …aaaa',
    ]);
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({
      delayMs: expect.toSatisfy((ms) => ms <= 1_000),
    });
  });

  it('each wait is a retry, and every key gets its chance anew', async () => {
    const steps = [
      callAdd('r1'),
      refusal(429, undefined, soon),
      refusal(429, undefined, late),
      refusal(429, undefined, soon),
      refusal(429, undefined, soon),
    ];
    const talk = await start(steps, { apiKey: 'key-1,key-2', tools: ADD, retry: { maxRetries: 2 } });
    expect((await stream(talk)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-1', 'key-2', 'key-1', 'key-1']);
  });

  it('nobody is waited for longer than maxDelayMs', async () => {
    const talk = await start([callAdd('r1'), refusal(429, undefined, late), refusal(401)], {
      apiKey: 'key-1,key-2',
      tools: ADD,
    });
    expect((await stream(talk)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-1', 'key-2']);
  });

  it('where it is our own guess that a key rests for longer, the usual pause is made', async () => {
    const talk = await start([callAdd('r1'), refusal(429), refusal(429), say('5')], {
      apiKey: 'key-1,key-2',
      tools: ADD,
      retry: { initialDelayMs: 1, maxDelayMs: 50 },
    });
    expect(textOf(await stream(talk))).toBe('5');
  });

  it('reasoning of a key that is back is replayed to it', async () => {
    const thinking = responseEvents({
      id: 'r1',
      output: [
        { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed-for-1' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'c1' },
      ],
    });
    const talk = await start([thinking, refusal(429, undefined, soon), refusal(429, undefined, late), say('2')], {
      apiKey: 'key-1,key-2',
      backend: 'openai',
      tools: ADD,
    });
    await stream(talk);
    const sealed = talk.server.requests.map(({ text }) => text.includes('sealed-for-1'));
    expect(sealed).toEqual([false, true, false, true]);
  });
});

describe('only a key that was sent can be to blame', () => {
  it.each<[string, ResponsesProviderSettings, Record<string, string>]>([
    ["the call's own authorization", {}, { Authorization: 'Bearer of-one-user' }],
    ["the settings' authorization", { headers: { authorization: 'Bearer fixed' } }, {}],
    ['an auth function of its own mind', { auth: () => ({ authorization: 'Bearer entra' }) }, {}],
    ['auth none', { auth: 'none' }, {}],
  ])('%s is refused: nothing is sent again, no key rests, none is spoken of', async (_name, settings, headers) => {
    const events: ObserverEvent[] = [];
    const talk = await start([refusal(401), say('Hi.')], {
      apiKey: 'key-number-1,key-number-2',
      onEvent: (event) => events.push(event),
      ...settings,
    });
    expect((await failureOf(stream(talk, { headers }))).statusCode).toBe(401);
    expect(talk.server.requests).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'key')).toEqual([]);
  });

  it('an apiKey function is not asked again for a token that was not sent', async () => {
    let asked = 0;
    const talk = await start([refusal(401)], {
      apiKey: () => `token-${(asked += 1)}`,
      headers: { authorization: 'Bearer fixed' },
    });
    await failureOf(stream(talk));
    expect([asked, talk.server.requests.length]).toEqual([1, 1]);
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['in a header of an auth function', { auth: ({ apiKey }) => ({ 'x-relay': `Key ${apiKey}` }) }],
    [
      'in the URL, by transformRequest',
      {
        transformRequest: ({ url, headers: { authorization = '', ...headers } }) => ({
          url: `${url}?key=${encodeURIComponent(authorization.slice(7))}`,
          headers,
        }),
      },
    ],
  ])('a key that went out %s makes room for the next', async (_name, settings) => {
    const talk = await start([refusal(401), say('Hi.')], { apiKey: 'key+number/1,key+number/2', ...settings });
    expect(textOf(await stream(talk))).toBe('Hi.');
    const sent = talk.server.requests.map(({ url, headers }) =>
      decodeURIComponent(`${url} ${String(headers['x-relay'])}`),
    );
    expect(sent).toEqual([expect.stringContaining('key+number/1'), expect.stringContaining('key+number/2')]);
  });
});

describe('responses that the server keeps belong to the key that made them', () => {
  const stored = { openai: { store: true } };

  it('a follow-up with another key names none of them, and holds the whole conversation', async () => {
    const talk = await start([callAdd('r1'), refusal(429), callAdd('r2'), say('Done.', { id: 'r3' })], {
      apiKey: 'key-1,key-2',
      tools: ADD,
    });
    expect(textOf(await stream(talk, { providerOptions: stored }))).toBe('Done.');
    const sent = talk.server.requests.map(({ body, input }) => [
      body['previous_response_id'],
      input.map(({ type }) => type ?? 'message'),
    ]);
    expect(sent).toEqual([
      [undefined, ['message']],
      ['r1', ['function_call_output']],
      [undefined, ['message', 'function_call', 'function_call_output']],
      ['r2', ['function_call_output']],
    ]);
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-1', 'key-2', 'key-2']);
  });

  it('a key that is back may name its own again', async () => {
    const talk = await start(
      [
        callAdd('r1'),
        refusal(429, undefined, { 'retry-after-ms': '50' }),
        refusal(429, undefined, { 'retry-after': '90' }),
        say('5'),
      ],
      { apiKey: 'key-1,key-2', tools: ADD },
    );
    await stream(talk, { providerOptions: stored });
    const named = talk.server.requests.map(({ body }) => body['previous_response_id']);
    expect(named).toEqual([undefined, 'r1', undefined, 'r1']);
  });

  it.each<[string, ResponsesProviderSettings, NonNullable<LanguageModelV2CallOptions['providerOptions']>]>([
    ['previousResponseId', {}, { openai: { previousResponseId: 'resp_0' } }],
    ['previousResponseId, not stored', {}, { openai: { previousResponseId: 'resp_0', store: false } }],
    ['conversation', {}, { openai: { conversation: 'conv_0' } }],
    ['a body override', { models: { '*': { body: { previous_response_id: 'resp_0' } } } }, {}],
    [
      'transformRequest',
      { transformRequest: ({ body }) => ({ body: { ...body, previous_response_id: 'resp_0' } }) },
      {},
    ],
  ])('what the caller continues by %s goes to no other key, in no round', async (_name, settings, providerOptions) => {
    const talk = await start([refusal(429), callAdd('r1'), refusal(401)], {
      apiKey: 'key-1,key-2',
      tools: ADD,
      ...settings,
    });
    expect((await failureOf(stream(talk, { providerOptions }))).statusCode).toBe(429);
    expect((await stream(talk, { providerOptions })).at(-1)).toMatchObject({ finishReason: 'error' });
    expect(keysOf(talk.server)).toEqual(['key-1', 'key-2', 'key-2']);
  });

  it('a fresh token is of the same account', async () => {
    let asked = 0;
    const talk = await start([refusal(401), say('Hi.')], { apiKey: () => `token-${(asked += 1)}` });
    expect(textOf(await stream(talk, { providerOptions: { openai: { previousResponseId: 'resp_0' } } }))).toBe('Hi.');
    expect(keysOf(talk.server)).toEqual(['token-1', 'token-2']);
  });
});

describe('tokens from a function', () => {
  it('that expired during a call are asked for once more', async () => {
    const tokens = ['token-1', 'token-2'];
    const talk = await start([callAdd('r1'), refusal(401), say('Done.', { id: 'r2' })], {
      apiKey: () => tokens.shift() ?? 'none-left',
      tools: ADD,
    });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(keysOf(talk.server)).toEqual(['token-1', 'token-1', 'token-2']);
  });

  it('that are refused again are not asked for for ever', async () => {
    let asked = 0;
    const talk = await start([refusal(401), refusal(401)], { apiKey: () => `token-${(asked += 1)}` });
    expect((await failureOf(stream(talk))).statusCode).toBe(401);
    expect(asked).toBe(2);
  });

  it('that cannot be had again: what the function says of the one before is not repeated', async () => {
    let asked = 0;
    const apiKey = (): string => {
      asked += 1;
      if (asked > 1) throw new Error('sk-first-abcdefgh is no longer valid');
      return 'sk-first-abcdefgh';
    };
    const talk = await start([refusal(401)], { apiKey });
    const { message } = await failureOf(stream(talk));
    expect(message).toContain('is no longer valid');
    expect(message).not.toContain('sk-first');
  });

  it('that stay the same are not sent twice', async () => {
    const talk = await start([refusal(401)], { apiKey: () => 'token' });
    await failureOf(stream(talk));
    expect(talk.server.requests).toHaveLength(1);
  });
});

describe('what is told of keys', () => {
  it('is their last four characters and their place: which was chosen, which is paused, which took its place', async () => {
    const events: ObserverEvent[] = [];
    const apiKey = 'sk-first-secret-aaaa,sk-second-secret-bbbb';
    const talk = await start([refusal(401, 'invalid_api_key'), say('Hi.')], { apiKey, onEvent: (e) => events.push(e) });
    await stream(talk);
    expect(events.filter(({ type }) => type === 'key')).toMatchObject([
      { what: 'chosen', key: '…aaaa', keyNumber: 1 },
      { what: 'paused', key: '…aaaa', keyNumber: 1, reason: 'HTTP 401 (invalid_api_key)', pauseMs: 600_000 },
      { what: 'replaced', key: '…bbbb', keyNumber: 2, reason: 'HTTP 401 (invalid_api_key)' },
    ]);
    expect(JSON.stringify(events)).not.toMatch(/secret/);
  });

  it('is logged so that a new key is not taken for the refused one', async () => {
    const lines: string[] = [];
    const keep = (line: string): void => void lines.push(line);
    const onEvent = logEvents({ debug: keep, info: keep, warn: keep, error: keep });
    const talk = await start([refusal(401), say('Hi.')], { apiKey: 'sk-first-aaaa,sk-second-bbbb', onEvent });
    await stream(talk);
    expect(lines.filter((line) => line.includes('key '))).toEqual([
      expect.stringMatching(/key 1 …aaaa chosen$/),
      expect.stringMatching(/key 1 …aaaa paused: HTTP 401/),
      expect.stringMatching(/key 2 …bbbb replaces a refused key: HTTP 401/),
    ]);
  });

  it('is their place if they are too short to be shown', async () => {
    const events: ObserverEvent[] = [];
    const talk = await start([refusal(401), say('Hi.')], { apiKey: 'sk-one,sk-two', onEvent: (e) => events.push(e) });
    await stream(talk);
    expect(events.filter(({ type }) => type === 'key')).toMatchObject([
      { what: 'chosen', key: '[redacted]', keyNumber: 1 },
      { what: 'paused', key: '[redacted]', keyNumber: 1, reason: expect.stringMatching(/^HTTP 401\b/) as string },
      { what: 'replaced', key: '[redacted]', keyNumber: 2 },
    ]);
  });

  it('is no place for the token of a function', async () => {
    const events: ObserverEvent[] = [];
    const talk = await start([say('Hi.')], { apiKey: () => 'a-token-of-a-function', onEvent: (e) => events.push(e) });
    await stream(talk);
    const told = events.filter(({ type }) => type === 'key');
    expect(told).toMatchObject([{ what: 'chosen', key: '…tion' }]);
    expect(told[0]).not.toHaveProperty('keyNumber');
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
