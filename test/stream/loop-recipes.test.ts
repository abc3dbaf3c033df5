import { jsonSchema, streamText, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';

import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { finishOf, partsOf, streamParts, textOf } from '../acceptance/support/parts.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { outline, outputs } from '../acceptance/support/wire.js';

const twoUses = {
  tool_uses: [
    { recipient_name: 'functions.add', parameters: { a: 1, b: 2 } },
    { recipient_name: 'functions.add', parameters: { a: 3, b: 4 } },
  ],
};

describe('a call of the wrapper "parallel" that no one declared', () => {
  it.each(['parallel', 'multi_tool_use.parallel'])('%s runs the calls inside it and answers each', async (name) => {
    const { add, runs } = adder();
    const { model, requests } = await rig([reply(calls('resp_1', [name, twoUses])), reply(says('resp_2', 'Done.'))], {
      tools: { add },
    });
    expect(textOf(await streamParts(model))).toBe('Done.');
    expect(runs).toEqual([
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ]);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['3', '7']);
    const answered = outputs(requests[1]).map(([id]) => id);
    expect(
      requests[1]?.input.filter((item) => item['type'] === 'function_call').map((item) => item['call_id']),
    ).toEqual(answered);
  });

  it.each([
    ['holds no calls', {}],
    ['holds an empty list', { tool_uses: [] }],
    ['names no tool', { tool_uses: [{ parameters: {} }] }],
  ])('one that %s is answered as an unknown tool, and nothing runs', async (_, args) => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['parallel', args])), reply(says('resp_2', 'Sorry.'))],
      { tools: { add } },
    );
    expect(textOf(await streamParts(model))).toBe('Sorry.');
    expect(runs).toEqual([]);
    expect(outputs(requests[1])).toHaveLength(1);
    expect(outputs(requests[1])[0]?.[1]).toContain('add');
  });

  it('one that the caller declared is handed to the caller whole', async () => {
    const { add } = adder();
    const { provider } = await rig([reply(calls('resp_1', ['parallel', twoUses]))], { tools: { add } });
    const tools = { parallel: tool({ inputSchema: jsonSchema<object>({ type: 'object' }) }) } as ToolSet;
    const result = streamText({ model: provider('gpt-test'), prompt: 'Hi', tools });
    expect((await result.toolCalls).map((made) => [made.toolName, made.input])).toEqual([['parallel', twoUses]]);
    expect(await result.finishReason).toBe('tool-calls');
  });

  it('one of ours by that name runs as any other tool, its input shown on its way', async () => {
    const runs: unknown[] = [];
    const parallel = toolOf((args) => {
      runs.push(args);
      return 'ok';
    });
    const { model } = await rig([reply(calls('resp_1', ['parallel', twoUses])), reply(says('resp_2', 'Done.'))], {
      tools: { parallel },
      toolParts: 'all',
    });
    const parts = await streamParts(model);
    expect(runs).toEqual([twoUses]);
    const input = partsOf(parts, 'tool-input-delta').map(({ delta }) => delta);
    expect(JSON.parse(input.join(''))).toEqual(twoUses);
  });
});

describe('two calls with one call id', () => {
  it('both run, and each is answered under an id of its own', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 2 }, 'add'], ['add', { a: 3, b: 4 }, 'add'])),
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { add } },
    );
    await streamParts(model);
    expect(runs).toHaveLength(2);
    const answered = outputs(requests[1]);
    expect(answered.map(([, output]) => output)).toEqual(['3', '7']);
    expect(new Set(answered.map(([id]) => id)).size).toBe(2);
    expect(
      requests[1]?.input.filter((item) => item['type'] === 'function_call').map((item) => item['call_id']),
    ).toEqual(answered.map(([id]) => id));
  });
});

describe('a call whose arguments are no JSON', () => {
  it('is answered, and goes back with arguments that every server can read (llama.cpp, Ollama)', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig([reply(calls('resp_1', ['add', '{"'])), reply(says('resp_2', 'Sorry.'))], {
      tools: { add },
    });
    expect(textOf(await streamParts(model))).toBe('Sorry.');
    expect(runs).toEqual([]);
    expect(outputs(requests[1])[0]?.[1]).toContain('not valid JSON');
    const [sent] = requests[1]?.input.filter((item) => item['type'] === 'function_call') ?? [];
    const text = sent?.['arguments'];
    expect(() => JSON.parse(typeof text === 'string' ? text : '') as unknown).not.toThrow();
  });
});

describe('a response that holds the output of its own call (Mastra)', () => {
  it('is not run again, and no follow-up is sent', async () => {
    const { add, runs } = adder();
    const step = reply({
      id: 'resp_1',
      output: [
        { type: 'call', name: 'add', arguments: { a: 1, b: 2 }, callId: 'call_1' },
        { type: 'item', item: { type: 'function_call_output', call_id: 'call_1', output: '3' } },
        { type: 'text', text: 'It is 3.' },
      ],
    });
    const { model, requests } = await rig([step], { tools: { add } });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('It is 3.');
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(runs).toEqual([]);
    expect(requests).toHaveLength(1);
    expect(outline(requests[0])).toEqual(['user Hello']);
    expect(partsOf(parts, 'error')).toEqual([]);
  });
});

describe('a call in a response that did not finish', () => {
  it.each([
    ['incomplete', { incomplete: 'max_output_tokens' }, 'length'],
    ['failed', { error: { code: 'server_error', message: 'It broke.' } }, 'error'],
  ] as const)('%s: the tool does not run', async (status, ending, finishReason) => {
    const { add, runs } = adder();
    const events = [
      { type: 'response.created', response: { id: 'resp_1' } },
      { type: 'response.output_text.delta', output_index: 0, delta: 'Let me see.' },
      {
        type: 'response.output_item.done',
        output_index: 1,
        item: { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'add', arguments: '{"a":1,"b":2}' },
      },
      {
        type: `response.${status}`,
        response: {
          id: 'resp_1',
          status,
          output: [],
          ...('error' in ending ? { error: ending.error } : { incomplete_details: { reason: ending.incomplete } }),
        },
      },
    ];
    const { model, requests } = await rig([{ events }], { tools: { add } });
    const parts = await streamParts(model);
    expect(textOf(parts)).toBe('Let me see.');
    expect(finishOf(parts).finishReason).toBe(finishReason);
    expect(runs).toEqual([]);
    expect(requests).toHaveLength(1);
  });
});
