import { jsonSchema, stepCountIs, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { offered, outline } from '../acceptance/support/wire.js';
import { createAgent, fullPartsOf, type Loose, showsAll } from './support/sdk.js';

const ask = (asked: unknown[]): ToolSet => ({
  ask: tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: (args) => {
      asked.push(args);
      return 'yes';
    },
  }),
});

/** Adds, then adds and asks, then answers. */
const talk = (add: ReturnType<typeof adder>['add']): Promise<Rig> =>
  rig(
    [
      reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])),
      reply(calls('resp_2', ['add', { a: 2, b: 2 }, 'call_2'], ['ask', {}, 'call_3'])),
      reply(says('resp_3', 'Done.')),
    ],
    { tools: { add } },
  );

const wholeStory = [
  'system You are a duck.',
  'user Go.',
  'call add',
  'output 2',
  'call add',
  'output 4',
  'call ask',
  'output yes',
];

describe.each(['generate', 'stream'] as const)('an agent of the SDK that %ss', (road) => {
  it('has loop tools and its own: ours run inside a step, its own between steps', async () => {
    const { add, runs } = adder();
    const asked: unknown[] = [];
    const { model, requests } = await talk(add);
    const agent = createAgent({
      model,
      instructions: 'You are a duck.',
      tools: ask(asked),
      stopWhen: stepCountIs(5),
    });
    const result = await agent[road]({ prompt: 'Go.' });
    expect(await result.text).toBe('Done.');
    const steps = await result.steps;
    expect(steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect([runs.length, asked.length, requests.length]).toEqual([2, 1, 3]);
    expect(outline(requests[2]).toSorted()).toEqual(wholeStory.toSorted());
    expect(offered(requests[0]).toSorted()).toEqual(['add', 'ask']);
    const results = steps
      .flatMap(({ content }) => content as unknown as Loose[])
      .filter(({ type }) => type === 'tool-result');
    expect(results.map(({ toolName }) => toolName)).toEqual(showsAll ? ['add', 'add', 'ask'] : ['ask']);
  });
});

describe('the stream of an agent', () => {
  it('has no error part and one finish', async () => {
    const { model } = await talk(adder().add);
    const agent = createAgent({ model, tools: ask([]), stopWhen: stepCountIs(5) });
    const types = (await fullPartsOf(await agent.stream({ prompt: 'Go.' }))).map(({ type }) => type);
    expect(types.filter((type) => ['error', 'finish'].includes(type))).toEqual(['finish']);
  });
});
