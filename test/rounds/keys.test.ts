import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider, ResponsesLoopError } from '../../src/index.js';
import { responseBody, responseEvents, type ScriptedServer } from '../../src/testing.js';
import { ADD, callAdd, failureOf, generateText, HELLO, say, start, stream } from '../provider/support/talk.js';

const keysOf = (server: ScriptedServer) => server.requests.map(({ headers }) => headers.authorization);
const ROUNDS = [callAdd('r1'), callAdd('r2'), say('5', { id: 'r3' })] as const;

beforeEach(() => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  vi.stubEnv('OPENAI_BASE_URL', undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
});

describe('keys in rotation', () => {
  it('all rounds of a call use one key, the next call the next', async () => {
    const talk = await start([...ROUNDS, ...ROUNDS, say('x')], { apiKey: 'k1, k2', tools: ADD });
    for (let n = 0; n < 3; n += 1) await stream(talk);
    expect(keysOf(talk.server)).toEqual(['k1', 'k1', 'k1', 'k2', 'k2', 'k2', 'k1'].map((key) => `Bearer ${key}`));
  });

  it('every model and every provider takes its own turns', async () => {
    const talk = await start([say('1'), say('2'), say('3'), say('4')], { apiKey: ['k1', 'k2'] });
    await stream(talk, {}, 'a');
    await stream(talk, {}, 'b');
    await stream(talk, {}, 'a');
    await stream({ provider: createResponsesProvider({ baseURL: talk.server.baseURL, apiKey: 'k1,k2' }) }, {}, 'a');
    expect(keysOf(talk.server)).toEqual(['Bearer k1', 'Bearer k1', 'Bearer k2', 'Bearer k1']);
  });

  it('calls at the same time get different keys', async () => {
    const talk = await start([say('1'), say('2')], { apiKey: 'k1,k2' });
    await Promise.all([stream(talk), stream(talk)]);
    expect(new Set(keysOf(talk.server))).toEqual(new Set(['Bearer k1', 'Bearer k2']));
  });

  it('a conversation with sealed reasoning keeps the key it was sealed for, another host does not see it', async () => {
    const thought = {
      output: [
        { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
        { type: 'text', text: 'Hi.' },
      ],
    } as const;
    const settings = { apiKey: 'k1,k2,k3', backend: 'openai' } as const;
    const talk = await start([responseEvents(thought), say('b'), responseEvents(thought), say('c')], settings);
    await stream(talk);
    await stream(talk);
    const { content } = await talk.provider('m').doGenerate(HELLO);
    const history = content.map((part) => ({
      ...part,
      providerOptions: 'providerMetadata' in part ? part.providerMetadata : {},
    }));
    const prompt = [...HELLO.prompt, { role: 'assistant', content: history }, ...HELLO.prompt] as typeof HELLO.prompt;
    await stream(talk, { prompt });
    expect(keysOf(talk.server)).toEqual(['Bearer k1', 'Bearer k2', 'Bearer k3', 'Bearer k3']);
    expect(JSON.stringify(talk.server.requests[3]?.body)).toContain('sealed');

    const elsewhere = await start([say('d')], settings);
    await stream(elsewhere, { prompt });
    expect(JSON.stringify(elsewhere.server.requests[0]?.body)).not.toContain('sealed');
  });
});

describe('a key from a function', () => {
  it('is asked for once per call, and all rounds use what it gave', async () => {
    let asked = 0;
    const talk = await start([...ROUNDS, say('x')], { apiKey: async () => `token-${(asked += 1)}`, tools: ADD });
    await stream(talk);
    await stream(talk);
    expect(keysOf(talk.server)).toEqual(['token-1', 'token-1', 'token-1', 'token-2'].map((key) => `Bearer ${key}`));
  });

  it("what it throws is the cause of the call's error, and nothing is sent", async () => {
    const failure = new Error('Entra is down');
    const talk = await start([], { apiKey: () => Promise.reject(failure) });
    expect(await failureOf(stream(talk))).toMatchObject({
      code: 'missing-api-key',
      message: 'The apiKey function failed: Entra is down',
      cause: failure,
    });
    expect(talk.server.requests).toEqual([]);
  });

  it('is one key: a list is refused, and nothing is sent', async () => {
    const talk = await start([], { apiKey: () => 'sk-a,sk-b' });
    expect(await failureOf(stream(talk))).toMatchObject({
      code: 'invalid-settings',
      message: expect.stringContaining('an apiKey function returns one key'),
    });
    expect(talk.server.requests).toEqual([]);
  });

  it('abort does not wait for it', async () => {
    const talk = await start([], { apiKey: () => new Promise<string>(() => {}) });
    const controller = new AbortController();
    const call = failureOf(stream(talk, { abortSignal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ name: 'AbortError' });
  });
});

describe('how the key is sent', () => {
  it.each([
    ['bearer', { authorization: 'Bearer k' }],
    ['api-key', { 'api-key': 'k' }],
    ['x-goog-api-key', { 'x-goog-api-key': 'k' }],
  ] as const)('as %s', async (auth, expected) => {
    const talk = await start([say('x')], { apiKey: 'k', auth });
    await stream(talk);
    expect(talk.server.requests[0]?.headers).toMatchObject(expected);
  });

  it.each([
    ['no key', {}],
    ['an empty key', { apiKey: '' }],
    ['auth none', { apiKey: 'k', auth: 'none' }],
  ] as const)('%s: nothing is sent', async (_name, settings) => {
    const talk = await start([say('x')], settings);
    await stream(talk);
    expect(talk.server.requests[0]?.headers).not.toHaveProperty('authorization');
  });
});

describe('a missing key', () => {
  it.each([
    [{}, 'https://api.openai.com/v1/responses'],
    [{ baseURL: 'https://res.openai.azure.com' }, 'https://res.openai.azure.com/openai/v1/responses'],
  ])('with %j is said before anything is sent, with the URL and the fix', async (settings, url) => {
    let sent = 0;
    const fetch = async (): Promise<Response> => ((sent += 1), Response.error());
    // Whatever can be known when the provider is made is said then.
    const call = async () => stream({ provider: createResponsesProvider({ ...settings, fetch }) });
    const error = await failureOf(call());
    expect(ResponsesLoopError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      code: 'missing-api-key',
      message: expect.stringMatching(/needs an API key: pass apiKey/),
    });
    expect(error.message).toContain(url);
    expect(sent).toBe(0);
  });

  it('is none where headers of the user carry one', async () => {
    const seen: unknown[] = [];
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      seen.push(init?.headers);
      return Response.json(responseBody());
    };
    await generateText({ provider: createResponsesProvider({ headers: { Authorization: 'Bearer mine' }, fetch }) });
    expect(seen).toMatchObject([{ authorization: 'Bearer mine' }]);
  });
});

