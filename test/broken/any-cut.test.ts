import fc from 'fast-check';
import { onTestFinished, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { createScriptedServer, responseEvents, type ScriptedRequest, type ScriptedStep } from 'responses-loop/testing';
import { brokenRules, partsOf, streamParts, textOf } from '../acceptance/support/parts.js';
import { toolOf } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';
import { examples } from '../helpers/nightly.js';

const WORDS =
  'amber birch cedar dune elder fjord grove heath isle juniper kelp larch moor north oak pine quay reed'.split(' ');
const gap = fc.constantFrom(' ', '  ', '\n', '\n\n', ', ');

/** Words that each come once, so that nothing but a repetition looks like one. */
const answers = fc
  .shuffledSubarray(WORDS, { minLength: 3 })
  .chain((words) =>
    fc
      .array(gap, { minLength: words.length, maxLength: words.length })
      .map((gaps) => words.map((word, at) => (at === 0 ? word : `${gaps[at]}${word}`)).join('')),
  );

/** How a model goes on: without a repetition, with the words it is asked for, or from the beginning. */
const MANNERS = {
  'goes on': (answer: string, shown: string) => answer.slice(shown.length),
  'repeats the words': (answer: string, shown: string, words: string) =>
    answer.slice(shown.trimEnd().length - words.length),
  'begins anew': (answer: string) => answer,
} as const;

const writes = { type: 'call', name: 'write', arguments: { to: 'log' } } as const;

function streamOf(id: string, text: string, calls: boolean): string {
  const half = Math.floor(text.length / 2);
  const texts =
    text === '' ? [] : [{ type: 'text', text: [text.slice(0, half), text.slice(half)].filter(Boolean) } as const];
  const output = [...texts, ...(calls ? [{ ...writes, callId: `call_${id}` }] : [])];
  return responseEvents({ id, output })
    .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

it('wherever the stream is cut: the shown text stays, is told once to its end, and no call runs twice', async () => {
  let script: (request: ScriptedRequest) => ReturnType<Extract<ScriptedStep, (...args: never[]) => unknown>> = () => '';
  const server = await createScriptedServer({ otherwise: (request) => script(request) });
  let written = 0;
  const provider = createResponsesProvider({
    baseURL: server.baseURL,
    apiKey: 'test',
    retry: { maxContinuations: 1 },
    tools: { write: toolOf(() => `written ${(written += 1)}`) },
    toolParts: 'all',
  });
  onTestFinished(async () => {
    await provider.close();
    await server.close();
  });
  const scenario = fc.record({
    answer: answers,
    calls: fc.boolean(),
    manner: fc.constantFrom(...(Object.keys(MANNERS) as (keyof typeof MANNERS)[])),
    cut: fc.double({ min: 0, max: 1, noNaN: true }),
    ending: fc.constantFrom('reset', 'end'),
  });
  await fc.assert(
    fc.asyncProperty(scenario, async ({ answer, calls, manner, cut, ending }) => {
      const whole = Buffer.from(streamOf('a', answer, calls));
      const bytes = whole.subarray(0, Math.floor(whole.length * cut));
      let asked = 0;
      written = 0;
      script = (request) => {
        const items = outline(request);
        const shown = items.find((item) => item.startsWith('says '))?.slice('says '.length);
        if (shown === undefined) return { bytes, ending };
        if (items.at(-1)?.startsWith('output written') === true) return { bytes: streamOf('c', 'Written.', false) };
        asked += 1;
        const words = items.at(-1)?.split(':\n\n')[1] ?? '';
        return { bytes: streamOf('b', MANNERS[manner](answer, shown, words), calls) };
      };
      const parts = await streamParts(provider('gpt-test')).catch(() => undefined);
      // Nothing was shown: the AI SDK asks again.
      if (parts === undefined || textOf(parts) === '') {
        expect(asked).toBe(0);
        return;
      }
      expect(brokenRules(parts)).toEqual([]);
      expect(partsOf(parts, 'error')).toEqual([]);
      expect(textOf(parts)).toBe(calls ? `${answer}Written.` : answer);
      expect([written, asked <= 1]).toEqual([calls ? 1 : 0, true]);
    }),
    { numRuns: examples(150, 1_500) },
  );
});
