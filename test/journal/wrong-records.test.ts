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
    ['0/round/0', { version: 1, call: { seed: 's', tools: [null], warnings: [] }, parts: [] }],
    ['0/round/1', { version: 1, parts: [{ type: 'round-end', result: null }] }],
    ['0/round/1', { version: 1, parts: [] }],
    [
      '0/tool/a_0',
      { version: 1, output: { isError: false, content: [{ type: 'file', mediaType: 'a/b', source: null }] } },
    ],
  ])('ends the call, and names the step (%s: %o)', async (key, wrong) => {
    const { error, log } = await tampered(key, wrong);
    expect(error).toMatchObject({ code: 'journal', message: expect.stringContaining(`"${key}"`) as unknown });
    expect(log).toEqual([]);
  });
});

describe('an error of the journal', () => {
  it.each([
    [
      '"output.content[0].text" is not a text',
      '0/tool/a_0',
      { version: 1, output: { isError: false, content: [{ type: 'text' }] } },
    ],
    [
      '"parts[0].result.usage" is not an object',
      '0/round/1',
      { version: 1, parts: [{ type: 'round-end', result: { outcome: 'completed', finishReason: 'stop', usage: 7 } }] },
    ],
    ['"parts[0].type" is not a known type', '0/round/1', { version: 1, parts: [{ type: 'constructor' }] }],
    ['"parts[0]" continues what was not begun', '0/round/1', { version: 1, parts: [{ type: 'text-end', id: 'x' }] }],
    [
      '"failure.code" is not',
      '0/round/1',
      { version: 1, parts: [], failure: { name: 'E', message: 'm', code: 'odd' } },
    ],
    ['"version" is not 1', '0/tool/a_0', { ...TOOL, version: 2 }],
  ])('names the member: %s', async (words, key, wrong) => {
    const { error } = await tampered(key, wrong);
    expect(error).toMatchObject({ code: 'journal', message: expect.stringContaining(words) as unknown });
  });

  it.each([
    ['a damaged record of a tool', '0/tool/a_0', { version: 1 }],
    ['a damaged mark', '0/tool/a_1/start', { version: 1 }],
    ['a round without its end', '0/round/0', undefined],
  ])('leaves no call that was shown without a result: %s', async (_what, key, wrong) => {
    const kept = new Kept();
    const tools = { look: tool([], 'look', { readOnly: true }), put: tool([], 'put') };
    const settings = { tools, toolParts: 'all' as const };
    const first = attempt(kept.journal(), [calls('a', 'look', 'put'), says('b', 'Done.')], settings);
    const asked = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: prompt }] }] };
    await first.provider('gpt-5').doGenerate(asked);
    if (wrong !== undefined) kept.records.set(key, wrong);
    else (kept.records.get(key) as { parts: unknown[] } | undefined)?.parts.pop();
    const log: string[] = [];
    const second = attempt(kept.journal(), [], {
      ...settings,
      tools: { look: tool(log, 'look'), put: tool(log, 'put') },
    });
    const { stream } = await second.provider('gpt-5').doStream(asked);
    const parts: Record<string, unknown>[] = [];
    for await (const part of stream as unknown as AsyncIterable<Record<string, unknown>>) parts.push(part);
    const of = (type: string) => parts.filter((part) => part['type'] === type);
    expect(of('tool-result').map(({ toolCallId }) => toolCallId)).toEqual(['a_0', 'a_1']);
    expect(of('tool-result').at(-1)).toMatchObject({ isError: true });
    expect(JSON.stringify(of('tool-result').at(-1))).toContain('interrupted before it returned anything');
    expect(of('error')).toMatchObject([{ error: { code: 'journal' } }]);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
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
