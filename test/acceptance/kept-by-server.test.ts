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

describe('D5 a server that does not have the response of the round before', () => {
  const lost = (message: string, rest: Readonly<Record<string, unknown>>, status = 400) => ({
    status,
    json: { error: { message, type: 'invalid_request_error', ...rest } },
  });
  const secondRound = reply(calls('resp_2', ['add', { a: 3, b: 3 }]));

  it.each([
    ['by its code', lost('Gone.', { code: 'previous_response_not_found' })],
    ['by the field', lost('Gone.', { param: 'previous_response_id', code: null })],
    ['by repeating the id', lost("Response with id 'resp_1' not found.", {}, 404)],
    ['in words about the field', lost("'previous_response_id' is not supported.", {}, 400)],
    ['in a stream', [{ type: 'error', code: 'previous_response_not_found', message: 'Gone.' }]],
  ])('that says so %s gets the round whole, once, and later ones too', async (_name, refusal) => {
    const runs: unknown[] = [];
    const counted = { ...add, execute: (args: Readonly<Record<string, unknown>>) => (runs.push(args), 3) };
    const { model, requests } = await rig([toolRound, refusal, secondRound, reply(says('resp_3', '3.'))], {
      tools: { add: counted },
    });
    const parts = await streamParts(model, stored);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(runs).toHaveLength(2);
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual([
      undefined,
      'resp_1',
      undefined,
      undefined,
    ]);
    expect(requests.map(({ input }) => input.map((item) => item['type']))).toEqual([
      ['message'],
      ['function_call_output'],
      ['message', 'function_call', 'function_call_output'],
      ['message', 'function_call', 'function_call_output', 'function_call', 'function_call_output'],
    ]);
    expect(JSON.stringify(parts.at(-1)).match(/sent whole/g)).toHaveLength(1);
  });

  it('is not asked again whole where the caller named the response, or the refusal is about something else', async () => {
    const gone = lost('Gone.', { code: 'previous_response_not_found' });
    const { model, requests } = await rig([gone]);
    await expect(
      streamParts(model, { providerOptions: { openai: { store: true, previousResponseId: 'resp_0' } } }),
    ).rejects.toMatchObject({ serverCode: 'previous_response_not_found' });
    expect(requests).toHaveLength(1);

    const other = await rig([toolRound, lost('No.', { param: 'input[0].output' })], { tools: { add } });
    const parts = await streamParts(other.model, stored);
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(other.requests).toHaveLength(2);
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
