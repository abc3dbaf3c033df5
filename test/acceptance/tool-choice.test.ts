import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { createKelivoResponsesProvider } from 'responses-loop';
import { finishOf, partsOf, streamParts, textOf } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';
import { offered, outputs } from './support/wire.js';

const emptyObject = { type: 'object', properties: {} } as const;

describe('tool choice', () => {
  it.each([
    ['required', { type: 'required' }, 'required'],
    ['a tool by name', { type: 'tool', toolName: 'add' }, { type: 'function', name: 'add' }],
  ] as const)('a choice of %s is forced in the first round and free afterwards', async (_name, toolChoice, wire) => {
    const { add } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }])),
        reply(calls('resp_2', ['add', { a: 2, b: 2 }])),
        reply(says('resp_3', 'Done.')),
      ],
      { tools: { add } },
    );
    await streamParts(model, { toolChoice });
    expect(requests.map((request) => request.body['tool_choice'])).toEqual([wire, undefined, undefined]);
  });

  it('with toolChoice none no loop tool is offered, and the caller’s tools stay', async () => {
    const { add } = adder();
    const { model, requests } = await rig([reply(says('resp_1', 'No tools.'))], { tools: { add } });
    const ask = { inputSchema: jsonSchema(emptyObject) };
    const result = streamText({ model, prompt: 'Hello', toolChoice: 'none', tools: { ask } });
    expect(await result.text).toBe('No tools.');
    expect(offered(requests[0])).toEqual(['ask']);
    expect(requests[0]?.body['tool_choice']).toBe('none');
  });

  it('with toolChoice none and no tools of the caller no tools are sent at all (the SDK itself then drops the choice, so the model is asked directly)', async () => {
    const { add } = adder();
    const { model, requests } = await rig([reply(says('resp_1', 'No tools.'))], { tools: { add } });
    await streamParts(model, { toolChoice: { type: 'none' } });
    expect(requests[0]?.body).not.toHaveProperty('tools');
    expect(requests[0]?.body).not.toHaveProperty('tool_choice');
  });
});

describe('whose call it is', () => {
  it('a call nobody has is the client’s when no loop tool was offered', async () => {
    const { model } = await rig([reply(calls('resp_1', ['mystery', { x: 1 }, 'call_1']))]);
    const parts = await streamParts(model);
    expect(partsOf(parts, 'tool-call')).toMatchObject([
      { toolName: 'mystery', toolCallId: 'call_1', input: '{"x":1}' },
    ]);
    expect(partsOf(parts, 'tool-call')[0]).not.toHaveProperty('providerExecuted');
    expect(finishOf(parts).finishReason).toBe('tool-calls');
  });

  it('a caller’s tool keeps its name against ours, which is offered under another and still works', async () => {
    const { add, runs } = adder();
    const mine: unknown[] = [];
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])),
        reply(calls('resp_2', ['local__add', { a: 2, b: 2 }, 'call_2'])),
        reply(says('resp_3', 'Done.')),
      ],
      { tools: { add } },
    );
    const clientAdd = tool({ inputSchema: jsonSchema(emptyObject), execute: (args) => void mine.push(args) });
    const result = streamText({ model, prompt: 'Add.', tools: { add: clientAdd }, stopWhen: stepCountIs(5) });
    expect(await result.text).toBe('Done.');
    expect(offered(requests[0]).toSorted()).toEqual(['add', 'local__add']);
    expect([mine.length, runs]).toEqual([1, [{ a: 2, b: 2 }]]);
    expect(outputs(requests[2]).map(([callId]) => callId)).toEqual(['call_1', 'call_2']);
    expect(await result.warnings).toMatchObject([
      { message: expect.stringContaining('is offered as "local__add"') as string },
    ]);
  });

  it('nameClash loop gives the name to us, and the caller’s tool is not offered', async () => {
    const { add, runs } = adder();
    const mine: unknown[] = [];
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))],
      {
        tools: { add },
        nameClash: 'loop',
      },
    );
    const clientAdd = tool({ inputSchema: jsonSchema(emptyObject), execute: (args) => void mine.push(args) });
    expect(await streamText({ model, prompt: 'Add.', tools: { add: clientAdd } }).text).toBe('Two.');
    expect(offered(requests[0])).toEqual(['add']);
    expect([mine.length, runs.length]).toEqual([0, 1]);
  });

  it('the kelivo provider gives clashing names to the loop without being told', async () => {
    const { add, runs } = adder();
    const { server } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))]);
    const provider = createKelivoResponsesProvider({ baseURL: server.baseURL, tools: { add } });
    const clientAdd = tool({ inputSchema: jsonSchema(emptyObject), execute: () => 'mine' });
    expect(
      await streamText({ model: provider.languageModel('m'), prompt: 'Add.', tools: { add: clientAdd } }).text,
    ).toBe('Two.');
    expect(runs).toHaveLength(1);
  });

  it('an unknown name is answered with the names there are, the caller’s among them', async () => {
    const { add } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['nope', {}, 'call_1'])), reply(says('resp_2', 'Sorry.'))],
      { tools: { add } },
    );
    expect(
      textOf(await streamParts(model, { tools: [{ type: 'function', name: 'ask', inputSchema: emptyObject }] })),
    ).toBe('Sorry.');
    expect(outputs(requests[1])).toEqual([['call_1', 'There is no tool named "nope". The tools are: add, ask.']]);
  });
});

