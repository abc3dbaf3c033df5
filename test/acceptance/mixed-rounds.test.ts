import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { responseEvents } from 'responses-loop/testing';
import { brokenRules, finishOf, partsOf, roundsOf, shape, streamParts } from './support/parts.js';
import { reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { outline, outputs } from './support/wire.js';

const askSchema = { type: 'object', properties: { question: { type: 'string' } } } as const;
const askDeclaration = { type: 'function', name: 'ask', inputSchema: askSchema } as const;

/** Our call and the caller's, in either order. */
const mixed = (order: 'own first' | 'client first') => {
  const own = { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_own' } as const;
  const client = { type: 'call', name: 'ask', arguments: { question: 'Sure?' }, callId: 'call_client' } as const;
  return { id: 'resp_1', output: order === 'own first' ? [own, client] : [client, own] };
};

describe.each(['own first', 'client first'] as const)('a round with our call and the caller’s, %s', (order) => {
  it.each(['stream', 'generate'] as const)(
    'runs ours, leaves theirs to the SDK, and the next step carries both (%s)',
    async (road) => {
      const { add, runs } = adder();
      const asked: unknown[] = [];
      const ask = tool({
        inputSchema: jsonSchema<{ question: string }>(askSchema),
        execute: ({ question }) => {
          asked.push(question);
          return 'yes';
        },
      });
      const { model, requests } = await rig([reply(mixed(order)), reply(says('resp_2', 'It is 5, surely.'))], {
        tools: { add },
      });
      const options = { model, prompt: 'Add, but ask me.', tools: { ask }, stopWhen: stepCountIs(5) };
      const result = road === 'stream' ? streamText(options) : await generateText(options);
      expect(await result.text).toBe('It is 5, surely.');
      expect([runs.length, asked]).toEqual([1, ['Sure?']]);
      const steps = await result.steps;
      expect(steps.map((step) => step.finishReason)).toEqual(['tool-calls', 'stop']);
      expect(new Map(outputs(requests[1]))).toEqual(
        new Map([
          ['call_own', '5'],
          ['call_client', 'yes'],
        ]),
      );
      expect(outputs(requests[1])).toHaveLength(2);
      expect(outline(requests[1])).toHaveLength(5);
    },
  );

  it('finishes tool-calls without a follow-up: result of ours, call of theirs, finish', async () => {
    const { add } = adder();
    const { model } = await rig([reply(mixed(order))], { tools: { add }, toolParts: 'all' });
    const parts = await streamParts(model, { tools: [askDeclaration] });
    expect(brokenRules(parts)).toEqual([]);
    expect(shape(parts).slice(-3)).toEqual(['tool-result', 'tool-call', 'finish']);
    expect(partsOf(parts, 'tool-call').at(-1)).toEqual({
      type: 'tool-call',
      toolName: 'ask',
      toolCallId: 'call_client',
      input: '{"question":"Sure?"}',
      providerMetadata: expect.anything() as object,
    });
    expect(finishOf(parts).finishReason).toBe('tool-calls');
    expect(roundsOf(parts)).toMatchObject([
      {
        calls: [
          { name: 'add', origin: 'loop', isError: false },
          { name: 'ask', origin: 'client' },
        ],
      },
    ]);
  });
});

describe('mixed rounds', () => {
  it('several steps with mixed rounds keep every call, output and text exactly once and in order', async () => {
    const { add } = adder();
    const ask = tool({
      inputSchema: jsonSchema<{ question: string }>(askSchema),
      execute: ({ question }) => `answer to ${question}`,
    });
    const call = (name: string, args: Record<string, string | number>, callId: string) =>
      ({ type: 'call', name, arguments: args, callId }) as const;
    const { model, requests } = await rig(
      [
        reply({
          id: 'resp_1',
          output: [{ type: 'text', text: 'First I add.' }, call('add', { a: 1, b: 1 }, 'call_1')],
        }),
        reply({
          id: 'resp_2',
          output: [
            { type: 'text', text: 'Add and ask.' },
            call('add', { a: 2, b: 2 }, 'call_2'),
            call('ask', { question: 'A?' }, 'call_3'),
          ],
        }),
        reply({ id: 'resp_3', output: [call('add', { a: 3, b: 3 }, 'call_4')] }),
        reply({
          id: 'resp_4',
          output: [call('add', { a: 4, b: 4 }, 'call_5'), call('ask', { question: 'B?' }, 'call_6')],
        }),
        reply(says('resp_5', 'Done.')),
      ],
      { tools: { add } },
    );
    const result = streamText({ model, prompt: 'Go.', tools: { ask }, stopWhen: stepCountIs(5) });
    await result.consumeStream();
    expect(outputs(requests[4])).toEqual([
      ['call_1', '2'],
      ['call_2', '4'],
      ['call_3', 'answer to A?'],
      ['call_4', '6'],
      ['call_5', '8'],
      ['call_6', 'answer to B?'],
    ]);
    expect(outline(requests[4]).filter((line) => line.startsWith('says'))).toEqual([
      'says First I add.',
      'says Add and ask.',
    ]);
    expect(await result.steps).toHaveLength(3);
  });

  it('a caller’s call keeps its place before reasoning that came after it', async () => {
    const ask = tool({ inputSchema: jsonSchema<{ question: string }>(askSchema), execute: () => 'yes' });
    const call = (callId: string) => ({ type: 'call', name: 'ask', arguments: { question: '?' }, callId }) as const;
    const thought = (encrypted: string) => ({ type: 'reasoning', summary: [], encrypted }) as const;
    const { model, requests } = await rig(
      [
        reply({ id: 'resp_1', output: [thought('one'), call('call_1'), thought('two'), call('call_2')] }),
        reply(says('resp_2', 'Done.')),
      ],
      { backend: 'openai' },
    );
    await generateText({ model, prompt: 'Go.', tools: { ask }, stopWhen: stepCountIs(5) });
    expect(outline(requests[1])).toEqual([
      'user Go.',
      'thinks one',
      'call ask',
      'output yes',
      'thinks two',
      'call ask',
      'output yes',
    ]);
  });

  it('a client tool without execute ends the call for the caller to answer', async () => {
    const { add } = adder();
    const { model } = await rig([reply(mixed('own first'))], { tools: { add } });
    const ask = { inputSchema: jsonSchema(askSchema) };
    const result = await generateText({ model, prompt: 'Go.', tools: { ask }, stopWhen: stepCountIs(5) });
    expect(result.finishReason).toBe('tool-calls');
    expect(result.toolCalls).toMatchObject([{ toolName: 'ask', toolCallId: 'call_client' }]);
  });

  it('a client call whose output the response already holds is not given to the client', async () => {
    const { model } = await rig([
      reply({
        id: 'resp_1',
        output: [
          { type: 'call', name: 'ask', arguments: { question: 'Sure?' }, callId: 'call_1' },
          { type: 'item', item: { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: 'yes' } },
          { type: 'text', text: 'You said yes.' },
        ],
      }),
    ]);
    const parts = await streamParts(model, { tools: [askDeclaration] });
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('stop');
  });

  it.each(['failed', 'incomplete'] as const)(
    'a client call of a response that %s is not given to the client',
    async (status) => {
      const { model } = await rig([responseEvents({ ...mixed('client first'), status })]);
      const parts = await streamParts(model, { tools: [askDeclaration] });
      expect(partsOf(parts, 'tool-call')).toEqual([]);
      expect(finishOf(parts).finishReason).not.toBe('tool-calls');
    },
  );
});
