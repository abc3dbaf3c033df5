import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ObserverEvent } from '../../src/index.js';
import type { JsonObject } from '../../src/core/json.js';
import { errorReply } from '../../src/testing.js';
import { ADD, callAdd, failureOf, say, start, stream } from '../provider/support/talk.js';

const rounds = () => [callAdd('r1'), say('Done.', { id: 'r2' })];

describe('auth as a function of the request', () => {
  it('is asked for every request, told everything, and what it gives opens doors and stays secret', async () => {
    const events: ObserverEvent[] = [];
    const asked: unknown[] = [];
    const talk = await start([...rounds().slice(0, 1), errorReply({ status: 400, message: 'signature-2 is wrong' })], {
      apiKey: 'the-key',
      tools: ADD,
      auth: async ({ url, body, modelId, round, apiKey }) => {
        asked.push({ url, model: body['model'], modelId, round, apiKey });
        return { 'X-Signed': `signature-${round + 1}` };
      },
      onEvent: (event) => events.push(event),
    });
    const parts = await stream(talk);
    expect(asked).toEqual([
      { url: talk.url, model: 'm', modelId: 'm', round: 0, apiKey: 'the-key' },
      { url: talk.url, model: 'm', modelId: 'm', round: 1, apiKey: 'the-key' },
    ]);
    expect(talk.server.requests.map(({ headers }) => headers['x-signed'])).toEqual(['signature-1', 'signature-2']);
    expect(talk.server.requests[0]?.headers.authorization).toBeUndefined();
    const told = JSON.stringify([events, parts], (_key, value: unknown) =>
      value instanceof Error ? [value.message, value.stack, Object.values(value)] : value,
    );
    expect(told).not.toContain('signature-');
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no network')), /"auth" is a function that failed: no network/],
    ['returns no object', () => 'Bearer x' as never, /auth is a function whose result is no object/],
    ['returns a line break', () => ({ 'x-a': 'b\nc' }), /auth\(\): the header "x-a" contains a line break/],
  ])('an auth function that %s is named in the error, and nothing is sent', async (_name, auth, message) => {
    const talk = await start([], { auth });
    const error = await failureOf(stream(talk));
    expect(error).toMatchObject({ code: 'invalid-settings' });
    expect(error.message).toMatch(message);
  });
});

describe('headers as a function', () => {
  it('are asked for every request, and stand where plain ones would', async () => {
    const talk = await start(rounds(), {
      tools: ADD,
      headers: ({ round }) => ({ 'x-round': String(round), 'x-model': 'provider' }),
      models: { m: { headers: async ({ modelId }) => ({ 'x-model': modelId }) } },
    });
    await stream(talk);
    expect(talk.server.requests.map(({ headers }) => [headers['x-round'], headers['x-model']])).toEqual([
      ['0', 'm'],
      ['1', 'm'],
    ]);
  });
});

describe('an item that a function keeps, and changes for the next round', () => {
  const note: JsonObject = { type: 'message', role: 'developer', content: '' };
  const noted = (body: JsonObject, round: number): JsonObject => {
    note['content'] = `round ${round}`;
    return { ...body, input: [...(body['input'] as JsonObject[]), note] };
  };

  it.each<[string, Parameters<typeof start>[1]]>([
    ['body', { models: { '*': { body: (body, { round }) => noted(body, round) } } }],
    ['transformRequest', { transformRequest: ({ body, round }) => ({ body: noted(body, round) }) }],
  ])('goes out as it is then: %s', async (_name, settings) => {
    const talk = await start(rounds(), { tools: ADD, ...settings });
    await stream(talk);
    expect(talk.server.requests.map(({ body }) => (body['input'] as JsonObject[]).at(-1)?.['content'])).toEqual([
      'round 0',
      'round 1',
    ]);
  });
});

describe('body as a function', () => {
  it('makes another body of every round', async () => {
    const talk = await start(rounds(), {
      tools: ADD,
      models: { '*': { body: (body) => ({ ...body, items: (body['input'] as unknown[]).length }) } },
    });
    await stream(talk);
    expect(talk.server.requests.map(({ body }) => body['items'])).toEqual([1, 3]);
  });
});