describe("where something has replaced the platform's own promises, as zone.js does", () => {
  class ZonePromise<T> extends Promise<T> {}
  beforeEach(() => void vi.stubGlobal('Promise', ZonePromise));
  afterEach(() => void vi.unstubAllGlobals());

  it('the key of a function is waited for', async () => {
    const seen: unknown[] = [];
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      seen.push(init?.headers);
      return Response.json(responseBody({ output: [{ type: 'text', text: 'Hi.' }] }));
    };
    const provider = createResponsesProvider({
      baseURL: 'https://relay.example.com',
      apiKey: async () => 'late',
      fetch,
    });
    expect(await generateText({ provider })).toBe('Hi.');
    expect(seen).toMatchObject([{ authorization: 'Bearer late' }]);
  });

  it('so are the tools', async () => {
    const { provider, server } = await start([callAdd('r1'), say('5', { id: 'r2' })], { tools: ADD });
    expect(await generateText({ provider })).toBe('5');
    expect(server.requests[0]?.body).toMatchObject({ tools: [{ name: 'add' }] });
  });
});

describe('OPENAI_API_KEY and OPENAI_BASE_URL', () => {
  const seen: { url: string; authorization: string | null }[] = [];
  const world = setupServer(
    http.all('*', ({ request }) => {
      seen.push({ url: request.url, authorization: request.headers.get('authorization') });
      return HttpResponse.json(responseBody({ output: [{ type: 'text', text: 'Hi.' }] }));
    }),
  );
  beforeAll(() => world.listen());
  afterEach(() => void seen.splice(0));
  afterAll(() => world.close());

  it('the key goes to OpenAI', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    expect(await generateText({ provider: createResponsesProvider() })).toBe('Hi.');
    expect(seen).toEqual([{ url: 'https://api.openai.com/v1/responses', authorization: 'Bearer sk-env' }]);
  });

  it.each([
    'https://openrouter.ai/api/v1',
    'https://relay.example.com',
    'https://api.openai.com.evil.example',
    'http://localhost:11434',
    'https://res.openai.azure.com',
  ])('the key is never sent to %s', async (baseURL) => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    await generateText({ provider: createResponsesProvider({ baseURL, headers: { 'api-key': 'own' } }) });
    expect(seen).toMatchObject([{ authorization: null }]);
  });

  it('the key is never sent elsewhere because a profile was chosen by name', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    await generateText({
      provider: createResponsesProvider({ baseURL: 'https://relay.example.com', backend: 'openai' }),
    }).catch(() => {});
    expect(seen.map(({ authorization }) => authorization)).not.toContain('Bearer sk-env');
  });

  it('a key of the settings comes first, and goes wherever it is told', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-env');
    await generateText({
      provider: createResponsesProvider({ baseURL: 'https://relay.example.com', apiKey: 'sk-own' }),
    });
    expect(seen).toEqual([{ url: 'https://relay.example.com/v1/responses', authorization: 'Bearer sk-own' }]);
  });

  it('the base URL of the environment is used where none is given', async () => {
    vi.stubEnv('OPENAI_BASE_URL', 'https://relay.example.com');
    await generateText({ provider: createResponsesProvider() });
    await generateText({ provider: createResponsesProvider({ baseURL: 'https://other.example.com' }) });
    expect(seen.map(({ url }) => url)).toEqual([
      'https://relay.example.com/v1/responses',
      'https://other.example.com/v1/responses',
    ]);
  });

  it('empty variables, as in an .env file that was not filled in, count as absent', async () => {
    vi.stubEnv('OPENAI_BASE_URL', '');
    vi.stubEnv('OPENAI_API_KEY', '');
    expect(createResponsesProvider().endpoint('m').url).toBe('https://api.openai.com/v1/responses');
    expect(await failureOf(generateText({ provider: createResponsesProvider() }))).toMatchObject({
      code: 'missing-api-key',
    });
  });
});
