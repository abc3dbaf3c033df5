import { generateText, jsonSchema, type ModelMessage, Output } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponsesProviderSettings } from 'responses-loop';
import { createResponsesProvider as createV3 } from 'responses-loop/v3';
import { createResponsesProvider as createV4 } from 'responses-loop/v4';
import { errorReply, scriptedFetch } from 'responses-loop/testing';
import { attempt, calls, Kept, says, tool } from './support/kept.js';

type Asked = Omit<Parameters<typeof generateText>[0], 'model'>;

const asked: Asked = {
  messages: [
    { role: 'system', content: 'You work for user A.' },
    { role: 'user', content: [{ type: 'text', text: 'What do I owe?' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'sum', input: { a: 1, b: [2, 3] } }],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', toolCallId: 'c', toolName: 'sum', output: { type: 'json', value: { sum: 6, of: 'x' } } },
      ],
    },
    { role: 'user', content: 'And now?' },
  ],
  temperature: 0.2,
  providerOptions: { openai: { user: 'a', instructions: 'Be brief.' } },
};

/** A call that is kept, and then one that finds its records. */
async function replayed(
  second: { readonly modelId?: string; readonly call?: Asked; readonly settings?: ResponsesProviderSettings },
  first: ResponsesProviderSettings = {},
): Promise<{ readonly text?: string; readonly error?: unknown; readonly requests: number; readonly log: string[] }> {
  const kept = new Kept();
  const log: string[] = [];
  const tools = { put: tool(log, 'put') };
  const before = attempt(kept.journal(), [calls('a', 'put'), says('b', 'ANSWER-FOR-A')], { tools, ...first });
  await generateText({ ...asked, model: before.provider('gpt-5') } as never);
  log.length = 0;
  const after = attempt(kept.journal(), [], { tools, ...(second.settings ?? first) });
  const call = { ...(second.call ?? asked), maxRetries: 0, model: after.provider(second.modelId ?? 'gpt-5') };
  try {
    return { text: (await generateText(call as never)).text, requests: after.requests.length, log };
  } catch (error) {
    return { error, requests: after.requests.length, log };
  }
}

const messages = asked.messages as ModelMessage[];
const withText = (at: number, content: unknown): Asked =>
  ({
    ...asked,
    messages: messages.map((message, index) => (index === at ? { ...message, content } : message)),
  }) as Asked;

describe('records of another call under the same key', () => {
  it.each<[string, string, Parameters<typeof replayed>[0]]>([
    ['another model', 'another model', { modelId: 'gpt-5-mini' }],
    ['another system prompt', 'another prompt', { call: withText(0, 'You work for user B.') }],
    ['another question', 'another prompt', { call: withText(1, [{ type: 'text', text: 'What does he owe?' }]) }],
    [
      'another picture',
      'another prompt',
      { call: withText(4, [{ type: 'image', image: new Uint8Array([1, 2, 3]), mediaType: 'image/png' }]) },
    ],
    [
      'another result of a tool',
      'another prompt',
      {
        call: withText(3, [
          {
            type: 'tool-result',
            toolCallId: 'c',
            toolName: 'sum',
            output: { type: 'json', value: { sum: 7, of: 'x' } },
          },
        ]),
      },
    ],
    [
      'other arguments of a call',
      'another prompt',
      { call: withText(2, [{ type: 'tool-call', toolCallId: 'c', toolName: 'sum', input: { a: 2, b: [2, 3] } }]) },
    ],
    ['a shorter prompt', 'another prompt', { call: { ...asked, messages: messages.slice(1) } }],
    [
      'another user',
      'other options',
      { call: { ...asked, providerOptions: { openai: { user: 'b', instructions: 'Be brief.' } } } },
    ],
    [
      'other settings of the loop',
      'other options',
      {
        call: { ...asked, providerOptions: { ...asked.providerOptions, 'responses-loop': { loop: { maxRounds: 1 } } } },
      },
    ],
    ['other sampling', 'other options', { call: { ...asked, temperature: 0.9 } }],
    [
      'another form of the answer',
      'other options',
      { call: { ...asked, experimental_output: Output.object({ schema: jsonSchema({ type: 'object' }) }) } },
    ],
  ])('cause an error that names the difference but shows no content: %s', async (_what, names, second) => {
    const { text, error, requests, log } = await replayed(second);
    expect(text).toBeUndefined();
    expect(error).toMatchObject({ code: 'journal' });
    const { message } = error as Error;
    expect(message).toContain(`"0/round/0": it was made with ${names}`);
    for (const word of ['owe', 'user A', 'user B', 'ANSWER', 'gpt-5', 'brief']) expect(message).not.toContain(word);
    expect({ requests, log }).toEqual({ requests: 0, log: [] });
  });

  it('are one where the first call only failed', async () => {
    const kept = new Kept();
    const refuse = attempt(kept.journal(), [errorReply({ status: 400, message: 'The file of user A is too large.' })]);
    await expect(generateText({ model: refuse.provider('gpt-5'), prompt: 'A', maxRetries: 0 })).rejects.toThrow(
      'user A',
    );
    const same = attempt(kept.journal(), []);
    await expect(generateText({ model: same.provider('gpt-5'), prompt: 'A', maxRetries: 0 })).rejects.toThrow('user A');
    const other = attempt(kept.journal(), []);
    await expect(generateText({ model: other.provider('gpt-5'), prompt: 'B', maxRetries: 0 })).rejects.toMatchObject({
      code: 'journal',
    });
  });

  it('cannot be read where a secret is the key, and are an error under another secret', async () => {
    const key = { historySecret: 'a-secret-of-the-app-0123456789abcdef' };
    expect(await replayed({}, key)).toMatchObject({ text: 'ANSWER-FOR-A', requests: 0 });
    const other = { historySecret: 'another-secret-0123456789abcdefghij' };
    for (const settings of [other, {}]) {
      const { error } = await replayed({ settings }, key);
      expect(error).toMatchObject({ code: 'journal', message: expect.stringContaining('`historySecret`') as unknown });
    }
  });

  it('differ from each other although the calls are the same, so that a store cannot tell who asks alike', async () => {
    const heads = await Promise.all(
      [1, 2].map(async () => {
        const kept = new Kept();
        const { provider } = attempt(kept.journal(), [says('a', 'Hi.')]);
        await generateText({ model: provider('gpt-5'), prompt: 'The same.' });
        return kept.records.get('0/round/0')?.['call'] as { asked: Record<string, string> };
      }),
    );
    const hashes = heads.flatMap((head) => Object.values(head.asked));
    expect(new Set(hashes).size).toBe(6);
  });
});

