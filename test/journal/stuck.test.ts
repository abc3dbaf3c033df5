import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { JournalStep } from 'responses-loop';
import { createResponsesProvider } from 'responses-loop/v3';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

const prompt = 'Go.';
const never = new Promise<never>(() => {});
const look = { look: tool([], 'look', { readOnly: true }), put: tool([], 'put') };
const PLACES = ['0/round/0', '0/tool/a_0', '0/tool/a_1/start', '0/tool/a_1', '0/round/1'];
const steps = [calls('a', 'look', 'put'), says('b', 'Done.')];

describe('a journal that never settles a step', () => {
  it.each(PLACES.flatMap((at) => [['before it runs', at] as const, ['after it ran', at] as const]))(
    'does not keep the call from its deadline (%s, %s)',
    async (when, at) => {
      const { model } = stuck(when, at, { timeouts: { totalMs: 100 } });
      await expect(generateText({ model, prompt, maxRetries: 0 })).rejects.toMatchObject({ code: 'timeout' });
    },
  );

  it.each(PLACES)('does not keep a provider from being closed (%s)', async (at) => {
    const { model, provider, reached } = stuck('before it runs', at);
    const playing = generateText({ model, prompt, maxRetries: 0 });
    playing.catch(() => {});
    await reached;
    await provider.close();
    await expect(playing).rejects.toThrow('closed');
  });

  it('does not keep a call from being aborted that begins with tools the user has allowed', async () => {
    const ends = new AbortController();
    const native = createResponsesProvider({
      apiKey: 'k',
      baseURL: 'http://localhost/v1',
      tools: look,
      approve: () => 'ask',
      journal: {
        step: <T>(_step: JournalStep, run: () => Promise<T>): Promise<T> => {
          void run().then(() => ends.abort(new Error('Enough.')));
          return never;
        },
      },
    });
    const call = { toolCallId: 'x', toolName: 'put', providerExecuted: true };
    await expect(
      native('gpt-5').doGenerate({
        abortSignal: ends.signal,
        prompt: [
          { role: 'user', content: [{ type: 'text', text: prompt }] },
          { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
          {
            role: 'tool',
            content: [{ type: 'tool-approval-response', approvalId: 'responses-loop::x', approved: true }],
          },
        ],
      }),
    ).rejects.toThrow('Enough.');
    await native.close();
  });
});

describe('a deadline that ends a tool', () => {
  it('is told as without a journal: with what the tools before it did', async () => {
    const settings = {
      tools: { ...look, wait: tool([], 'wait', { execute: () => never }) },
      timeouts: { totalMs: 100 },
    };
    const errors = await Promise.all(
      [undefined, new Kept().journal()].map((journal) =>
        generateText({
          model: attempt(journal, [calls('a', 'put', 'wait')], settings).provider('gpt-5'),
          prompt,
          maxRetries: 0,
        }).catch((error: unknown) => error as Record<string, unknown>),
      ),
    );
    const [plain, kept] = errors.map((error) => {
      const { name, message, code, isRetryable, completedCalls } = error as Record<string, unknown>;
      return { name, message, code, isRetryable, completedCalls };
    });
    expect(plain).toMatchObject({ code: 'timeout' });
    expect(kept).toEqual(plain);
  });
});

function stuck(
  when: 'before it runs' | 'after it ran',
  at: string,
  settings = {},
): ReturnType<typeof attempt> & { model: ReturnType<ReturnType<typeof attempt>['provider']>; reached: Promise<void> } {
  const kept = new Kept();
  let reach = (): void => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const keeping = kept.journal();
  const played = attempt(
    {
      step: async <T>(step: JournalStep, run: () => Promise<T>): Promise<T> => {
        if (step.key !== at) return keeping.step(step, run);
        if (when === 'after it ran') await run();
        reach();
        return never;
      },
    },
    steps,
    { tools: look, ...settings },
  );
  return { ...played, model: played.provider('gpt-5'), reached };
}
