import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { everyByte, fixtureSteps, readFixture } from 'responses-loop/testing';
import { FIXTURES } from '../helpers/fixtures.js';
import { brokenRules, reasoningOf, streamParts, textOf } from './support/parts.js';
import { rig } from './support/rig.js';
import { toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

/** The tools of the recorded conversations, as they answered then. */
const tools = {
  get_weather: toolOf(({ city }) => ({ temperature: city === 'Oslo' ? 4 : 24 })),
  list_directory: toolOf(() => '[FILE] a.txt\n[FILE] b.txt'),
  read_text_file: toolOf(({ path }) => {
    if (path === 'notes/missing.txt') throw new Error('ENOENT: no such file or directory');
    return path === 'notes/a.txt' ? 'Geese fly south.' : 'Ducks stay on the pond.';
  }),
};

describe.each([
  'no-tool',
  'one-tool',
  'several-tools-one-round',
  'several-rounds',
  'failing-tool',
  'long-text',
  'reasoning-and-tool',
])('the recorded conversation %s', (name) => {
  it('plays to its end through streamText, one call after the other', async () => {
    const fixture = await readFixture(`${FIXTURES}/${name}`);
    const { model, requests } = await rig(fixtureSteps(fixture), { tools });
    const result = streamText({ model, prompt: 'Play.' });
    expect((await result.text).length).toBeGreaterThan(0);
    expect(await result.finishReason).toBe('stop');
    expect(requests).toHaveLength(fixture.rounds.length);
    expect(outputs(requests.at(-1)).length).toBeGreaterThanOrEqual(fixture.rounds.length - 1);
  });

  it('gives the same text streamed, generated, and one byte at a time', async () => {
    const fixture = await readFixture(`${FIXTURES}/${name}`);
    const streamed = await streamParts((await rig(fixtureSteps(fixture), { tools })).model);
    const cut = await streamParts((await rig(fixtureSteps(fixture, { rechunk: everyByte }), { tools })).model);
    const generated = await generateText({
      model: (await rig(fixtureSteps(fixture), { tools })).model,
      prompt: 'Play.',
    });
    expect(brokenRules(streamed)).toEqual([]);
    expect(generated.text).toBe(textOf(streamed));
    expect([textOf(cut), reasoningOf(cut)]).toEqual([textOf(streamed), reasoningOf(streamed)]);
  });
});

describe('the recorded conversation in which a tool fails', () => {
  it('tells the model the tool’s error', async () => {
    const { model, requests } = await rig(fixtureSteps(await readFixture(`${FIXTURES}/failing-tool`)), { tools });
    await streamParts(model);
    expect(outputs(requests[1])).toEqual([['call_missing', 'ENOENT: no such file or directory']]);
  });
});
