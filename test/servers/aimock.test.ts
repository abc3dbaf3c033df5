import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';

import { adder } from '../acceptance/support/tools.js';
import { aimock } from './support/aimock.js';

const MODEL = 'gpt-5-mini';
const prompt = 'What is 2 and 3?';

describe('text from aimock', () => {
  it.each([1, 7, 200])(
    'arrives whole when streamed in pieces of %i characters, whatever alphabet it is in',
    async (chunkSize) => {
      const text = 'Grüße, 天气 ☀️ – naïve 👩‍👩‍👧‍👦 café\nسلام';
      const { provider } = await aimock((mock) => mock.onMessage('What', { content: text }, { chunkSize }));
      const result = streamText({ model: provider(MODEL), prompt });
      const pieces: string[] = [];
      for await (const piece of result.textStream) pieces.push(piece);
      expect(pieces.join('')).toBe(text);
      expect(await result.finishReason).toBe('stop');
    },
  );

  it('is the same when it is generated instead of streamed', async () => {
    const { provider, seen } = await aimock((mock) =>
      mock.onMessage('What', { content: 'Five.', usage: { input_tokens: 11, output_tokens: 4 } }),
    );
    const streamed = streamText({ model: provider(MODEL), prompt });
    const generated = await generateText({ model: provider(MODEL), prompt });
    expect(generated.text).toBe('Five.');
    expect(await streamed.text).toBe(generated.text);
    expect(generated.usage).toMatchObject({ inputTokens: 11, outputTokens: 4 });
    expect(await streamed.usage).toMatchObject({ inputTokens: 11, outputTokens: 4 });
    expect(seen().map(({ path }) => path)).toEqual(['/v1/responses', '/v1/responses']);
  });
});

describe('the tool loop against aimock', () => {
  it('answers a call under the id the server gave and streams on in the same step', async () => {
    const { add, runs } = adder();
    const { provider, seen } = await aimock(
      (mock) => {
        mock.onToolResult('call_sum', { content: 'It is 5.' });
        mock.onMessage('What', { toolCalls: [{ id: 'call_sum', name: 'add', arguments: '{"a":2,"b":3}' }] });
      },
      { tools: { add } },
    );
    const result = streamText({ model: provider(MODEL), prompt });
    expect(await result.text).toBe('It is 5.');
    expect(await result.steps).toHaveLength(1);
    expect(await result.finishReason).toBe('stop');
    expect(runs).toEqual([{ a: 2, b: 3 }]);
    expect(seen()).toHaveLength(2);
  });

  it('runs two calls of one response, sends both outputs in one follow-up and generates the same answer', async () => {
    const { add, runs } = adder();
    const { provider, mock } = await aimock(
      (server) => {
        server.on({ hasToolResult: true }, { content: 'Five and nine.' });
        server.onMessage('What', {
          toolCalls: [
            { id: 'call_a', name: 'add', arguments: '{"a":2,"b":3}' },
            { id: 'call_b', name: 'add', arguments: '{"a":4,"b":5}' },
          ],
        });
      },
      { tools: { add } },
    );
    const { text } = await generateText({ model: provider(MODEL), prompt });
    expect(text).toBe('Five and nine.');
    expect(runs).toEqual([
      { a: 2, b: 3 },
      { a: 4, b: 5 },
    ]);
    const followUp = mock.getLastRequest()?.body as {
      messages?: { role: string; tool_call_id?: string; content: unknown }[];
    };
    expect(followUp.messages?.filter((message) => message.role === 'tool')).toMatchObject([
      { tool_call_id: 'call_a', content: '5' },
      { tool_call_id: 'call_b', content: '9' },
    ]);
  });

  it('streams reasoning before a call and the answer after it', async () => {
    const { add, runs } = adder();
    const { provider } = await aimock(
      (mock) => {
        mock.onToolResult('call_sum', { content: 'It is 5.', reasoning: 'That was easy.' });
        mock.onMessage('What', {
          reasoning: 'I should add them.',
          toolCalls: [{ id: 'call_sum', name: 'add', arguments: '{"a":2,"b":3}' }],
        });
      },
      { tools: { add } },
    );
    const result = streamText({ model: provider(MODEL), prompt });
    expect(await result.text).toBe('It is 5.');
    // Between them stands an empty part: what carries the call to the next turn.
    const thoughts = (await result.reasoning).map((part) => part.text).filter((text) => text !== '');
    expect(thoughts).toEqual(['I should add them.', 'That was easy.']);
    expect(runs).toHaveLength(1);
  });

  it('hands a call of a tool of the caller over and takes its output in the next step', async () => {
    const { add } = adder();
    const { provider, seen } = await aimock((mock) => {
      mock.onToolResult('call_sum', { content: 'It is 5.' });
      mock.onMessage('What', { toolCalls: [{ id: 'call_sum', name: 'add', arguments: '{"a":2,"b":3}' }] });
    });
    const execute = (args: { a: number; b: number }): string => String(args.a + args.b);
    const tools = {
      add: tool({ inputSchema: jsonSchema<{ a: number; b: number }>(add.inputSchema as object), execute }),
    };
    const result = await generateText({ model: provider(MODEL), prompt, tools, stopWhen: stepCountIs(3) });
    expect(result.text).toBe('It is 5.');
    expect(result.steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'stop']);
    expect(seen()).toHaveLength(2);
  });

  it('asks for the follow-up again after a 500 and does not run the tool twice', async () => {
    const { add, runs } = adder();
    const { provider, seen } = await aimock(
      (mock) => {
        mock.on(
          { toolCallId: 'call_sum', sequenceIndex: 0 },
          { error: { message: 'down', type: 'server_error' }, status: 500 },
        );
        mock.on({ toolCallId: 'call_sum' }, { content: 'It is 5.' });
        mock.onMessage('What', { toolCalls: [{ id: 'call_sum', name: 'add', arguments: '{"a":2,"b":3}' }] });
      },
      { tools: { add } },
    );
    expect((await generateText({ model: provider(MODEL), prompt, maxRetries: 0 })).text).toBe('It is 5.');
    expect(runs).toHaveLength(1);
    expect(seen().map(({ status }) => status)).toEqual([200, 500, 200]);
  });
});
