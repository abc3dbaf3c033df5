import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent, Price, ResponsesProviderSettings } from 'responses-loop';
import { responseEvents, type ScriptedStep } from 'responses-loop/testing';
import { answer, EVERY_WAY, user, VERSIONS } from '../acceptance/support/any-version.js';
import { reply, rig, rigOf } from '../acceptance/support/rig.js';
import { toolOf } from '../acceptance/support/tools.js';
import { attempt, Kept } from '../journal/support/kept.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { rig as socketRig } from '../transport/sockets/rig.js';
import { stream } from '../provider/support/talk.js';

type EventOf<T extends ObserverEvent['type']> = Extract<ObserverEvent, { type: T }>;

const ofType = <T extends ObserverEvent['type']>(events: readonly ObserverEvent[], type: T): EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type);

function billOf(events: readonly ObserverEvent[]) {
  const [end, ...more] = ofType(events, 'call-end');
  if (end?.bill === undefined || more.length > 0) throw new Error('There is not one bill.');
  return end.bill;
}

const usage = (input: number, output: number, cached = 0) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: input + output,
});
const asks = (id: string, input: number, ...names: readonly string[]): ScriptedStep =>
  reply({
    id,
    usage: usage(input, 10),
    output: names.map((name, at) => ({ type: 'call', name, arguments: {}, callId: `${id}_${at}` })),
  });
const ends = (id: string, input: number, cached = 0): ScriptedStep =>
  reply({ id, usage: usage(input, 20, cached), output: [{ type: 'text', text: 'Done.' }] });
const price: Price = ({ inputTokens = 0, outputTokens = 0 }) => inputTokens + 10 * outputTokens;

const tools = {
  long: toolOf(() => 'x'.repeat(4_000)),
  short: toolOf(() => 'four'),
  broken: toolOf(() => {
    throw new Error('No.');
  }),
};

function watched(settings: ResponsesProviderSettings = {}) {
  const events: ObserverEvent[] = [];
  return { events, settings: { tools, price, onEvent: (event: ObserverEvent) => events.push(event), ...settings } };
}

describe('the bill of a call', () => {
  it.each(EVERY_WAY)('tells tokens and money of call, rounds and tools (%s, %s)', async (version, method) => {
    const { events, settings } = watched();
    const steps = [asks('r1', 100, 'long', 'short'), asks('r2', 1_100, 'broken', 'short'), ends('r3', 1_200, 1_000)];
    const { model } = await rigOf(VERSIONS[version], steps, settings);
    await answer(model, method, { prompt: [user('Go.')] });
    expect(ofType(events, 'round-end').map(({ cost }) => cost)).toEqual([200, 1_200, 1_400]);
    const { rounds, tools: ran, ...sum } = billOf(events);
    expect(sum).toMatchObject({
      usage: { inputTokens: 2_400, outputTokens: 40, cachedInputTokens: 1_000 },
      cost: 2_800,
    });
    expect(rounds.map(({ round, modelId, cost }) => [round, modelId, cost])).toEqual([
      [0, 'gpt-test', 200],
      [1, 'gpt-test', 1_200],
      [2, 'gpt-test', 1_400],
    ]);
    expect(ran.map(({ tool, source, runs, errors }) => [tool, source, runs, errors])).toEqual([
      ['long', 'local', 1, 0],
      ['short', 'local', 2, 0],
      ['broken', 'local', 1, 1],
    ]);
    // The output of the first round was in two later requests, those of the second in one.
    expect(ran.slice(0, 2).map((tool) => [tool.outputChars, tool.estimatedInputTokens])).toEqual([
      [4_000, 2_000],
      [8, 3],
    ]);
    expect(JSON.stringify(rounds)).not.toContain('"raw"');
  });

  it('has no cost without a price, or if that of one round is unknown', async () => {
    const play = async (ask: Price | undefined) => {
      const { events, settings } = watched({ price: ask });
      const { model } = await rig([asks('r1', 100, 'short'), ends('r2', 120)], settings);
      await generateText({ model, prompt: 'Go.' });
      return billOf(events);
    };
    const costs = ({ cost, rounds }: ReturnType<typeof billOf>) => [cost, ...rounds.map((round) => round.cost)];
    expect(costs(await play(undefined))).toEqual([undefined, undefined, undefined]);
    expect(costs(await play(({ inputTokens }) => (inputTokens === 100 ? 7 : undefined)))).toEqual([
      undefined,
      7,
      undefined,
    ]);
    expect(costs(await play(() => Number.NaN))).toEqual([undefined, undefined, undefined]);
    const throws = await play(() => {
      throw new Error('No price.');
    });
    expect(throws.usage.inputTokens).toBe(220);
    expect(costs(throws)).toEqual([undefined, undefined, undefined]);
  });

  it('a round that broke off has no known cost, and so has its call; what came before is told', async () => {
    const { events, settings } = watched();
    const cut: ScriptedStep = { events: responseEvents({ id: 'r2', output: [] }).slice(0, 1), ending: 'reset' };
    const { model } = await rig([asks('r1', 100, 'short'), cut], { ...settings, retry: { maxRetries: 0 } });
    await expect(generateText({ model, prompt: 'Go.', maxRetries: 0 })).rejects.toThrow();
    const { cost, usage: sum, rounds } = billOf(events);
    expect([cost, sum.inputTokens]).toEqual([undefined, 100]);
    expect(rounds.map((round) => round.cost)).toEqual([200, undefined]);
  });

  it('prices a round that another model answers as one of that model', async () => {
    const asked: string[] = [];
    const { events, settings } = watched({
      prepareRound: () => ({ model: 'gpt-small' }),
      price: (_usage, modelId) => void asked.push(modelId),
    });
    const { model } = await rig([asks('r1', 100, 'short'), ends('r2', 120)], settings);
    await generateText({ model, prompt: 'Go.' });
    expect(billOf(events).rounds.map(({ modelId }) => modelId)).toEqual(['gpt-test', 'gpt-small']);
    expect(new Set(asked)).toEqual(new Set(['gpt-test', 'gpt-small']));
  });

  it('includes rounds and runs that come out of a journal', async () => {
    const kept = new Kept();
    const steps = [asks('r1', 100, 'long'), ends('r2', 1_100)];
    const play = async (script: readonly ScriptedStep[]) => {
      const { provider, events } = attempt(kept.journal(), script, { tools, price });
      await generateText({ model: provider('gpt-5'), prompt: 'Go.' });
      return billOf(events);
    };
    const first = await play(steps);
    const again = await play([]);
    expect(first.cost).toBe(1_500);
    const untimed = (bill: typeof first) => ({
      ...bill,
      tools: bill.tools.map((tool) => ({ ...tool, durationMs: 0 })),
    });
    expect(untimed(again)).toEqual(untimed(first));
  });

  it('is told of calls over a WebSocket, and of those that the stock provider answers', async () => {
    await using talk = await socketRig({}, { price: () => 1 });
    await stream(talk);
    expect(billOf(talk.events)).toMatchObject({ cost: 4, tools: [{ tool: 'step', runs: 3, outputChars: 18 }] });
    const steps = [asks('r1', 100, 'short'), ends('r2', 120)];
    const stock = await fallbackRig(steps, { useStock: true, settings: { tools, price } });
    await generateText({ model: stock.model, prompt: 'Go.' });
    expect(billOf(stock.events)).toMatchObject({ cost: 520, tools: [{ tool: 'short', runs: 1 }] });
  });
});
