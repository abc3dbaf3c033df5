import { describe, expect, it } from 'vitest';
import { createKelivoResponsesProvider, createResponsesProvider } from '../../src/index.js';
import { overridesFor } from '../../src/settings/model-settings.js';
import { ADD, callAdd, say, start, stream } from '../provider/support/talk.js';

describe('which overrides fit a model', () => {
  it.each<[string, string, boolean]>([
    ['gpt-5', 'gpt-5', true],
    ['gpt-5', 'gpt-5.1', false],
    ['gpt-5*', 'gpt-5.1-mini', true],
    ['*', 'anything/at-all', true],
    ['*mini', 'gpt-5.1-mini', true],
    ['openai/*:free', 'openai/gpt-oss-20b:free', true],
    ['GPT-5*', 'gpt-5.1', true],
    ['gpt.5', 'gpt-5', false],
    ['gpt-5(a|b)', 'gpt-5a', false],
    ['', 'gpt-5', false],
  ])('%j and %s: %s', (pattern, modelId, fits) => {
    expect(overridesFor(modelId, { [pattern]: {} })).toHaveLength(fits ? 1 : 0);
  });

  it('a model id that is too long is rejected before anything is sent', async () => {
    const provider = createResponsesProvider({ apiKey: 'k' });
    const message = /The model id has 1001 characters; no more than 1000 are taken\. It begins with "xxx/;
    expect(() => provider.endpoint('x'.repeat(1_001))).toThrow(message);
    await expect(stream({ provider }, {}, 'x'.repeat(1_001))).rejects.toThrow(message);
    expect(() => provider.endpoint('x'.repeat(1_000))).not.toThrow();
  });

  it('all that fit, in the order they were written', () => {
    const models = { '*': { body: { n: 1 } }, other: { body: { n: 2 } }, 'gpt*': { body: { n: 3 } } };
    expect(overridesFor('gpt-5', models).map(({ body }) => body)).toEqual([{ n: 1 }, { n: 3 }]);
  });
});

describe('overrides reach every round', () => {
  it('headers behind a getter are read for every call', async () => {
    const { server } = await start([say('a'), say('b')]);
    let token = 0;
    const provider = createResponsesProvider({
      baseURL: server.baseURL,
      get headers() {
        token += 1;
        return { 'x-token': `t${token}` };
      },
    });
    await stream({ provider });
    await stream({ provider });
    const [first, second] = server.requests.map(({ headers }) => headers['x-token']);
    expect(second).not.toBe(first);
  });

  it('headers, query and body; null takes away; what is more specific comes later: provider, model, call', async () => {
    const talk = await start([callAdd('r1'), callAdd('r2'), say('5', { id: 'r3' })], {
      tools: ADD,
      headers: { 'x-provider': 'p', 'x-model': 'p', 'x-call': 'p', 'x-gone': 'p' },
      query: { tenant: 'p', zone: 'p' },
      models: {
        'm*': {
          headers: { 'X-Model': 'm', 'x-call': 'm', 'X-Gone': null },
          query: { zone: 'm' },
          body: { store: null, reasoning: { effort: 'low', summary: 'auto' }, vendor: 1 },
        },
        m: { body: { reasoning: { summary: null } } },
        n: { headers: { 'x-provider': 'never' }, body: { never: true } },
      },
    });
    await stream(talk, { headers: { 'X-CALL': 'c' } });
    expect(talk.server.requests).toHaveLength(3);
    for (const { headers, body, url } of talk.server.requests) {
      expect(headers).toMatchObject({ 'x-provider': 'p', 'x-model': 'm', 'x-call': 'c' });
      expect(headers).not.toHaveProperty('x-gone');
      expect(url).toBe('/v1/responses?tenant=p&zone=m');
      expect(body).toMatchObject({ reasoning: { effort: 'low' }, vendor: 1 });
      expect(body['reasoning']).not.toHaveProperty('summary');
      expect(body).not.toHaveProperty('store');
      expect(body).not.toHaveProperty('never');
    }
  });

  it('another model is sent none of it', async () => {
    const talk = await start([say('x')], {
      models: { 'gpt-5*': { headers: { 'x-a': '1' }, query: { a: '1' }, body: { a: 1 } } },
    });
    await stream(talk, {}, 'gpt-4');
    const [request] = talk.server.requests;
    expect(request?.headers).not.toHaveProperty('x-a');
    expect(request?.body).not.toHaveProperty('a');
    expect(request?.url).toBe('/v1/responses');
  });

  it('the body of a call has the last word, on every round', async () => {
    const talk = await start([callAdd('r1'), say('5', { id: 'r2' })], {
      tools: ADD,
      models: { '*': { body: { seed: 1, top_k: 5 } } },
    });
    await stream(talk, { providerOptions: { openai: { body: { seed: 2, model: 'real' } } } });
    expect(talk.server.requests.map(({ body }) => [body['seed'], body['top_k'], body['model']])).toEqual([
      [2, 5, 'real'],
      [2, 5, 'real'],
    ]);
  });
});

