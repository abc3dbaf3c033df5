import { AsyncLocalStorage } from 'node:async_hooks';
import { generateText } from 'ai';
import { expect, it } from 'vitest';
import type { Journal, JournalStep } from 'responses-loop';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

it('a tool that calls a model is one step, and counts no call, with the adapters of the documentation', async () => {
  const kept = new Kept();
  const journals = new AsyncLocalStorage<Journal>();
  const texts: string[][] = [];
  for (const steps of [[calls('a', 'ask'), says('n', 'From inside.'), says('b', 'Done.'), says('c', 'Second.')], []]) {
    const keeping = kept.journal();
    const journal: Journal = {
      step: <T>(step: JournalStep, run: () => Promise<T>) => keeping.step(step, () => journals.exit(run)),
    };
    const { provider } = attempt(() => journals.getStore(), steps, {
      tools: {
        ask: tool([], 'ask', {
          readOnly: true,
          execute: async () => (await generateText({ model: provider('gpt-5'), prompt })).text,
        }),
      },
    });
    texts.push(
      await journals.run(journal, async () => {
        const first = await generateText({ model: provider('gpt-5'), prompt });
        const second = await generateText({ model: provider('gpt-5'), prompt });
        return [first.text, second.text];
      }),
    );
  }
  expect(texts).toEqual([
    ['Done.', 'Second.'],
    ['Done.', 'Second.'],
  ]);
  expect([...kept.records.keys()]).toEqual(['0/round/0', '0/tool/a_0', '0/round/1', '1/round/0']);
});
