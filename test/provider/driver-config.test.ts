import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createResponsesProvider } from '../../src/index.js';
import { responseBody } from '../../src/testing.js';
import { everythingPath } from '../tools/support/servers.js';
import { failureOf, generateText, HELLO, say, start, stream } from './support/talk.js';

/** What a driver that stands on this package hands through. */
describe('a driver configuration', () => {
  const openai = setupServer();
  beforeAll(() => openai.listen({ onUnhandledRequest: 'bypass' }));
  afterEach(() => {
    openai.resetHandlers();
    vi.unstubAllEnvs();
  });
  afterAll(() => openai.close());

  it('goes to OpenAI when it says nothing else', async () => {
    vi.stubEnv('OPENAI_BASE_URL', undefined);
    const seen: (string | null)[] = [];
    openai.use(
      http.post('https://api.openai.com/v1/responses', ({ request }) => {
        seen.push(request.headers.get('authorization'));
        return HttpResponse.json(responseBody({ output: [{ type: 'text', text: 'Hi.' }] }));
      }),
    );
    expect(await generateText({ provider: createResponsesProvider({ apiKey: 'k' }) })).toBe('Hi.');
    expect(seen).toEqual(['Bearer k']);
  });

  it('key, base URL and model arrive', async () => {
    const talk = await start([say('Hi.')], { apiKey: 'driver-key' });
    await stream(talk, {}, 'driver-model');
    expect(talk.server.requests).toMatchObject([
      { url: '/v1/responses', headers: { authorization: 'Bearer driver-key' }, body: { model: 'driver-model' } },
    ]);
  });

  it('the timeout holds', async () => {
    const talk = await start([{ none: 'stall' }], { timeouts: { headersMs: 30 } });
    expect(await failureOf(talk.provider('m').doStream(HELLO))).toMatchObject({ code: 'timeout' });
  });

  it('MCP servers are used, not silently ignored', async () => {
    const talk = await start([say('Hi.')], {
      mcpServers: { everything: { command: process.execPath, args: [everythingPath] } },
    });
    await stream(talk);
    expect(JSON.stringify(talk.server.requests[0]?.body['tools'])).toContain('get-sum');
  });
});
