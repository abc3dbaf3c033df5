import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import { finishOf, streamParts } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';

const add = {
  inputSchema: { type: 'object' },
  execute: ({ a, b }: Readonly<Record<string, unknown>>) => Number(a) + Number(b),
};
const clientTool = { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } } as const;
const cut = (reason: string): ResponseDescription => ({
  ...says('resp_1', 'Half an'),
  status: 'incomplete',
  incompleteReason: reason,
});

describe('the finish reason of a call', () => {
  it.each<[string, ResponseDescription[], string]>([
    ['an answer', [says('resp_1', 'Hi.')], 'stop'],
    ['calls of ours and an answer', [calls('resp_1', ['add', { a: 1, b: 2 }]), says('resp_2', '3.')], 'stop'],
    ['a call for the client', [calls('resp_1', ['ask', {}])], 'tool-calls'],
    ['a call of ours and one for the client', [calls('resp_1', ['add', { a: 1, b: 2 }], ['ask', {}])], 'tool-calls'],
    ['the token limit', [cut('max_output_tokens')], 'length'],
    ['a content filter', [cut('content_filter')], 'content-filter'],
    ['a reason nobody knows', [cut('cosmic_rays')], 'other'],
    ['a refusal', [{ id: 'resp_1', output: [{ type: 'refusal', text: 'No.' }] }], 'content-filter'],
  ])('%s ends with the right one', async (_name, rounds, expected) => {
    const { model } = await rig(rounds.map(reply), { tools: { add } });
    expect(finishOf(await streamParts(model, { tools: [clientTool] })).finishReason).toBe(expected);
  });

  it('the closing round of a model that cannot stop ends with "other"', async () => {
    const call = (id: string): ResponseDescription => calls(id, ['add', { a: 1, b: 2 }]);
    const { model } = await rig([reply(call('resp_1')), reply(call('resp_2'))], { tools: { add }, maxRounds: 1 });
    expect(finishOf(await streamParts(model)).finishReason).toBe('other');
  });
});

it('a call that the server left in the text is text', async () => {
  const written = '<tool_call>{"name":"add","arguments":{"a":1,"b":2}}</tool_call>';
  const { model } = await rig([reply(says('resp_1', written))], { tools: { add } });
  const parts = await streamParts(model);
  expect(parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')).toBe(written);
  expect(finishOf(parts).finishReason).toBe('stop');
});

describe('a tool nobody has', () => {
  it('is answered with the names there are, and the loop goes on', async () => {
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['subtract', { a: 1 }])), reply(says('resp_2', 'Sorry.'))],
      {
        tools: { add },
      },
    );
    await streamParts(model, { tools: [clientTool] });
    expect(requests[1]?.input.at(-1)?.['output']).toBe('There is no tool named "subtract". The tools are: add, ask.');
  });
});
