import { generateText } from 'ai';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logEvents, type ObserverEvent, type ResponsesProviderSettings, watchCache } from 'responses-loop';
import type { ScriptedStep } from 'responses-loop/testing';
import { CACHED_FIELDS, CacheWatch, type CachedRequest } from '../../src/observe/cache-watch.js';
import { createCacheObserver } from '../../src/observe/watched-requests.js';
import { answer, EVERY_WAY, user, VERSIONS } from '../acceptance/support/any-version.js';
import { reply, rigOf } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { attempt, Kept } from '../journal/support/kept.js';
import { rig as socketRig } from '../transport/sockets/rig.js';

type Break = Extract<ObserverEvent, { type: 'cache-break' }>;

const usage = (input: number, cached: number) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + 10,
});
const asks = (id: string, input: number, cached: number): ScriptedStep =>
  reply({
    id,
    usage: usage(input, cached),
    output: [{ type: 'call', name: 'look', arguments: {}, callId: `${id}_0` }],
  });
const ends = (id: string, input: number, cached: number): ScriptedStep =>
  reply({ id, usage: usage(input, cached), output: [{ type: 'text', text: `Done, ${id}.` }] });

const tools = { hear: toolOf(() => 'h'), look: toolOf(() => 'l') };
const said = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] });
const system = (content: string) => ({ role: 'system', content });

/** What is told of breaks in calls with these prompts, one after the other. */
async function breaksOf(
  prompts: readonly (readonly object[])[],
  steps: readonly ScriptedStep[],
  settings: ResponsesProviderSettings = {},
  [version, method]: (typeof EVERY_WAY)[number] = ['v3', 'doStream'],
) {
  const events: ObserverEvent[] = [];
  const onEvent = watchCache((event) => events.push(event));
  const { model } = await rigOf(VERSIONS[version], steps, { tools, onEvent, ...settings });
  for (const prompt of prompts) await answer(model, method, { prompt });
  return events
    .filter((event): event is Break => event.type === 'cache-break')
    .map(({ callNumber: _call, type: _type, idleMs, ...rest }) => {
      expect(idleMs).toBeGreaterThanOrEqual(0);
      return rest;
    });
}

const tokens = (expectedTokens: number, cachedTokens: number) => ({
  expectedTokens,
  cachedTokens,
  lostTokens: expectedTokens - cachedTokens,
});

