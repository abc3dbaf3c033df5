import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import {
  createGate,
  createScriptedServer,
  encodeEvents,
  everyByte,
  readFixture,
  recordFetch,
  replayFetch,
  responseEvents,
  scriptedFetch,
} from '../../src/testing.js';
import { BASE_URL, CONVERSATION, converse, freshDirectory, post, SEALED } from './support/conversation.js';

const URL = `${BASE_URL}/responses`;
describe('what recordFetch keeps', () => {
  it('is the whole conversation, in rounds, and the app sees no difference', async () => {
    const directory = await freshDirectory('my-server');
    await using server = await createScriptedServer({ steps: [...CONVERSATION, ...CONVERSATION] });
    const { baseURL } = server;
    const fetch = recordFetch(directory, { title: 'Adding', source: 'a server 1.2', notes: 'Three rounds.' });
    const recorded = await converse({ baseURL, fetch });
    await fetch.save();
    expect(await converse({ baseURL })).toEqual(recorded);
    const { meta, rounds } = await readFixture(directory);
    expect(meta).toMatchObject({ name: 'my-server', title: 'Adding', origin: 'recorded', source: 'a server 1.2' });
    expect(meta.notes).toBe(
      'Three rounds. Keys in the bodies are replaced by [redacted], sealed reasoning by sealed-1 and so on.',
    );
    expect(rounds.map(({ status, kind, ending, aborted }) => [status, kind, ending, aborted])).toEqual(
      Array.from({ length: 3 }, () => [200, 'sse', 'end', undefined]),
    );
    expect(rounds.map(({ request }) => request)).toMatchObject(
      server.requests.slice(0, 3).map(({ body }) => JSON.parse(JSON.stringify(body).replaceAll(SEALED, 'sealed-1'))),
    );
  });

  it('is every byte and the time of every chunk', async () => {
    const directory = await freshDirectory();
    const bytes = encodeEvents(responseEvents({ output: [{ type: 'text', text: 'Grüße 👩‍👧' }] }));
    const headers = { 'content-type': 'text/event-stream', date: 'today', 'x-request-id': 'req_1' };
    const real = scriptedFetch([{ bytes, rechunk: everyByte, headers }]);
    const fetch = recordFetch(directory, { fetch: real });
    const seen = await (await fetch(URL, post())).bytes();
    await fetch.save();
    const [round] = (await readFixture(directory)).rounds;
    expect(Buffer.from(seen)).toEqual(Buffer.from(bytes));
    expect(round?.body).toEqual(Buffer.from(bytes));
    expect(round?.chunks?.map(([length]) => length)).toEqual(Array.from(bytes, () => 1));
    const times = round?.chunks?.map(([, ms]) => ms) ?? [];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(round?.headers).toEqual({ 'content-type': 'text/event-stream', 'x-request-id': 'req_1' });
  });

  it('is half a character too, where the connection broke inside of one', async () => {
    const directory = await freshDirectory();
    const bytes = new TextEncoder().encode('data: {"type":"response.output_text.delta","delta":"👩').slice(0, -2);
    const fetch = recordFetch(directory, { fetch: scriptedFetch([{ bytes, ending: 'reset' }]) });
    const response = await fetch(URL, post());
    await expect(response.text()).rejects.toThrow('terminated');
    await fetch.save();
    const [round] = (await readFixture(directory)).rounds;
    expect([round?.ending, round?.body]).toEqual(['reset', Buffer.from(bytes)]);
  });

  it('is an answer that is no stream, with its status', async () => {
    const directory = await freshDirectory();
    const real = scriptedFetch([{ json: { id: 'resp_1' } }, { html: '<p>Down</p>', status: 503 }]);
    const fetch = recordFetch(directory, { fetch: real });
    expect(await (await fetch(URL, post())).json()).toEqual({ id: 'resp_1' });
    expect((await fetch(new Request(URL, post()))).status).toBe(503);
    await Promise.race([fetch.save(), Promise.resolve()]);
    expect((await readFixture(directory)).rounds).toMatchObject([{ status: 200, kind: 'json' }]);
  });

  it('stands in the order of the requests, whichever answer is over first', async () => {
    const directory = await freshDirectory();
    const gate = createGate();
    const events = [responseEvents({ id: 'resp_a' }), responseEvents({ id: 'resp_b' })] as const;
    const real = scriptedFetch([{ events: [...events[0], gate.released] }, { events: [...events[1]] }]);
    const fetch = recordFetch(directory, { fetch: real });
    const slow = fetch(URL, post({ model: 'a' })).then((response) => response.text());
    const quick = fetch(URL, post({ model: 'b' })).then((response) => response.text());
    await quick;
    expect((await readFixture(directory)).rounds.map(({ request }) => request)).toEqual([{ model: 'b' }]);
    gate.release();
    await slow;
    const { rounds } = await readFixture(directory);
    expect(rounds.map(({ request }) => request)).toEqual([{ model: 'a' }, { model: 'b' }]);
    expect(rounds.map(({ body }) => /resp_[ab]/.exec(new TextDecoder().decode(body))?.[0])).toEqual([
      'resp_a',
      'resp_b',
    ]);
  });

  it('is nothing of other requests, nor of those without an answer', async () => {
    const directory = await freshDirectory();
    const calls: unknown[] = [];
    const real: typeof globalThis.fetch = async (...args) => {
      calls.push(args);
      if (calls.length === 4) throw new TypeError('fetch failed');
      return new Response('{}');
    };
    const fetch = recordFetch(directory, { fetch: real });
    const others = [
      ['https://mcp.example.test/mcp', post({ jsonrpc: '2.0' })],
      [URL, {}],
      [URL, { method: 'POST', body: 'no JSON' }],
    ] as const;
    for (const [url, init] of others) await fetch(url, init);
    expect(calls).toEqual(others);
    await expect(fetch(URL, post())).rejects.toThrow('fetch failed');
    await fetch.save();
    await expect(readFixture(directory)).rejects.toThrow('is missing');
  });
});

