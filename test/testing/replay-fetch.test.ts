import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  createReplayServer,
  everyByte,
  fixtureSteps,
  randomCuts,
  readFixture,
  recordFetch,
  replayFetch,
  scriptedFetch,
  splitAt,
} from '../../src/testing.js';
import { readAllFixtures } from '../helpers/fixtures.js';
import { BASE_URL, CONVERSATION, converse, freshDirectory } from './support/conversation.js';
import { fixture } from './support/made-up-fixture.js';

const URL = `${BASE_URL}/responses`;
const ask = (fetch: typeof globalThis.fetch, body: unknown, signal?: AbortSignal): Promise<Response> =>
  fetch(URL, { method: 'POST', body: JSON.stringify(body), ...(signal && { signal }) });

async function recorded(): Promise<{ directory: string; parts: readonly unknown[] }> {
  const directory = await freshDirectory();
  const fetch = recordFetch(directory, { fetch: scriptedFetch(CONVERSATION) });
  const parts = await converse({ fetch });
  await fetch.save();
  return { directory, parts };
}

describe('a replayed conversation', () => {
  it('is the one that was recorded', async () => {
    const { directory, parts } = await recorded();
    for (const options of [{}, { timing: 'recorded' }, { match: 'lenient' }, { rechunk: everyByte }] as const) {
      const fetch = replayFetch(directory, options);
      expect(await converse({ fetch })).toEqual(parts);
      fetch.assertDone();
    }
    const fetch = replayFetch(await readFixture(directory));
    expect(await converse({ fetch })).toEqual(parts);
  });

  it('is the same wherever its bytes are cut', async () => {
    const { directory, parts } = await recorded();
    const given = await readFixture(directory);
    const longest = Math.max(...given.rounds.map(({ body }) => body.length));
    const cuts = fc.oneof(
      fc.record({ seed: fc.integer(), maxBytes: fc.integer({ min: 1, max: 400 }) }).map(randomCuts),
      fc.integer({ min: 1, max: longest }).map(splitAt),
    );
    const check = fc.asyncProperty(cuts, async (rechunk) => {
      const fetch = replayFetch(given, { rechunk });
      expect(await converse({ fetch })).toEqual(parts);
      fetch.assertDone();
    });
    await fc.assert(check, { numRuns: 25 });
  });

  it('of this repository gives every byte to the requests that were recorded', async () => {
    for (const given of await readAllFixtures()) {
      const fetch = replayFetch(given);
      for (const round of given.rounds) {
        const response = await ask(fetch, round.request);
        expect(response.status).toBe(round.status);
        const text = await response.text().catch(() => undefined);
        expect(text).toBe(round.ending === 'reset' ? undefined : new TextDecoder().decode(round.body));
      }
      fetch.assertDone();
    }
  });
});

describe('a request that was not recorded', () => {
  const request = {
    model: 'm',
    temperature: 0,
    input: [
      { role: 'user', content: 'Hello' },
      { type: 'function_call_output', output: '5' },
    ],
    metadata: { user: 'a' },
  };

  it('is told what differs, and nothing else', async () => {
    const fetch = replayFetch(fixture(request));
    const input = [request.input[0], { type: 'function_call_output', output: '6' }, { role: 'user', content: 'More' }];
    const response = await ask(fetch, { input, model: 'm', tools: [], metadata: { user: 'b' } });
    expect(response.status).toBe(417);
    const lines = [
      'Request 1 differs from the recording "made-up":',
      '  temperature: expected 0, got nothing',
      '  input[1].output: expected "5", got "6"',
      '  input[2]: got {"role":"user","content":"More"}, which the recording does not have',
      '  tools: got [], which the recording does not have',
    ];
    expect(await response.json()).toMatchObject({ error: { message: `responses-loop/testing: ${lines.join('\n')}` } });
    expect(fetch.problems).toEqual([lines.join('\n')]);
    expect(() => fetch.assertDone()).toThrow(
      /not replayed as it is:\n- Request 1 differs .*\n- Never asked for: round 1 of 1/s,
    );
  });

  it('shows of long texts where they part, of many differences the first', async () => {
    const fetch = replayFetch(fixture({ text: `${'a'.repeat(300)}Paris`, ...Object.fromEntries(numbered(30)) }));
    await ask(fetch, { text: `${'a'.repeat(300)}Rome` });
    expect(fetch.problems[0]).toContain(`text: expected "…${'a'.repeat(20)}Paris", got "…${'a'.repeat(20)}Rome"`);
    expect(fetch.problems[0]).toMatch(/and 11 more$/);
  });

  it('is compared with the round that it is most like', async () => {
    const { rounds, meta } = fixture(request);
    const [round] = rounds;
    if (round === undefined) throw new Error('There is a round.');
    const two = [round, { ...round, request: { ...request, model: 'n' } }];
    const fetch = replayFetch({ meta, rounds: two });
    await ask(fetch, { ...request, model: 'n', temperature: 1 });
    expect(fetch.problems[0]).toBe(
      'Request 1 differs from the recording "made-up" (closest is round 2):\n  temperature: expected 0, got 1',
    );
  });

  it('takes no round: the right one still gets its answer', async () => {
    const fetch = replayFetch(fixture(request));
    await ask(fetch, { ...request, model: 'n' });
    expect((await ask(fetch, request)).status).toBe(200);
  });

  it('is an error of the model that is not retried', async () => {
    const { directory } = await recorded();
    const fetch = replayFetch(directory);
    const parts = await converse({ fetch }, 'What is 2 + 2?');
    const difference = 'input[0].content[0].text: expected "What is 2 + 3 + 4?", got "What is 2 + 2?"';
    expect(parts).toContainEqual({ type: 'error', error: expect.stringContaining(difference) });
    expect(fetch.requests).toHaveLength(1);
  });

  it('may differ where it is told to, and in what a recording hides', async () => {
    const hidden = { api_key: '[redacted]', note: 'key [redacted] of [redacted].', reasoning: 'sealed-1' };
    const fetch = replayFetch(fixture({ ...request, ...hidden }), { ignore: ['temperature', 'input[1].output'] });
    const input = [request.input[0], { type: 'function_call_output', output: '6' }];
    const sent = { api_key: 'sk-1', note: 'key sk-1 of me.', reasoning: 'sealed-1' };
    expect((await ask(fetch, { ...request, ...sent, input, temperature: 1 })).status).toBe(200);
  });

  it('may differ in all of a list', async () => {
    const fetch = replayFetch(fixture(request), { ignore: ['input[*].content', 'input[*].output'] });
    const input = [
      { role: 'user', content: 'Bye' },
      { ...request.input[1], output: '7' },
    ];
    expect((await ask(fetch, { ...request, input })).status).toBe(200);
    expect((await ask(fetch, { ...request, input: input.slice(1) })).status).toBe(417);
  });

  it.each(['key sk-1 of me', 'the key sk-1 of me.', 'key of .'])('%j is not what was hidden', async (note) => {
    const fetch = replayFetch(fixture({ note: 'key [redacted] of [redacted].' }));
    expect((await ask(fetch, { note })).status).toBe(417);
  });

  it('gets the next answer all the same when the replay is lenient', async () => {
    const fetch = replayFetch(fixture(request), { match: 'lenient' });
    expect((await ask(fetch, {})).status).toBe(200);
    fetch.assertDone();
  });

  it.each(['strict', 'lenient'] as const)('is one too many after the last round (%s)', async (match) => {
    const fetch = replayFetch(fixture(request), { match });
    await ask(fetch, request);
    const response = await ask(fetch, request);
    expect(response.status).toBe(417);
    expect(() => fetch.assertDone()).toThrow('Request 2 came, but every round of "made-up" has been replayed.');
  });
});