describe('the injected fetch', () => {
  it('makes every request of a call, and is called without a this', async () => {
    const talk = await start([callAdd('r1'), callAdd('r2'), say('5', { id: 'r3' })]);
    const seen: unknown[] = [];
    const strict = function (this: unknown, ...args: Parameters<typeof fetch>): Promise<Response> {
      seen.push(this);
      return fetch(...args);
    };
    const provider = createResponsesProvider({ baseURL: talk.server.baseURL, tools: ADD, fetch: strict });
    await stream({ provider });
    expect(seen).toEqual([undefined, undefined, undefined]);
    talk.server.assertDone();
  });
});

describe('the headers of a request', () => {
  it("are the few that are needed, with none of the SDK's own", async () => {
    const seen: unknown[] = [];
    const fetch = async (_url: unknown, init?: RequestInit): Promise<Response> => {
      seen.push(init?.headers);
      return new Response('data: {"type":"response.completed","response":{"id":"r","output":[]}}\n\n');
    };
    await stream(
      { provider: createResponsesProvider({ baseURL: 'http://localhost:8080', apiKey: 'k', fetch }) },
      { headers: { 'user-agent': 'ai/5.0.277 runtime/node.js/20' } },
    );
    expect(seen).toEqual([
      { accept: 'text/event-stream, application/json', authorization: 'Bearer k', 'content-type': 'application/json' },
    ]);
  });

  it("a user agent of the caller's own is the caller's wish", async () => {
    const talk = await start([say('x')]);
    await stream(talk, { headers: { 'User-Agent': 'my-app/1.0' } });
    expect(talk.server.requests[0]?.headers['user-agent']).toBe('my-app/1.0');
  });
});

describe('createKelivoResponsesProvider', () => {
  it.each([
    ['https://relay.example.com/', 'https://relay.example.com/responses'],
    ['https://relay.example.com', 'https://relay.example.com/v1/responses'],
    ['https://relay.example.com/x#', 'https://relay.example.com/x'],
  ])('%s goes to %s', (baseURL, url) => {
    expect(createKelivoResponsesProvider({ baseURL }).endpoint('m').url).toBe(url);
  });

  it('truncation is auto, unless the call says otherwise', async () => {
    const { server } = await start([say('x'), say('y')]);
    const provider = createKelivoResponsesProvider({ baseURL: server.baseURL });
    await stream({ provider });
    await stream({ provider }, { providerOptions: { openai: { truncation: 'disabled' } } });
    expect(server.requests.map(({ body }) => body['truncation'])).toEqual(['auto', 'disabled']);
  });
});

describe('endpoint', () => {
  it('shows where requests go, and why, without secrets', () => {
    const provider = createResponsesProvider({ baseURL: 'https://openrouter.ai', query: { key: 'qu3ry' } });
    expect(provider.endpoint('m')).toEqual({
      url: 'https://openrouter.ai/api/v1/responses?key=%5Bredacted%5D',
      backend: 'openrouter',
      reasons: expect.arrayContaining([expect.stringContaining('/api/v1')]),
    });
  });

  it('a deployment in the URL becomes the model', async () => {
    const bodies: unknown[] = [];
    const fetch = async (url: unknown, init?: RequestInit): Promise<Response> => {
      bodies.push(url, JSON.parse(init?.body as string));
      return new Response('data: {"type":"response.completed","response":{"id":"r","output":[]}}\n\n');
    };
    await stream(
      {
        provider: createResponsesProvider({
          baseURL: 'https://res.openai.azure.com/openai/deployments/my-gpt/chat/completions?api-version=2024-06-01',
          apiKey: 'k',
          fetch,
        }),
      },
      {},
      'gpt-4o',
    );
    expect(bodies).toMatchObject(['https://res.openai.azure.com/openai/v1/responses', { model: 'my-gpt' }]);
  });
});
