import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { responseEvents, responseBody, type ScriptedStep } from '../../src/testing.js';
import { outline } from '../request/support/build.js';
import { say, start } from '../provider/support/talk.js';

const add = tool({ inputSchema: z.object({ a: z.number() }), execute: ({ a }) => `${a + 1}` });
const QUESTION: ModelMessage = { role: 'user', content: 'Q' };
const NEXT: ModelMessage = { role: 'user', content: 'Q2' };

const THINKS_AND_CALLS = {
  id: 'resp_a',
  output: [
    { type: 'reasoning', summary: ['One.', 'Two.'], encrypted: 'sealed' },
    { type: 'call', name: 'add', arguments: { a: 1 }, callId: 'call_1' },
  ],
} as const;
const ANSWERS = { id: 'resp_b', output: [{ type: 'text', text: 'It is 2.' }] } as const;

const EXPECTED = ['user: Q', 'reasoning', 'call call_1', 'output call_1: 2', 'assistant: It is 2.', 'user: Q2'];

describe('a conversation the stock provider began', () => {
  /** A turn of the stock provider on the scripted server, then one of ours on top of it. */
  async function continueAfter(
    steps: readonly ScriptedStep[],
    begin: (model: ReturnType<ReturnType<typeof createOpenAI>['responses']>) => Promise<ModelMessage[]>,
  ) {
    const { server, provider } = await start([...steps, say('Done.')], { backend: 'openai', apiKey: 'k' });
    const stock = createOpenAI({ baseURL: server.baseURL, apiKey: 'k' });
    const messages = await begin(stock.responses('gpt-5'));
    const { text } = await streamTextOf({ model: provider('gpt-5'), messages: [...messages, NEXT] });
    expect(text).toBe('Done.');
    server.assertDone();
    return server.requests.at(-1)?.input ?? [];
  }

  async function streamTextOf(options: Parameters<typeof streamText>[0]): Promise<{ text: string }> {
    const result = streamText({ ...options, onError: () => {} });
    return { text: await result.text };
  }

  it('streamed: whole items, one reasoning item, no ids, no references', async () => {
    const input = await continueAfter([responseEvents(THINKS_AND_CALLS), responseEvents(ANSWERS)], async (model) => {
      const result = streamText({
        model,
        messages: [QUESTION],
        tools: { add },
        stopWhen: stepCountIs(3),
        providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
        onError: () => {},
      });
      await result.consumeStream();
      return [QUESTION, ...(await result.response).messages];
    });
    expect(outline(input)).toEqual(EXPECTED);
    expect(input[1]).toEqual({
      type: 'reasoning',
      summary: [
        { type: 'summary_text', text: 'One.' },
        { type: 'summary_text', text: 'Two.' },
      ],
      encrypted_content: 'sealed',
    });
    expect(JSON.stringify(input)).not.toMatch(/item_reference|"id"|rs_|msg_|fc_/);
  });

  it('generated', async () => {
    const input = await continueAfter(
      [{ json: responseBody(THINKS_AND_CALLS) }, { json: responseBody(ANSWERS) }],
      async (model) => {
        const result = await generateText({
          model,
          messages: [QUESTION],
          tools: { add },
          stopWhen: stepCountIs(3),
          providerOptions: { openai: { store: false, include: ['reasoning.encrypted_content'] } },
        });
        return [QUESTION, ...result.response.messages];
      },
    );
    expect(outline(input)).toEqual(EXPECTED);
    expect(input[1]).toMatchObject({ summary: [{ text: 'One.' }, { text: 'Two.' }], encrypted_content: 'sealed' });
  });

  it('kept by the server, so without the sealed content: there is nothing to replay, and the rest goes on', async () => {
    const input = await continueAfter([responseEvents(THINKS_AND_CALLS), responseEvents(ANSWERS)], async (model) => {
      const result = streamText({
        model,
        messages: [QUESTION],
        tools: { add },
        stopWhen: stepCountIs(3),
        providerOptions: { openai: { store: true } },
        onError: () => {},
      });
      await result.consumeStream();
      return [QUESTION, ...(await result.response).messages];
    });
    expect(outline(input)).toEqual(EXPECTED.filter((item) => item !== 'reasoning'));
  });
});