describe('a request that is not for the model', () => {
  it('is a problem', async () => {
    const fetch = replayFetch(fixture({}));
    expect((await fetch('https://mcp.test/mcp', { method: 'POST', body: '{}' })).status).toBe(404);
    expect(fetch.problems).toEqual(['POST /mcp came, but this server knows only POST …/responses.']);
  });

  it('goes where it is told to go', async () => {
    const sent: unknown[] = [];
    const others: typeof globalThis.fetch = async (...args) => {
      sent.push(args);
      return Response.json({ tools: [] });
    };
    for (const fetch of [replayFetch(fixture({}), { fetch: others }), scriptedFetch(['Hello.'], { fetch: others })]) {
      const body = new Blob(['{}']).stream();
      const init = { method: 'POST', body, duplex: 'half' } as RequestInit;
      expect(await (await fetch('https://mcp.test/mcp', init)).json()).toEqual({ tools: [] });
      expect(sent.splice(0)).toEqual([['https://mcp.test/mcp', init]]);
      expect((await ask(fetch, {})).status).toBe(200);
      fetch.assertDone();
    }
  });
});

describe('what a replay says', () => {
  it('when nobody asked', () => {
    expect(() => replayFetch(fixture({})).assertDone()).toThrow('No request ever came');
  });

  it('when told two things at once', () => {
    const both = { rechunk: everyByte, timing: 'recorded' } as const;
    expect(() => replayFetch(fixture({}), both)).toThrow('leave out either it or `timing`');
    expect(() => fixtureSteps(fixture({}), both)).toThrow(TypeError);
  });
});

describe('an answer with cookies', () => {
  it.each([recordFetch, undefined])('is replayed, through fetch and over HTTP (%o)', async (record) => {
    const directory = await freshDirectory();
    const headers = { 'set-cookie': 'sid=0123456789abcdef; Path=/; HttpOnly', 'x-api-key': 'key-0123456789' };
    const recording = record?.(directory, { fetch: scriptedFetch([{ json: { id: 'resp_1' }, headers }]) });
    await (recording && ask(recording, {}).then((response) => response.text()));
    // As older recordings have it.
    const given = record ? await readFixture(directory) : fixture({}, { headers: { 'set-cookie': '…Only' } });
    const fetch = replayFetch(given);
    expect(await (await ask(fetch, {})).json()).toEqual({ id: 'resp_1' });
    fetch.assertDone();
    await using server = await createReplayServer(given);
    const response = await globalThis.fetch(`${server.baseURL}/responses`, { method: 'POST', body: '{}' });
    expect(await response.json()).toEqual({ id: 'resp_1' });
    expect(response.headers.get('x-api-key')).toBe(record ? '[redacted]' : null);
  });
});

describe('an answer that the app had left', () => {
  it('goes so far and waits for the app to leave again', async () => {
    const given = fixture({}, { aborted: true, ending: 'reset', chunks: [[15, 0]] });
    const fetch = replayFetch(given);
    const controller = new AbortController();
    const reader = (await ask(fetch, {}, controller.signal)).body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(15);
    const next = reader?.read();
    controller.abort();
    await expect(next).rejects.toThrow(/abort/);
  });
});

function numbered(count: number): [string, number][] {
  return Array.from({ length: count }, (_, at) => [`member${at}`, at]);
}