describe('the same call', () => {
  it.each<[string, Parameters<typeof replayed>[0]]>([
    [
      'with another signal and other headers',
      {
        call: { ...asked, abortSignal: new AbortController().signal, headers: { traceparent: '00-1-2-01' } },
      },
    ],
    [
      'with members of JSON in another order',
      {
        call: {
          ...asked,
          messages: messages.map((message, index) => {
            if (index === 2)
              return {
                role: 'assistant',
                content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'sum', input: { b: [2, 3], a: 1 } }],
              };
            if (index !== 3) return message;
            const output = { value: { of: 'x', sum: 6 }, type: 'json' };
            return { role: 'tool', content: [{ output, toolName: 'sum', toolCallId: 'c', type: 'tool-result' }] };
          }) as ModelMessage[],
          providerOptions: { openai: { instructions: 'Be brief.', user: 'a' } },
        },
      },
    ],
    [
      'with other labels, another cache key and another tier',
      {
        call: {
          ...asked,
          providerOptions: {
            openai: {
              user: 'a',
              instructions: 'Be brief.',
              metadata: { attempt: '2' },
              promptCacheKey: 'x',
              serviceTier: 'flex',
            },
          },
        },
      },
    ],
    ['with other tools', { settings: { tools: { more: tool([], 'more') } } }],
    ['with another key and host', { settings: { apiKey: 'sk-other-1234567890', baseURL: 'http://localhost:9/v1' } }],
  ])('goes on %s', async (_what, second) => {
    expect(await replayed(second)).toMatchObject({ text: 'ANSWER-FOR-A', requests: 0 });
  });

  it('goes on with a record of an earlier version, which has no hash', async () => {
    const kept = new Kept();
    const { provider } = attempt(kept.journal(), [says('a', 'Hi.')]);
    await generateText({ model: provider('gpt-5'), prompt: 'Go.' });
    const record = kept.records.get('0/round/0') as { call: Record<string, unknown> };
    delete record.call['asked'];
    const again = attempt(kept.journal(), []);
    expect((await generateText({ model: again.provider('gpt-5'), prompt: 'Go on.' })).text).toBe('Hi.');
  });

  it('is the same whichever AI SDK it comes through', async () => {
    const kept = new Kept();
    const first = attempt(kept.journal(), [says('a', 'Hi.')]);
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go.' }] }];
    await first.provider('gpt-5').doGenerate({ prompt });
    const settings = {
      baseURL: 'http://localhost/v1',
      apiKey: 'k',
      backend: 'openai' as const,
      fetch: scriptedFetch([]),
    };
    await using v3 = createV3({ ...settings, journal: kept.journal() });
    await using v4 = createV4({ ...settings, journal: kept.journal() });
    expect((await v3('gpt-5').doGenerate({ prompt })).content).toMatchObject([{ text: 'Hi.' }]);
    expect((await v4('gpt-5').doGenerate({ prompt })).content).toMatchObject([{ text: 'Hi.' }]);
  });
});
