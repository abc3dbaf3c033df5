import { describe, expect, it } from 'vitest';
import { errorReply } from 'responses-loop/testing';
import { streamParts } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';

const add = {
  inputSchema: { type: 'object' },
  execute: ({ a, b }: Readonly<Record<string, unknown>>) => Number(a) + Number(b),
};
const stored = { providerOptions: { openai: { store: true } } };
const toolRound = reply(calls('resp_1', ['add', { a: 1, b: 2 }]));

describe('I13 a follow-up where the server keeps state', () => {
  it('is not sent twice when the server may have acted on it', async () => {
    const { model, requests } = await rig([toolRound, errorReply({ status: 500 })], { tools: { add } });
    const parts = await streamParts(model, stored);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(requests).toHaveLength(2);
  });

  it('is sent again when the server surely has not', async () => {
    const { model, requests } = await rig(
      [toolRound, errorReply({ status: 503, code: 'overloaded' }), reply(says('resp_2', '3.'))],
      {
        tools: { add },
      },
    );
    const parts = await streamParts(model, stored);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(requests).toHaveLength(3);
  });
});

describe('a prompt of a conversation that the server keeps', () => {
  const conversation = { providerOptions: { openai: { conversation: 'conv_1' } } };
  const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] });
  const textOf = (item: Readonly<Record<string, unknown>>): unknown =>
    item['type'] === 'function_call_output'
      ? `${String(item['call_id'])} = ${String(item['output'])}`
      : item['content'];

  it('is sent from the last answer on', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Four.'))]);
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] } as const;
    await streamParts(model, {
      prompt: [user('1 + 1?'), { ...answer, content: [...answer.content] }, user('2 + 2?')],
      ...conversation,
    });
    expect(requests[0]?.input.map(textOf)).toEqual([[{ type: 'input_text', text: '2 + 2?' }]]);
  });

  it('brings the outputs of a mixed round, ours and the client’s, and nothing the server has', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Done.'))]);
    const carrier = {
      v: 1,
      calls: [
        {
          callId: 'call_ours',
          name: 'add',
          arguments: '{}',
          output: { isError: false, content: [{ type: 'text', text: '3' }] },
        },
      ],
    };
    await streamParts(model, {
      prompt: [
        user('Q'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: '', providerOptions: { 'responses-loop': { carrier } } },
            { type: 'tool-call', toolCallId: 'call_client', toolName: 'ask', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'call_client', toolName: 'ask', output: { type: 'text', value: 'yes' } },
          ],
        },
      ],
      ...conversation,
    });
    expect(requests[0]?.input.map(textOf)).toEqual(['call_ours = 3', 'call_client = yes']);
  });
});