describe('body functions that cannot be right', () => {
  it.each<[string, (body: JsonObject) => unknown, RegExp]>([
    ['asynchronous ones', async (body) => body, /may not be asynchronous: use transformRequest/],
    ['those that return a text', () => 'x', /must return the whole body/],
    ['those that return nothing', () => undefined, /must return the whole body/],
    ['those that drop the model', () => ({ input: [] }), /no "model" or no "input"/],
    [
      'those that throw',
      () => {
        throw new Error('oops');
      },
      /A function in models\[…\]\.body failed: oops/,
    ],
  ])('%s are named in the error, and nothing is sent', async (_name, body, message) => {
    const talk = await start([], { models: { '*': { body: body as never } } });
    const error = await failureOf(stream(talk));
    expect(error).toMatchObject({ code: 'invalid-settings' });
    expect(error.message).toMatch(message);
  });

  it('the option `body` of a call that takes the model away is refused', async () => {
    const talk = await start([]);
    const providerOptions = { 'responses-loop': { body: { model: null } } };
    expect((await failureOf(stream(talk, { providerOptions }))).message).toMatch(/no "model"/);
  });

  it('are told model and round', async () => {
    const seen: unknown[] = [];
    const talk = await start(rounds(), {
      tools: ADD,
      models: { '*': { body: (body, place) => (seen.push(place), body) } },
    });
    await stream(talk);
    expect(seen).toEqual([
      { modelId: 'm', round: 0 },
      { modelId: 'm', round: 1 },
    ]);
  });
});

describe('transformRequest', () => {
  it('has the last word on every round: url, headers and body', async () => {
    const talk = await start(rounds(), {
      tools: ADD,
      apiKey: 'k',
      models: { m: { body: { user: 'override' } } },
      transformRequest: async ({ url, headers, body, modelId, round }) => ({
        url: `${url}?round=${round}`,
        headers: { ...headers, 'x-model': modelId },
        body: { ...body, user: `${body['user'] as string}-last` },
      }),
    });
    await stream(talk);
    expect(talk.server.requests.map(({ url }) => url)).toEqual(['/v1/responses?round=0', '/v1/responses?round=1']);
    for (const { headers, body } of talk.server.requests) {
      expect(headers).toMatchObject({ authorization: 'Bearer k', 'x-model': 'm' });
      expect(body['user']).toBe('override-last');
    }
  });

  it('puts the headers it returns over those there were; null takes one away', async () => {
    const talk = await start([say('Hi.')], {
      apiKey: 'k',
      headers: { 'x-gone': '1' },
      transformRequest: () => ({ headers: { 'x-own': '1', 'x-gone': null } }),
    });
    await stream(talk);
    const { headers } = talk.server.requests[0] ?? {};
    expect(headers).toMatchObject({ authorization: 'Bearer k', 'x-own': '1', 'content-type': 'application/json' });
    expect(headers).not.toHaveProperty('x-gone');
  });

  it('works on a copy: what it changes in place is not there in the next round', async () => {
    const talk = await start(rounds(), {
      tools: ADD,
      transformRequest: ({ body }) => {
        (body['input'] as unknown[]).push({ role: 'user', content: 'once more' });
        return { body };
      },
    });
    await stream(talk);
    const extra = talk.server.requests.map(({ text }) => text.split('once more').length - 1);
    expect(extra).toEqual([1, 1]);
  });

  it('that throws with the key in its words gives an error without it', async () => {
    const talk = await start([], {
      apiKey: 'sk-a-very-secret-key',
      transformRequest: ({ headers }) => {
        throw new Error(`cannot sign ${headers['authorization'] ?? ''}`);
      },
    });
    const error = await failureOf(stream(talk));
    expect(`${error.message} ${String(error.cause)}`).toContain('cannot sign');
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain('very-secret');
  });

  it('that returns nothing changes nothing', async () => {
    const talk = await start([say('Hi.')], { transformRequest: () => {} });
    await stream(talk);
    expect(talk.server.requests[0]?.body['model']).toBe('m');
  });

  it.each([
    [{ body: { input: [] } }, /without "model"/],
    [{ body: { model: 'm' } }, /without "input"/],
    [{ body: 'x' as never }, /a body that is not an object/],
    [{ url: 'nowhere' }, /a url that is not a complete URL/],
    [{ headers: { 'a b': '1' } }, /transformRequest\(\): the header "a b"/],
    ['x' as never, /returned string, not an object/],
    [{ input: [], model: 'm' } as never, /returned "input", "model"; known are url, headers, body/],
    [{ url: 'https://me:pw@relay.example.com/v1' }, /user name or password/],
  ])('that returns %j is refused by name, and nothing is sent', async (changes, message) => {
    const talk = await start([], { transformRequest: () => changes });
    expect((await failureOf(stream(talk))).message).toMatch(message);
  });
});

