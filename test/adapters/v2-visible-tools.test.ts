import { generateText, jsonSchema, stepCountIs, streamText, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { finishOf, partsOf, streamParts } from '../acceptance/support/parts.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { offered } from '../acceptance/support/wire.js';

const steps = [
  reply({
    id: 'resp_1',
    output: [
      { type: 'text', text: 'Adding.' },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_1' },
    ],
  }),
  reply(says('resp_2', 'Five.')),
];
const broken = toolOf(() => Promise.reject(new Error('no')));

describe('provider.tools() makes loop tools visible under ai 5', () => {
  it('streamText shows input, call and result, without an error part and without a second call of the model', async () => {
    const { add, runs } = adder();
    const { model, provider, requests } = await rig(steps, { tools: { add } });
    const errors: unknown[] = [];
    const result = streamText({
      model,
      prompt: 'Add.',
      tools: await provider.tools(),
      stopWhen: stepCountIs(5),
      onError: ({ error }) => void errors.push(error),
    });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    expect(types.filter((type) => type.startsWith('tool-') && type !== 'tool-input-delta')).toEqual([
      'tool-input-start',
      'tool-input-end',
      'tool-call',
      'tool-result',
    ]);
    expect([errors, types.includes('error')]).toEqual([[], false]);
    const made = await result.steps;
    expect(made).toHaveLength(1);
    expect(made[0]?.content.flatMap((part) => (part.type === 'tool-result' ? [part] : []))).toMatchObject([
      { toolName: 'add', toolCallId: 'call_1', input: { a: 2, b: 3 }, output: '5', providerExecuted: true },
    ]);
    expect([runs.length, requests.length]).toEqual([1, 2]);
    expect(offered(requests[0])).toEqual(['add']);
  });

  it('has schemas with the marks of all versions, whichever copy of the SDK npm puts beside us', async () => {
    const { provider } = await rig([], { tools: { add: adder().add } });
    const stub = (await provider.tools())['add'];
    // 3 asks for the second one, 4 and 5 make schemas without it.
    const marks = { [Symbol.for('vercel.ai.schema')]: true, [Symbol.for('vercel.ai.validator')]: true };
    expect(stub?.inputSchema).toMatchObject({ ...marks, jsonSchema: { type: 'object' } });
    expect(Object.keys(stub?.inputSchema as object)).toContain('validate');
  });

  it('generateText shows call and result, in one step', async () => {
    const { add, runs } = adder();
    const { model, provider } = await rig(steps, { tools: { add } });
    const result = await generateText({
      model,
      prompt: 'Add.',
      tools: await provider.tools(),
      stopWhen: stepCountIs(5),
    });
    expect(result.steps).toHaveLength(1);
    expect(result.toolCalls).toMatchObject([{ toolName: 'add', input: { a: 2, b: 3 }, providerExecuted: true }]);
    expect(result.toolResults).toMatchObject([{ output: '5', providerExecuted: true }]);
    expect([result.text, runs.length]).toEqual(['Adding.Five.', 1]);
  });

  it.each(['stream', 'generate'] as const)(
    'a failing tool is a tool-error, and broken JSON makes no second step (%s)',
    async (road) => {
      const { add } = adder();
      const { model, provider } = await rig(
        [reply(calls('resp_1', ['broken', {}], ['add', '{"a":'])), reply(says('resp_2', 'Sorry.'))],
        { tools: { add, broken } },
      );
      const options = { model, prompt: 'Try.', tools: await provider.tools(), stopWhen: stepCountIs(5) };
      const result = road === 'stream' ? streamText(options) : await generateText(options);
      const made = await result.steps;
      expect(made).toHaveLength(1);
      expect(
        made[0]?.content.flatMap((part) => (part.type === 'tool-error' ? [[part.toolName, part.error]] : [])),
      ).toEqual([
        ['broken', 'no'],
        ['add', expect.stringContaining('not valid JSON')],
      ]);
      expect(await result.text).toBe('Sorry.');
    },
  );

  it('without them the same call is silent in both, and no error part appears', async () => {
    const { add } = adder();
    const { model } = await rig([...steps, ...steps], { tools: { add } });
    const result = streamText({ model, prompt: 'Add.', stopWhen: stepCountIs(5) });
    const types: string[] = [];
    for await (const part of result.fullStream) types.push(part.type);
    expect(types.filter((type) => type.startsWith('tool-') || type === 'error')).toEqual([]);
    expect(
      (await generateText({ model, prompt: 'Add.', stopWhen: stepCountIs(5) })).content.map((part) => part.type),
    ).toEqual(['text', 'text']);
  });

  it('shows only the tools that were declared', async () => {
    const { add } = adder();
    const other = toolOf(() => 'other');
    const { model, provider } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }], ['other', {}])), reply(says('resp_2', 'Done.'))],
      { tools: { add, other } },
    );
    const stubs: ToolSet = await provider.tools();
    delete stubs['other'];
    const result = await generateText({ model, prompt: 'Add.', tools: stubs });
    expect(result.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : []))).toEqual(['add']);
  });

  it('a stub is no tool of the caller: it is offered once, and by its own description', async () => {
    const { add } = adder();
    const ask = tool({ inputSchema: jsonSchema({ type: 'object', properties: {} }), execute: () => 'yes' });
    const { model, provider, requests } = await rig([reply(says('resp_1', 'Hi.'))], { tools: { add } });
    await generateText({ model, prompt: 'Add.', tools: { ...(await provider.tools()), ask } });
    expect(offered(requests[0])).toEqual(['add', 'ask']);
  });

  it('listTools says where each tool comes from', async () => {
    const { provider } = await rig([], { tools: { add: adder({ readOnly: true, title: 'Add' }).add } });
    expect(await provider.listTools()).toMatchObject([
      {
        name: 'add',
        source: 'local',
        originalName: 'add',
        title: 'Add',
        readOnly: true,
        description: 'Adds two numbers.',
      },
    ]);
  });

  it('a round that was answered by the server itself is marked so in the metadata', async () => {
    const { add } = adder();
    const answered = [
      { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
      { type: 'item', item: { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: '2' } },
      { type: 'text', text: 'Two.' },
    ] as const;
    const { model } = await rig([reply({ id: 'resp_1', output: answered })], { tools: { add }, toolParts: 'all' });
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-result').map((part) => part.result)).toEqual(['2']);
    expect(finishOf(parts).providerMetadata?.['responses-loop']?.['rounds']).toMatchObject([
      { calls: [{ origin: 'hosted' }] },
    ]);
  });
});