describe('watchCache', () => {
  it.each(EVERY_WAY)('tells the first difference to the round before, and its tokens (%s, %s)', async (...way) => {
    const prepareRound = () => ({ activeTools: ['look'] });
    const steps = [asks('r1', 5_000, 0), ends('r2', 5_100, 128)];
    expect(await breaksOf([[user('Go.')]], steps, { prepareRound }, way)).toEqual([
      { round: 1, at: 'tools[0]', change: 'removed', name: 'hear', ...tokens(5_000, 128) },
    ]);
  });

  it('tells nothing of a conversation that only grows, over rounds and calls', async () => {
    const steps = [ends('r1', 5_000, 0), asks('r2', 5_100, 4_992), ends('r3', 5_300, 5_050)];
    const turns = [[user('Go.')], [user('Go.'), said('Done, r1.'), user('And?')]];
    expect(await breaksOf(turns, steps)).toEqual([]);
  });

  it('tells of a history that lost the calls of the turn before', async () => {
    const steps = [asks('r1', 5_000, 0), ends('r2', 5_100, 5_000), ends('r3', 5_050, 4_990)];
    const turns = [[user('Go.')], [user('Go.'), said('Done, r2.'), user('And?')]];
    expect(await breaksOf(turns, steps, { carrier: 'none' })).toEqual([
      { round: 0, at: 'input[1]', change: 'changed', name: 'assistant', ...tokens(5_050, 4_990) },
    ]);
  });

  it('finds the request before in another call, by what the user said', async () => {
    const steps = [ends('r1', 2_000, 0), ends('r2', 900, 0), ends('r3', 2_100, 0)];
    const turns = [
      [system('It is noon.'), user('Go.')],
      [system('It is noon.'), user('Another talk.')],
      [system('It is one.'), user('Go.'), said('Done, r1.'), user('And?')],
    ];
    expect(await breaksOf(turns, steps)).toEqual([
      { round: 0, at: 'input[0]', change: 'changed', name: 'system', ...tokens(2_000, 0) },
    ]);
  });

  it('tells of a cache that is gone without a difference, if enough is lost', async () => {
    const turns = [[user('Go.')], [user('Go.'), said('Done, r1.'), user('And?')]];
    expect(await breaksOf(turns, [ends('r1', 2_000, 0), ends('r2', 2_100, 200)])).toEqual([
      { round: 0, ...tokens(2_000, 200) },
    ]);
    expect(await breaksOf(turns, [ends('r1', 2_000, 0), ends('r2', 2_100, 1_792)])).toEqual([]);
    expect(await breaksOf(turns, [ends('r1', 900, 0), ends('r2', 950, 0)])).toEqual([]);
  });

  it('tells no tokens if the server tells none, and nothing if a difference has cost none', async () => {
    const silent = (id: string): ScriptedStep =>
      reply({ id, usage: null, output: [{ type: 'text', text: `Done, ${id}.` }] });
    const turns = [
      [system('A'), user('Go.')],
      [system('B'), user('Go.')],
    ];
    expect(await breaksOf(turns, [silent('r1'), silent('r2')])).toEqual([]);
    expect(await breaksOf(turns, [ends('r1', 2_000, 0), ends('r2', 2_000, 2_000)])).toEqual([]);
  });

  it('compares a retry with the round before it, not with its own first attempt', async () => {
    const busy: ScriptedStep = { status: 503, json: { error: { message: 'Busy.' } } };
    const steps = [asks('r1', 5_000, 0), busy, ends('r2', 5_100, 0)];
    const retry = { initialDelayMs: 1 };
    const prepareRound = () => ({ activeTools: ['look'] });
    expect(await breaksOf([[user('Go.')]], steps, { retry, prepareRound })).toMatchObject([{ at: 'tools[0]' }]);
  });

  it('compares no input that the server adds to, but the tools beside it', async () => {
    const events: ObserverEvent[] = [];
    const watch = createCacheObserver(
      (event) => events.push(event),
      () => 0,
    );
    const play = (callNumber: number, body: object) => {
      const place = { callNumber, round: 0 };
      watch({ type: 'request', ...place, url: 'u', headers: {}, body });
      const ended = { finishReason: 'stop', calls: 0, durationMs: 1 } as const;
      watch({ type: 'round-end', ...place, ...ended, usage: { inputTokens: 2_000, cachedInputTokens: 1_900 } });
    };
    const input = [
      { role: 'user', content: 'a' },
      { type: 'function_call', name: 'x' },
    ];
    play(1, { input });
    play(1, { input: input.toReversed(), previous_response_id: 'r' });
    expect(events).toEqual([]);
    play(1, { input, previous_response_id: 'r2', tools: [{ type: 'web_search' }] });
    expect(events).toMatchObject([{ at: 'tools[0]', change: 'added', name: 'web_search', lostTokens: 100 }]);
  });

  it('tells of rounds over a WebSocket, and of those behind a recovery nothing that it did not see', async () => {
    const events: ObserverEvent[] = [];
    const onEvent = watchCache((event) => events.push(event));
    const prepareRound = ({ roundNumber }: { roundNumber: number }) => (roundNumber === 2 ? { activeTools: [] } : {});
    await using talk = await socketRig({}, { onEvent, prepareRound });
    await generateText({ model: talk.provider('gpt-5'), prompt: 'Go.' });
    const breaks = events.filter(({ type }) => type === 'cache-break');
    expect(breaks).toMatchObject([
      { round: 2, at: 'tools[0]', change: 'removed' },
      { round: 3, at: 'tools[0]', change: 'added' },
    ]);
    const kept = new Kept();
    const seen: ObserverEvent[] = [];
    const play = async (steps: readonly ScriptedStep[]) => {
      const { provider } = attempt(kept.journal(), steps, { tools, onEvent: watchCache((event) => seen.push(event)) });
      await generateText({ model: provider('gpt-5'), prompt: 'Go.' });
    };
    const steps = [asks('r1', 2_000, 0), ends('r2', 2_000, 0)];
    await play(steps);
    expect(seen.filter(({ type }) => type === 'cache-break')).toHaveLength(1);
    kept.records.delete('0/round/1');
    await play(steps.slice(1));
    expect(seen.filter(({ type }) => type === 'cache-break')).toHaveLength(1);
  });

  it('passes on what the observer gets without it, also if that throws, and shows nothing secret', async () => {
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const logged = logEvents({ debug: log, info: log, warn: log, error: log });
    const onEvent = watchCache((event) => {
      logged(event);
      throw new Error('No.');
    });
    const { model } = await rigOf(VERSIONS.v3, [ends('r1', 2_000, 0), ends('r2', 2_000, 0)], { onEvent });
    for (const secret of ['first', 'second'])
      await answer(model, 'doStream', { prompt: [system(`The password is ${secret}.`), user('Go.')] });
    const told = lines.filter((line) => line.includes('prompt cache'));
    expect(told).toEqual([
      '[responses-loop] prompt cache of round 0: input[0] (system) changed, 0 of 2000 tokens were cached',
    ]);
    expect(lines.join('\n')).toContain('call 2 ended');
  });
});

