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

describe('a follow-up where the server keeps state', () => {
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

describe('a server that does not have the response of the round before', () => {
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
    expect(JSON.stringify(parts.at(-1)).match(/sends the whole conversation/g)).toHaveLength(1);
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

  const said = (text: string, itemId?: string) => ({
    type: 'text' as const,
    text,
    ...(itemId === undefined ? {} : { providerOptions: { openai: { itemId } } }),
  });
  const assistant = (...content: object[]) => ({ role: 'assistant' as const, content: content as never });
  const call = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'add', input: {} });
  const output = (toolCallId: string) => ({
    type: 'tool-result' as const,
    toolCallId,
    toolName: 'add',
    output: { type: 'text' as const, value: '2' },
  });
  const words = (item: Readonly<Record<string, unknown>>): unknown =>
    Array.isArray(item['content']) ? (item['content'] as { text: string }[])[0]?.text : item['type'];

  it('is sent from the last answer of the server on', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Four.'))]);
    await streamParts(model, {
      prompt: [user('1 + 1?'), assistant(said('Two.', 'msg_1')), user('2 + 2?')],
      ...conversation,
    });
    expect(requests[0]?.input.map(textOf)).toEqual([[{ type: 'input_text', text: '2 + 2?' }]]);
  });

  it('is sent whole where no server has been asked yet, and so is an answer to begin with', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Ada.')), reply(says('resp_2', 'B'))]);
    const seeds = [user('My name is Ada.'), assistant(said('Hello Ada.')), user('Who am I?')];
    await streamParts(model, { prompt: seeds, ...conversation });
    expect(requests[0]?.input.map(words)).toEqual(['My name is Ada.', 'Hello Ada.', 'Who am I?']);
    await streamParts(model, { prompt: [user('A'), assistant(said('Prefill'))], ...conversation });
    expect(requests[1]?.input.map(words)).toEqual(['A', 'Prefill']);
  });

  it('brings what the app has written behind the last answer of the server: texts, and calls with their outputs', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Done.'))]);
    await streamParts(model, {
      prompt: [
        user('A'),
        assistant(said('Known.', 'msg_1'), said('Added.')),
        user('B'),
        assistant(call('call_1')),
        { role: 'tool', content: [output('call_1')] },
        user('C'),
      ],
      ...conversation,
    });
    expect(requests[0]?.input.map(words)).toEqual(['Added.', 'B', 'function_call', 'function_call_output', 'C']);
  });

  describe('with calls that the stock provider took out of one wrapper', () => {
    const place = { itemId: 'fc_1', toolCallId: 'call_p', toolName: 'parallel', count: 2 };
    const inner = (index: number) => ({
      ...call(`call_p_${index}`),
      providerOptions: {
        openai: { parallelToolCall: { ...place, index, ...(index === 0 && { input: '{"tool_uses":[]}' }) } },
      },
    });
    const prompt = (...outputs: string[]) => [
      user('A'),
      assistant(inner(0), inner(1)),
      { role: 'tool' as const, content: outputs.map(output) },
    ];
    const sent = async (openai: Record<string, string>, ...outputs: string[]): Promise<unknown> => {
      const { model, requests } = await rig([reply(says('resp_1', 'Done.'))]);
      await streamParts(model, { prompt: prompt(...outputs), providerOptions: { openai } });
      return requests[0]?.input.slice(-2);
    };
    const joined = { type: 'function_call_output', call_id: 'call_p', output: '2\n2' };

    it('has one output for the call that the server knows', async () => {
      expect(await sent({ conversation: 'conv_1' }, 'call_p_0', 'call_p_1')).toEqual([joined]);
    });

    it('has the wrapper and its output behind a response, if all of it is there', async () => {
      const wrapper = { type: 'function_call', call_id: 'call_p', name: 'parallel', arguments: '{"tool_uses":[]}' };
      expect(await sent({ previousResponseId: 'resp_0' }, 'call_p_1', 'call_p_0')).toEqual([wrapper, joined]);
      expect(await sent({ previousResponseId: 'resp_0' }, 'call_p_1')).toMatchObject([
        { type: 'function_call_output', call_id: 'call_p_0' },
        { type: 'function_call_output', call_id: 'call_p_1' },
      ]);
    });
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