describe('what an app gives to fetch', () => {
  const text = '{"model":"m"}';
  const stream = (): ReadableStream => new Blob([text]).stream();
  const requests: readonly (readonly [string, () => Parameters<typeof globalThis.fetch>])[] = [
    ['bytes, to a URL', () => [new globalThis.URL(URL), { method: 'post', body: Buffer.from(text) }]],
    ['a path that ends in a slash', () => [`${URL}/?api-version=1`, { method: 'POST', body: text }]],
    ['a stream', () => [URL, { method: 'POST', body: stream(), duplex: 'half' } as RequestInit]],
    ['a request', () => [new Request(URL, { method: 'POST', body: text })]],
    [
      'a request of a stream',
      () => [new Request(URL, { method: 'POST', body: stream(), duplex: 'half' } as RequestInit)],
    ],
    ['a request, and another body', () => [new Request(URL, { method: 'POST', body: '{}' }), { body: text }]],
  ];

  it.each(requests)('%s is kept, sent on, and replayed', async (_, args) => {
    const directory = await freshDirectory();
    const real = scriptedFetch([{ json: { id: 'resp_1' } }]);
    const fetch = recordFetch(directory, { fetch: real });
    await (await fetch(...args())).text();
    await fetch.save();
    expect(real.requests.map((request) => request.text)).toEqual([text]);
    expect((await readFixture(directory)).rounds.map(({ request }) => request)).toEqual([{ model: 'm' }]);
    const replay = replayFetch(directory);
    expect(await (await replay(...args())).json()).toEqual({ id: 'resp_1' });
    replay.assertDone();
  });

  it('is no reason to wait for ever when the answer cannot be used', async () => {
    const odd = { body: {}, headers: new Headers(), status: 200 } as unknown as Response;
    const fetch = recordFetch(await freshDirectory(), { fetch: async () => odd });
    await expect(fetch(URL, post())).rejects.toThrow('getReader');
    await fetch.save();
  });
});

