import { generateText, type ModelMessage, streamText } from 'ai';
import { describe, expect, it } from 'vitest';

import { adder } from '../acceptance/support/tools.js';
import { callsPerRound, inputOf, llama, MODEL, SEEDS, THINKING_URL } from './support/llama.js';

const integers = {
  type: 'object',
  properties: { a: { type: 'integer' }, b: { type: 'integer' } },
  required: ['a', 'b'],
} as const;

describe.skipIf(THINKING_URL === undefined)(
  'llama.cpp with a model that thinks (skipped unless RESPONSES_LOOP_LLAMA_THINK_URL names a server)',
  () => {
    it('streams reasoning as reasoning and the answer as text, each whole', async () => {
      const { provider } = llama(THINKING_URL);
      const call = { model: provider(MODEL), prompt: 'Hello', seed: 7 };
      const streamed = streamText(call);
      const types: string[] = [];
      for await (const part of streamed.fullStream) if (part.type !== types.at(-1)) types.push(part.type);
      const generated = await generateText(call);
      expect(types.indexOf('reasoning-start')).toBeLessThan(types.indexOf('text-start'));
      expect(await streamed.reasoningText).toBe(generated.reasoningText);
      expect(await streamed.text).toBe(generated.text);
      expect(generated.reasoningText).not.toBe('');
      expect(generated.text).not.toBe('');
    });

    it('a model that calls tools for ever is made to answer after maxRounds', async () => {
      const { add, runs } = adder({ inputSchema: integers });
      const { provider, bodies } = llama(THINKING_URL, { tools: { add }, maxRounds: 2 });
      for (const seed of SEEDS) {
        const { providerMetadata, warnings } = await generateText({ model: provider(MODEL), prompt: 'Add', seed });
        if (callsPerRound(providerMetadata).length < 3) continue;
        expect(callsPerRound(providerMetadata).at(-1)).toBe(0);
        expect(bodies.at(-1)).toMatchObject({ tool_choice: 'none' });
        expect(JSON.stringify(warnings)).toContain('maxRounds');
        expect(runs.length).toBeGreaterThanOrEqual(2);
        return;
      }
      throw new Error('the model never called a tool twice');
    });

    it('sends its reasoning back as plain text with what followed, over three turns, and the server takes it', async () => {
      const { provider, bodies } = llama(THINKING_URL);
      const messages: ModelMessage[] = [];
      for (const [turn, content] of ['Hello', 'And again', 'Thank you'].entries()) {
        messages.push({ role: 'user', content });
        const { response } = await generateText({ model: provider(MODEL), messages, seed: turn === 0 ? 7 : turn + 2 });
        messages.push(...response.messages);
      }
      const input = inputOf(bodies.at(-1));
      expect(input.slice(0, 3)).toEqual(['user', 'reasoning', 'assistant']);
      expect(bodies.at(-1)?.['input']).toContainEqual({
        type: 'reasoning',
        summary: [],
        content: [{ type: 'reasoning_text', text: expect.any(String) }],
      });
    });

    it('a call whose arguments were cut short by the token limit does not end the conversation', async () => {
      const { add } = adder({ inputSchema: integers });
      const { provider, bodies } = llama(THINKING_URL, { tools: { add }, maxRounds: 1, retry: { maxRetries: 0 } });
      for (const seed of SEEDS) {
        await generateText({
          model: provider(MODEL),
          prompt: 'Add',
          seed,
          providerOptions: { openai: { parallelToolCalls: true } },
        });
        if (JSON.stringify(bodies.at(-1)?.['input']).includes('arguments are not valid JSON')) return;
      }
      throw new Error('no call was ever cut short');
    });
  },
);
