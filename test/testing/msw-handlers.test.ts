import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { describe, expect, it, onTestFinished } from 'vitest';

import { everyByte, mswHandlers, recordFetch, scriptedFetch } from '../../src/testing.js';
import { BASE_URL, CONVERSATION, converse, freshDirectory } from './support/conversation.js';

async function recorded(steps = CONVERSATION): Promise<{ directory: string; parts: readonly unknown[] }> {
  const directory = await freshDirectory();
  const fetch = recordFetch(directory, { fetch: scriptedFetch(steps) });
  const parts = await converse({ fetch });
  await fetch.save();
  return { directory, parts };
}

function listen(...handlers: Parameters<typeof setupServer>): void {
  const server = setupServer(...handlers);
  server.listen({ onUnhandledRequest: 'error' });
  onTestFinished(() => server.close());
}

describe('mswHandlers', () => {
  it.each([
    {},
    { baseURL: BASE_URL },
    { baseURL: `${BASE_URL}/`, rechunk: everyByte },
    { timing: 'recorded' },
  ] as const)('replays the conversation through msw: %o', async (options) => {
    const { directory, parts } = await recorded();
    const handlers = mswHandlers(directory, { http, ...options });
    listen(...handlers);
    expect(await converse({})).toEqual(parts);
    handlers.assertDone();
    expect(handlers.requests).toHaveLength(3);
  });

  it.each([
    'http://models.example.test',
    'models.example.test',
    'http://models.example.test/v1/responses',
    `${BASE_URL}#`,
  ])('answers the provider whose base URL is %s', async (baseURL) => {
    const { directory, parts } = await recorded();
    const handlers = mswHandlers(directory, { http, baseURL });
    listen(...handlers);
    const seen = await converse({ baseURL: baseURL.replace(/#$/, '/responses#') });
    expect(seen).toEqual(parts);
    handlers.assertDone();
  });

  it('says what differs', async () => {
    const { directory } = await recorded();
    const handlers = mswHandlers(directory, { http });
    listen(...handlers);
    expect(JSON.stringify(await converse({}, 'Hello'))).toContain('got \\"Hello\\"');
    expect(() => handlers.assertDone()).toThrow('expected "What is 2 + 3 + 4?", got "Hello"');
  });

  it('leaves other places to other handlers', async () => {
    const { directory } = await recorded();
    const handlers = mswHandlers(directory, { http, baseURL: 'https://elsewhere.test/v1' });
    listen(
      ...handlers,
      http.post(`${BASE_URL}/responses`, () => HttpResponse.json({ mine: true })),
    );
    const response = await fetch(`${BASE_URL}/responses`, { method: 'POST', body: '{}' });
    expect(await response.json()).toEqual({ mine: true });
    expect(() => handlers.assertDone()).toThrow('No request ever came');
  });

  it('breaks where the recorded connection broke', async () => {
    const { directory, parts } = await recorded([{ bytes: 'data: {"type":"response.created"}\n\n', ending: 'reset' }]);
    listen(...mswHandlers(directory, { http }));
    expect(await converse({})).toEqual(parts);
  });
});
