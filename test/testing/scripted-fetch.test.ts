import { describe, expect, it } from 'vitest';

import {
  createGate,
  createScriptedServer,
  errorReply,
  everyByte,
  responseEvents,
  scriptedFetch,
} from '../../src/testing.js';
import { CONVERSATION, converse } from './support/conversation.js';

const URL = 'https://anywhere.test/v1/responses';
const post = (signal?: AbortSignal): RequestInit => ({ method: 'POST', body: '{}', ...(signal && { signal }) });

describe('scriptedFetch', () => {
  it('is a model that says what it is told, as the server does', async () => {
    const fetch = scriptedFetch(CONVERSATION);
    const parts = await converse({ fetch });
    expect(JSON.stringify(parts)).toContain('naïvely');
    expect(fetch.requests.at(-1)?.input.at(-1)).toMatchObject({ type: 'function_call_output', output: '9' });
    fetch.assertDone();

    await using server = await createScriptedServer({ steps: CONVERSATION });
    expect(await converse({ fetch: (_, init) => globalThis.fetch(`${server.baseURL}/responses`, init) })).toEqual(
      parts,
    );
  });

  it('says a text, or what is described, under ids of their own', async () => {
    const fetch = scriptedFetch([
      { output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 } }] },
      () => ({ output: [{ type: 'call', name: 'add', arguments: { a: 5, b: 4 } }] }),
      'It is 9.',
    ]);
    expect(await converse({ fetch })).toContainEqual(expect.objectContaining({ type: 'text-delta', text: ' 9.' }));
    expect(fetch.requests[2]?.input.filter((item) => 'call_id' in item).map((item) => item['call_id'])).toEqual([
      'call_1_0',
      'call_1_0',
      'call_2_0',
      'call_2_0',
    ]);
    fetch.assertDone();
  });

  it.each([
    [true, 'text/event-stream; charset=utf-8'],
    [false, 'application/json'],
    [undefined, 'application/json'],
  ])('describes a response as the request wants it: stream %s', async (stream, type) => {
    const fetch = scriptedFetch(['Hello.', { id: 'resp_own', output: [], status: 'incomplete' }]);
    for (const said of ['"id":"resp_1"', '"id":"resp_own"']) {
      const response = await fetch(URL, { method: 'POST', body: JSON.stringify({ stream }) });
      expect(response.headers.get('content-type')).toBe(type);
      expect(await response.text()).toContain(said);
    }
  });

  it('takes a Request, and tells the steps what was sent', async () => {
    const fetch = scriptedFetch([({ body, headers, url }) => ({ json: { body, type: headers['x-type'], url } })]);
    const request = new Request(`${URL}?version=1`, { ...post(), body: '{"a":1}', headers: { 'X-Type': 'b' } });
    const response = await fetch(request);
    expect(await response.json()).toEqual({ body: { a: 1 }, type: 'b', url: '/v1/responses?version=1' });
    await expect(fetch.waitForRequest(0)).resolves.toMatchObject({ method: 'POST', text: '{"a":1}' });
  });

  it('cuts the bytes as told', async () => {
    const fetch = scriptedFetch([{ bytes: 'abc', rechunk: everyByte }]);
    const { body } = await fetch(URL, post());
    const chunks: number[] = [];
    for await (const chunk of body ?? []) chunks.push(chunk.length);
    expect(chunks).toEqual([1, 1, 1]);
  });

  it('holds a stream at a gate', async () => {
    const gate = createGate();
    const fetch = scriptedFetch([{ bytes: ['a', gate.released, 'b'] }]);
    const reader = (await fetch(URL, post())).body?.getReader();
    const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
    expect(await read()).toBe('a');
    gate.release();
    expect(await read()).toBe('b');
    expect((await reader?.read())?.done).toBe(true);
  });

  it('breaks as a connection does, behind what it has sent', async () => {
    const fetch = scriptedFetch([{ none: 'reset' }, { bytes: 'half', ending: 'reset' }]);
    await expect(fetch(URL, post())).rejects.toThrow(new TypeError('fetch failed'));
    const reader = (await fetch(URL, post())).body?.getReader();
    expect((await reader?.read())?.value).toEqual(new TextEncoder().encode('half'));
    await expect(reader?.read()).rejects.toThrow(new TypeError('terminated'));
  });

  it('is silent until it is aborted', async () => {
    const fetch = scriptedFetch([{ none: 'stall' }, { bytes: 'half', ending: 'stall' }]);
    const first = new AbortController();
    const answer = fetch(URL, post(first.signal));
    first.abort();
    await expect(answer).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    const second = new AbortController();
    const { body } = await fetch(URL, post(second.signal));
    const reader = body?.getReader();
    await reader?.read();
    second.abort();
    await expect(reader?.read()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await Promise.all(fetch.requests.map(({ closed }) => closed));
    expect(fetch.requests.map(({ aborted }) => aborted)).toEqual([true, true]);
    await expect(fetch(URL, post(AbortSignal.abort()))).rejects.toThrow(/aborted/);
  });

  it('notices that nobody reads on', async () => {
    const fetch = scriptedFetch([{ bytes: ['a', 'b'] }]);
    await (await fetch(URL, post())).body?.cancel();
    await fetch.requests[0]?.closed;
    expect(fetch.requests[0]?.aborted).toBe(true);
  });

  it('says what should not have happened', async () => {
    const fetch = scriptedFetch([{ json: {} }, { json: {} }]);
    await fetch(URL, post());
    expect(() => fetch.assertDone()).toThrow('1 of 2 steps was never asked for');
    await fetch(URL, post());
    fetch.assertDone();
    expect((await fetch(URL, post())).status).toBe(417);
    expect((await fetch('https://anywhere.test/v1/models')).status).toBe(404);
    expect(fetch.problems).toEqual([
      'Request 3 came, but the script has only 2 steps.',
      'GET /v1/models came, but this server knows only POST …/responses.',
    ]);
  });

  it('goes on with what else there is', async () => {
    const fetch = scriptedFetch([responseEvents()], { otherwise: errorReply({ status: 429 }) });
    const statuses = [await fetch(URL, post()), await fetch(URL, post()), await fetch(URL, post())];
    expect(statuses.map(({ status }) => status)).toEqual([200, 429, 429]);
    fetch.assertDone();
  });

  it('gives statuses that have no body', async () => {
    const fetch = scriptedFetch([{ bytes: '', status: 204 }]);
    const response = await fetch(URL, post());
    expect([response.status, response.body]).toEqual([204, null]);
  });
});