describe('the first difference', () => {
  const requestOf = (fields: Partial<CachedRequest['fields']>): CachedRequest => ({
    fields: { ...Object.fromEntries(CACHED_FIELDS.map((field) => [field, []])), ...fields } as CachedRequest['fields'],
    continues: false,
    isUser: (id) => id === 0,
    nameOf: String,
  });
  const changeIn = (before: readonly number[], after: readonly number[]) => {
    const watch = new CacheWatch();
    watch.request(1, requestOf({ tools: before, input: [0] }));
    watch.roundEnd(1, { inputTokens: 2_000 }, 0);
    watch.request(1, requestOf({ tools: after, input: [0] }));
    const { at, change, name } = watch.roundEnd(1, { inputTokens: 2_000 }, 0) ?? {};
    return [at, change, name];
  };

  it.each([
    [
      [1, 2, 3],
      [1, 2, 3, 4],
      ['tools[3]', 'added', '4'],
    ],
    [
      [1, 2, 3],
      [1, 4, 2, 3],
      ['tools[1]', 'added', '4'],
    ],
    [
      [1, 2, 3],
      [1, 3],
      ['tools[1]', 'removed', '2'],
    ],
    [
      [1, 2, 3],
      [1, 2],
      ['tools[2]', 'removed', '3'],
    ],
    [
      [1, 2, 3],
      [1, 5, 3],
      ['tools[1]', 'changed', '5'],
    ],
    [
      [1, 2, 3],
      [3, 2, 1],
      ['tools[0]', 'moved', '3'],
    ],
    [
      [1, 2, 3],
      [1, 2, 3],
      [undefined, undefined, undefined],
    ],
  ])('of %j and %j is %j', (before, after, expected) => {
    expect(changeIn(before, after)).toEqual(expected);
  });

  it('is where two lists stop being the same, whatever they hold', () => {
    const list = fc.array(fc.nat(3), { maxLength: 6 });
    fc.assert(
      fc.property(list, list, (before, after) => {
        const [at] = changeIn(before, after);
        const index = Array.from({ length: 7 }, (_, place) => place).find((place) => before[place] !== after[place]);
        expect(at).toBe(index === undefined ? undefined : `tools[${index}]`);
      }),
    );
  });

  it('forgets the oldest of more than 200 conversations', () => {
    const watch = new CacheWatch();
    const talk = (id: number, model: string) => {
      watch.request(id, { ...requestOf({ model: [model], input: [`user ${id}`] }), isUser: () => true });
      const found = watch.roundEnd(id, { inputTokens: 2_000 }, 0);
      watch.callEnd(id);
      return found?.at;
    };
    for (let id = 0; id < 201; id += 1) expect(talk(id, 'a')).toBeUndefined();
    expect([talk(200, 'b'), talk(0, 'b')]).toEqual(['model', undefined]);
  });
});
