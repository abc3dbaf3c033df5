import { createOpenAI } from '@ai-sdk/openai';
import { generateText, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { withStockFallback } from 'responses-loop';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outputs } from '../acceptance/support/wire.js';
import { Kept } from '../journal/support/kept.js';
import { BASE_URL, played, recorded } from '../runs/support/recording.js';

const steps = () => [
  reply(calls('r1', ['add', { a: 2, b: 3 }], ['add', { a: 4, b: 5 }])),
  reply(calls('r2', ['add', { a: 5, b: 9 }])),
  reply(says('r3', 'It is 14.')),
];

/** Plays the file with the same answers, and looks at what the model was given. */
async function expectSame(file: string): Promise<void> {
  const { replay, fetch } = await played(file, steps());
  replay.assertSame();
  expect(outputs(fetch.requests[2]).map(([, output]) => output)).toEqual(['5', '9', '14']);
  expect(replay.calls.map(({ recorded: side }) => side.answer)).toEqual(['It is 14.']);
}

describe('a recorded run is played again', () => {
  it('that was streamed', async () => {
    const { add, runs } = adder();
    const file = await recorded(steps(), { tools: { add } }, async (provider) => {
      await streamText({ model: provider('m'), prompt: 'Add.' }).consumeStream();
    });
    await expectSame(file);
    expect(runs).toHaveLength(3);
  });

  it('that was generated with a journal', async () => {
    const { add, runs } = adder();
    const journal = new Kept().journal();
    const file = await recorded(steps(), { tools: { add }, journal }, (provider) =>
      generateText({ model: provider('m'), prompt: 'Add.' }),
    );
    await expectSame(file);
    expect(runs).toHaveLength(3);
  });

  it('that came out of a journal, since its process had died', async () => {
    const { add, runs } = adder();
    const kept = new Kept();
    const go = { tools: { add }, journal: kept.journal() };
    const ask = (provider: Parameters<Parameters<typeof recorded>[2]>[0]) =>
      generateText({ model: provider('m'), prompt: 'Add.' });
    await recorded(steps(), go, ask);
    await expectSame(await recorded([], { ...go, journal: kept.journal() }, ask));
    expect(runs).toHaveLength(3);
  });

  it('that the stock provider answered', async () => {
    const { add, runs } = adder();
    const file = await recorded(steps(), { tools: { add } }, async (primary, fetch) => {
      const stock = createOpenAI({ baseURL: BASE_URL, apiKey: 'test', fetch });
      await generateText({ model: withStockFallback({ primary, stock, useStock: true })('m'), prompt: 'Add.' });
    });
    await expectSame(file);
    expect(runs).toHaveLength(3);
  });

  it('whose tools the AI SDK ran: each of its steps is a call', async () => {
    const { add, runs } = adder();
    const file = await recorded(steps(), { tools: { add } }, async (provider) => {
      const tools = (await provider.tools({ runBy: 'sdk' })) as ToolSet;
      await generateText({ model: provider('m'), prompt: 'Add.', tools, stopWhen: () => false });
    });
    const { replay } = await played(file, steps());
    replay.assertSame();
    expect(replay.calls.map(({ replayed }) => replayed.finishReason)).toEqual(['tool-calls', 'tool-calls', 'stop']);
    expect(runs).toHaveLength(3);
  });
});
