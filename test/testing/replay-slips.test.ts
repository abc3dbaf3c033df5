import { generateText } from 'ai';
import { createResponsesProvider } from 'responses-loop';
import { describe, expect, it } from 'vitest';

import { createReplayServer, recordFetch, replayFetch } from '../../src/testing.js';
import { BASE_URL, freshDirectory, post } from './support/conversation.js';
import { fixture } from './support/made-up-fixture.js';

const URL = `${BASE_URL}/responses`;

describe('a place to ignore that no request can have', () => {
  it.each([
    ['input.0.content', 'input[0].content'],
    ['input.*.content', 'input[*].content'],
    ['input[].content', 'input[*].content'],
    ['/input/0/content', 'input[0].content'],
    ['$.input[0].content', 'input[0].content'],
    ['["input"]', 'input'],
    ["input[0]['content']", 'input[0].content'],
    ['metadata.my-key', 'metadata["my-key"]'],
  ])('is refused with the right spelling: %s', async (wrong, right) => {
    const said = `no member of a request is called ${JSON.stringify(wrong)}; write ${JSON.stringify(right)}.`;
    const options = { ignore: ['temperature', wrong] };
    expect(() => replayFetch(fixture({}), options)).toThrow(TypeError);
    expect(() => replayFetch(fixture({}), options)).toThrow(said);
    await expect(createReplayServer(fixture({}), options)).rejects.toThrow(said);
    expect(() => replayFetch(fixture({}), { ignore: [right] })).not.toThrow();
  });

  it.each(['', '[0]', '[*]', '...'])('is refused with examples where nobody can tell what is meant: %j', (wrong) => {
    expect(() => replayFetch(fixture({}), { ignore: [wrong] })).toThrow('write "temperature", "input[0].content"');
  });

  it('is a list', () => {
    expect(() => replayFetch(fixture({}), { ignore: 'temperature' as never })).toThrow('`ignore` must be a list of');
  });
});

describe('a place to ignore', () => {
  it.each(['lists[*][0].my["odd key"]', 'lists[0][*].my["odd key"]', 'lists[0][0]', 'lists'])(
    'may name one entry of a list and all of another: %s',
    async (place) => {
      const request = (value: number): object => ({ lists: [[{ my: { 'odd key': value } }]] });
      const fetch = replayFetch(fixture(request(1) as never), { ignore: [place] });
      expect((await fetch(URL, post(request(2)))).status).toBe(200);
    },
  );

  it('is that place only', async () => {
    const fetch = replayFetch(fixture({ input: [{ a: 1 }, { a: 1 }] }), { ignore: ['input[0].a'] });
    expect((await fetch(URL, post({ input: [{ a: 1 }, { a: 2 }] }))).status).toBe(417);
  });
});

describe('rounds that were never asked for', () => {
  it('are named', async () => {
    const one = fixture({ a: 1 });
    const rounds = [1, 2, 3].flatMap((a) => fixture({ a }).rounds);
    const fetch = replayFetch({ meta: { ...one.meta, rounds }, rounds });
    await fetch(URL, post({ a: 2 }));
    expect(() => fetch.assertDone()).toThrow('- Never asked for: rounds 1, 3 of 3.');
    await fetch(URL, post({ a: 1 }));
    expect(() => fetch.assertDone()).toThrow('- Never asked for: round 3 of 3.');
  });
});

describe('a recording that is not there', () => {
  it('is said to be missing, and how to make it', async () => {
    const directory = await freshDirectory('nothing');
    const fetch = replayFetch(directory);
    const said = `${directory}: this directory contains no recording (meta.json is missing): record one with recordFetch.`;
    const response = await fetch(URL, post());
    expect([response.status, await response.json()]).toMatchObject([
      417,
      { error: { code: 'fixture_error', message: `responses-loop/testing: ${said}` } },
    ]);
    expect(() => fetch.assertDone()).toThrow(new Error(`The recording was not replayed as it is:\n- ${said}`));
    const model = createResponsesProvider({ baseURL: BASE_URL, apiKey: 'test', fetch: replayFetch(directory) })('any');
    await expect(generateText({ model, prompt: 'Hello' })).rejects.toThrow(
      /record one with recordFetch\. \(fixture_error\)/,
    );
  });

  it.each([undefined, null, 5])('has no name such as %s', (name) => {
    expect(() => replayFetch(name as never)).toThrow('A replay takes a directory, such as "fixtures/my-server", not ');
    expect(() => recordFetch(name as never)).toThrow(`${name}: names no directory for the fixture, such as "fixtures/`);
  });
});