describe('an app that leaves', () => {
  const half = { bytes: 'data: {"type":"response.created"}\n\n', ending: 'stall' } as const;

  it.each([
    ['cancels', async (response: Response) => response.body?.cancel()],
    [
      'reads and cancels',
      async (response: Response) => {
        const reader = response.body?.getReader();
        await reader?.read();
        await reader?.cancel();
      },
    ],
    ['aborts', async (_: Response, abort: () => void) => abort()],
    [
      'aborts while it waits',
      async (response: Response, abort: () => void) => {
        const reader = response.body?.getReader();
        await reader?.read();
        const next = reader?.read();
        abort();
        await expect(next).rejects.toThrow(/abort/);
      },
    ],
  ])('%s: so does the request, and the recording says so', async (_, leave) => {
    const directory = await freshDirectory();
    const real = scriptedFetch([half]);
    const fetch = recordFetch(directory, { fetch: real });
    const controller = new AbortController();
    const response = await fetch(URL, post({}, { signal: controller.signal }));
    await leave(response, () => controller.abort());
    await fetch.save();
    await real.requests[0]?.closed;
    expect(real.requests[0]?.aborted).toBe(true);
    expect((await readFixture(directory)).rounds).toMatchObject([{ ending: 'reset', aborted: true }]);
  });

  it('has left nothing out when the answer had said its last word', async () => {
    const directory = await freshDirectory();
    const fetch = recordFetch(directory, { fetch: scriptedFetch([{ events: responseEvents(), ending: 'stall' }]) });
    const reader = (await fetch(URL, post())).body?.getReader();
    for (let text = ''; !text.includes('response.completed');) {
      text = new TextDecoder().decode((await reader?.read())?.value);
    }
    await reader?.cancel();
    await fetch.save();
    const [round] = (await readFixture(directory)).rounds;
    expect([round?.ending, round?.aborted]).toEqual(['end', undefined]);
  });
});

describe('a fixture that is there', () => {
  it('is not touched', async () => {
    const directory = await freshDirectory();
    const fetch = recordFetch(directory, { fetch: scriptedFetch([{ json: {} }]) });
    await (await fetch(URL, post())).text();
    await fetch.save();
    expect(() => recordFetch(directory)).toThrow(/meta\.json: is there already; `overwrite: true` replaces/);
  });

  it('is not touched when another recording made it meanwhile', async () => {
    const directory = await freshDirectory();
    const both = [{ id: 'first' }, { id: 'second' }].map((json) =>
      recordFetch(directory, { fetch: scriptedFetch([{ json }]) }),
    );
    for (const fetch of both) await (await fetch(URL, post())).text();
    await both[0]?.save();
    await expect(both[1]?.save()).rejects.toThrow('is there already');
    expect(new TextDecoder().decode((await readFixture(directory)).rounds[0]?.body)).toContain('first');
  });

  it.each(['', '/'])('has a name, which %j is not', (directory) => {
    expect(() => recordFetch(directory, { overwrite: true })).toThrow('names no directory for the fixture');
  });

  it('cannot be where a file is: save() says so', async () => {
    const directory = await freshDirectory();
    await writeFile(directory, '');
    const fetch = recordFetch(join(directory, 'below'), { fetch: scriptedFetch([{ json: {} }]) });
    expect(await (await fetch(URL, post())).json()).toEqual({});
    await expect(fetch.save()).rejects.toThrow(/below: ENOTDIR/);
  });

  it('is replaced as a whole when that is wanted', async () => {
    const directory = await freshDirectory();
    const record = async (...steps: Parameters<typeof scriptedFetch>[0]): Promise<void> => {
      const fetch = recordFetch(directory, { fetch: scriptedFetch(steps), overwrite: true });
      for (const _ of steps) await (await fetch(URL, post())).text();
      await fetch.save();
    };
    await record(responseEvents(), responseEvents());
    await writeFile(join(directory, 'parts.json'), '[[], []]');
    await record({ json: {} });
    expect((await readdir(directory)).toSorted()).toEqual(['1.request.json', '1.response.json', 'meta.json']);
  });
});