describe('when tools run', () => {
  const record = (log: string[], name: string, readOnly = false) =>
    toolOf(
      async () => {
        log.push(`${name} starts`);
        await new Promise((resolve) => setImmediate(resolve));
        log.push(`${name} ends`);
        return name;
      },
      { readOnly },
    );

  it('tools that may change something run alone, in output order', async () => {
    const log: string[] = [];
    const { model } = await rig(
      [reply(calls('resp_1', ['one', {}], ['two', {}], ['three', {}])), reply(says('resp_2', 'Done.'))],
      {
        tools: { one: record(log, 'one'), two: record(log, 'two'), three: record(log, 'three') },
      },
    );
    await streamParts(model);
    expect(log).toEqual(['one starts', 'one ends', 'two starts', 'two ends', 'three starts', 'three ends']);
  });

  it('read-only tools overlap, but never pass one that may change something', async () => {
    const log: string[] = [];
    const { model } = await rig(
      [
        reply(calls('resp_1', ['readA', {}], ['readB', {}], ['write', {}], ['readC', {}])),
        reply(says('resp_2', 'Done.')),
      ],
      {
        tools: {
          readA: record(log, 'A', true),
          readB: record(log, 'B', true),
          write: record(log, 'write'),
          readC: record(log, 'C', true),
        },
      },
    );
    await generateText({ model, prompt: 'Go.' });
    expect(log.slice(0, 2)).toEqual(['A starts', 'B starts']);
    expect(log.slice(4)).toEqual(['write starts', 'write ends', 'C starts', 'C ends']);
  });

  it('toolConcurrency 1 runs even read-only tools one after another', async () => {
    const log: string[] = [];
    const { model } = await rig(
      [reply(calls('resp_1', ['readA', {}], ['readB', {}])), reply(says('resp_2', 'Done.'))],
      {
        tools: { readA: record(log, 'A', true), readB: record(log, 'B', true) },
        toolConcurrency: 1,
      },
    );
    await streamParts(model);
    expect(log).toEqual(['A starts', 'A ends', 'B starts', 'B ends']);
  });

  it('toolConcurrency 2 runs two at once, whatever they do', async () => {
    const log: string[] = [];
    const { model } = await rig(
      [reply(calls('resp_1', ['one', {}], ['two', {}], ['three', {}])), reply(says('resp_2', 'Done.'))],
      {
        tools: { one: record(log, 'one'), two: record(log, 'two'), three: record(log, 'three') },
        toolConcurrency: 2,
      },
    );
    await streamParts(model);
    expect(log.slice(0, 2)).toEqual(['one starts', 'two starts']);
    expect(log.indexOf('three starts')).toBeGreaterThan(log.indexOf('one ends'));
  });
});

describe('a forced choice of a tool that nobody has', () => {
  it('is said in a warning of the call', async () => {
    const { model } = await rig([reply(says('resp_1', 'Hi.'))]);
    const parts = await streamParts(model, { toolChoice: { type: 'tool', toolName: 'later' } });
    expect(parts[0]).toMatchObject({
      type: 'stream-start',
      warnings: [{ message: 'toolChoice names "later", which is none of the tools of this call.' }],
    });
  });
});
