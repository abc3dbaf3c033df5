import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { JournalStep } from 'responses-loop';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';

/** A finished loop whose record under this key is another one now. */
async function tampered(key: string, wrong: Record<string, unknown>): Promise<{ error: unknown; log: string[] }> {
  const kept = new Kept();
  const log: string[] = [];
  const tools = { put: tool(log, 'put') };
  const first = attempt(kept.journal(), [calls('a', 'put'), says('b', 'Done.')], { tools });
  await generateText({ model: first.provider('gpt-5'), prompt });
  log.length = 0;
  kept.records.set(key, wrong);
  const second = attempt(kept.journal(), [], { tools });
  const error: unknown = await generateText({ model: second.provider('gpt-5'), prompt }).catch((e: unknown) => e);
  expect(second.requests).toEqual([]);
  return { error, log };
}

const TOOL = { version: 1, output: { isError: false, content: [] } };
const ROUND = { version: 1, parts: [{ type: 'response' }] };
const MARK = { version: 1, attempt: 'somebody' };
/** As the documentation of `redactToolOutput` has it. */
const NO_VALUE = { value: undefined } as object;

describe('a record of this version that is none of this step', () => {
  it.each([
    ['0/round/0', TOOL],
    ['0/round/0', MARK],
    ['0/round/0', ROUND],
    ['0/round/0', { version: 1, parts: 'text' }],
    ['0/round/0', { version: 1, parts: [null] }],
    ['0/round/1', TOOL],
    ['0/round/1', { version: 1 }],
    ['0/tool/a_0', { version: 1 }],
    ['0/tool/a_0', { version: 1, output: 'text' }],
    ['0/tool/a_0', { version: 1, output: { isError: false } }],
    ['0/tool/a_0', ROUND],
    ['0/tool/a_0/start', { version: 1 }],
    ['0/tool/a_0/start', TOOL],
  ])('ends the call, and names the step (%s: %o)', async (key, wrong) => {
    const { error, log } = await tampered(key, wrong);
    expect(error).toMatchObject({ code: 'journal', message: expect.stringContaining(`"${key}"`) as unknown });
    expect(log).toEqual([]);
  });
});

describe('a record', () => {
  it('is plain JSON, whatever a function of the app made of an output', async () => {
    const outputs: unknown[] = [];
    const kept = new Kept();
    const keeping = kept.journal();
    const { provider } = attempt(
      {
        step: <T>(step: JournalStep, run: () => Promise<T>) =>
          keeping.step(step, async () => {
            const result = await run();
            if (step.kind === 'tool') outputs.push(result);
            return result;
          }),
      },
      [calls('a', 'put'), says('b', 'Done.')],
      {
        tools: { put: tool([], 'put', { execute: () => ({ secret: 1 }) }) },
        redactToolOutput: (output) => ({ ...output, ...NO_VALUE }),
      },
    );
    await generateText({ model: provider('gpt-5'), prompt });
    expect(outputs).toStrictEqual([
      { version: 1, output: { isError: false, content: [{ type: 'text', text: '{"secret":1}' }] } },
    ]);
  });

  it('may come back frozen, in every part', async () => {
    const kept = new Kept();
    const tools = { put: tool([], 'put') };
    const texts: string[] = [];
    for (const steps of [[calls('a', 'put'), says('b', 'Done.')], []]) {
      const keeping = kept.journal();
      const { provider } = attempt(
        { step: async <T>(step: JournalStep, run: () => Promise<T>) => frozen(await keeping.step(step, run)) },
        steps,
        { tools },
      );
      texts.push((await generateText({ model: provider('gpt-5'), prompt })).text);
    }
    expect(texts).toEqual(['Done.', 'Done.']);
  });
});

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const one of Object.values(Object.freeze(value))) frozen(one);
  return value;
}