describe('what models may bring beside headers, query and body', () => {
  it('limits of their own', async () => {
    const talk = await start([callAdd('r1'), callAdd('r2'), say('Enough.', { id: 'r3' })], {
      tools: ADD,
      maxRounds: 9,
      models: { m: { limits: { maxRounds: 2 } } },
    });
    await stream(talk);
    expect(talk.server.requests[2]?.body['tool_choice']).toBe('none');
  });

  it('a back end of their own', () => {
    const provider = createResponsesProvider({
      baseURL: 'https://relay.example.com',
      models: { 'or/*': { backend: 'openrouter' } },
    });
    expect(provider.endpoint('or/x')).toMatchObject({
      backend: 'openrouter',
      url: 'https://relay.example.com/api/v1/responses',
    });
    expect(provider.endpoint('x').backend).toBe('generic');
  });
});

describe('accounts', () => {
  it('organization and project travel in the headers OpenAI knows', async () => {
    const talk = await start([say('Hi.')], { organization: 'org-1', project: 'proj-1' });
    await stream(talk);
    expect(talk.server.requests[0]?.headers).toMatchObject({
      'openai-organization': 'org-1',
      'openai-project': 'proj-1',
    });
  });

  it('an Azure resource is enough', () => {
    const provider = createResponsesProvider({ resourceName: 'pond', apiKey: 'k', apiVersion: 'preview' });
    expect(provider.endpoint('gpt')).toMatchObject({
      backend: 'azure',
      url: 'https://pond.openai.azure.com/openai/v1/responses?api-version=preview',
    });
    const old = createResponsesProvider({
      resourceName: 'pond',
      apiVersion: '2025-04-01-preview',
      useDeploymentBasedUrls: true,
    });
    expect(old.endpoint('gpt').url).toBe(
      'https://pond.openai.azure.com/openai/deployments/gpt/responses?api-version=2025-04-01-preview',
    );
    expect(() => createResponsesProvider({ resourceName: 'https://pond.openai.azure.com' })).toThrow(/resource/);
  });
});

describe('what cannot be right is refused at creation, not at the first call', () => {
  it.each([
    ['a base URL that is none', { baseURL: 'not a url' }, /baseURL is not a URL/],
    ['a header with a line break', { headers: { 'x-a': 'b\nc' } }, /line break/],
    ['a body without a model', { models: { '*': { body: { model: null } } } }, /removes "model"/],
    ['a key with a line break', { apiKey: 'a\nb' }, /white space/],
    ['an empty key where one is needed', { apiKey: ' , ', baseURL: 'https://api.openai.com' }, /needs an API key/],
    ['an organization with a line break', { organization: 'org\nx' }, /line break/],
    ['limits that are none', { models: { m: { limits: { maxRound: 1 } as never } } }, /no member "maxRound"/],
    [
      'no requests at all',
      { models: { m: { limits: { requestsPerRound: 0 } } } },
      /"limits.requestsPerRound" must be a number of at least 1/,
    ],
  ])('%s', (_name, settings, message) => {
    expect(() => createResponsesProvider(settings)).toThrow(message);
  });
});
