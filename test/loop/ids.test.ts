import { stepCountIs, streamText, jsonSchema, tool } from 'ai';
import { responseEvents } from 'responses-loop/testing';
import { describe, expect, it } from 'vitest';
import { brokenRules, partsOf, streamParts } from '../acceptance/support/parts.js';
import { calls, reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outputs } from '../acceptance/support/wire.js';

const talk = { type: 'text', text: 'Hm. ' } as const;
const again = {
  id: 'resp_same',
  output: [talk, { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_0' }],
} as const;

describe('ids', () => {
  it('are unique over the rounds of a call although the server repeats response and call ids', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [reply(again), reply(again), reply(again), reply(says('resp_same', 'Done.'))],
      { tools: { add }, toolParts: 'all' },
    );
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(runs).toHaveLength(3);
    expect(partsOf(parts, 'tool-call').map((part) => part.toolCallId)[0]).toBe('call_0');
    expect(new Set(partsOf(parts, 'tool-call').map((part) => part.toolCallId)).size).toBe(3);
    expect(new Set(outputs(requests[3]).map(([callId]) => callId)).size).toBe(3);
    expect(itemsOfType(requests[3], 'function_call').map((item) => item['call_id'])).toEqual(
      outputs(requests[3]).map(([callId]) => callId),
    );
  });

  it('a call that the stream broke off in the middle of leaves its id to no later call', async () => {
    const { add } = adder({ readOnly: true });
    const [begun] = splitBefore(
      responseEvents(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_0'], ['add', { a: 2, b: 2 }, 'call_1'])),
      'response.completed',
    );
    const { model, requests } = await rig(
      [
        { events: begun.slice(0, -2), ending: 'reset' },
        reply(calls('resp_2', ['add', { a: 3, b: 3 }, 'call_1'])),
        reply(says('resp_3', 'Done.')),
      ],
      { tools: { add }, toolParts: 'all', retry: { maxRetries: 0 } },
    );
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(partsOf(parts, 'tool-input-start').map(({ id }) => id)).toEqual(['call_0', 'call_1', expect.any(String)]);
    expect(partsOf(parts, 'tool-call').map(({ input }) => input)).toEqual(['{"a":1,"b":1}', '{"a":3,"b":3}']);
    expect(outputs(requests[2]).map(([, output]) => output)).toEqual(['2', '6']);
  });

  it('a tool of the server’s shares its id with nothing in a later round', async () => {
    const search = { type: 'item', item: { type: 'web_search_call', id: 'ws_1', status: 'completed' } } as const;
    const call = { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_0' } as const;
    const round = { id: 'resp_same', output: [search, call] };
    const last = { id: 'resp_same', output: [search, { type: 'text', text: 'Done.' }] } as const;
    const { model } = await rig([reply(round), reply(round), reply(last)], {
      tools: { add: adder().add },
      toolParts: 'all',
    });
    const webSearch = { type: 'provider-defined', id: 'openai.web_search', name: 'search', args: {} } as const;
    const parts = await streamParts(model, { tools: [webSearch] });
    expect(brokenRules(parts)).toEqual([]);
    expect(partsOf(parts, 'tool-call').filter(({ toolName }) => toolName === 'search')).toHaveLength(3);
  });

  it('two calls with the same call id in one round remain two calls', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_0'], ['add', { a: 2, b: 2 }, 'call_0'])),
        reply(says('resp_2', 'Done.')),
      ],
      {
        tools: { add },
        toolParts: 'all',
      },
    );
    expect(brokenRules(await streamParts(model))).toEqual([]);
    expect(runs).toHaveLength(2);
    expect(outputs(requests[1]).map(([, output]) => output)).toEqual(['2', '4']);
  });

  it('are unique over the steps of a conversation, whose client calls the server numbers from call_0 in each', async () => {
    const ask = tool({
      inputSchema: jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } }),
      execute: ({ n }) => n,
    });
    const { model, requests } = await rig([
      reply({ ...calls('resp_same', ['ask', { n: 1 }, 'call_0']) }),
      reply({ ...calls('resp_same', ['ask', { n: 2 }, 'call_0']) }),
      reply(says('resp_same', 'Done.')),
    ]);
    const result = streamText({ model, prompt: 'Go.', tools: { ask }, stopWhen: stepCountIs(5) });
    await result.consumeStream();
    const ids = (await result.steps).flatMap((step) => step.toolCalls.map((call) => call.toolCallId));
    expect(new Set(ids).size).toBe(2);
    expect(outputs(requests[2])).toEqual(ids.map((callId, at) => [callId, String(at + 1)]));
  });

  it('the same bytes give the same ids', async () => {
    const play = async (): Promise<unknown> => {
      const { add } = adder();
      const { model } = await rig([reply(again), reply(again), reply(says('resp_same', 'Done.'))], {
        tools: { add },
        toolParts: 'all',
      });
      return streamParts(model);
    };
    expect(await play()).toEqual(await play());
  });

  it('the server’s own call id travels in the metadata where another had to be chosen', async () => {
    const { add } = adder();
    const { model } = await rig([reply(again), reply(again), reply(says('resp_same', 'Done.'))], {
      tools: { add },
      toolParts: 'all',
    });
    const [first, second] = partsOf(await streamParts(model), 'tool-call');
    expect(first?.providerMetadata?.['responses-loop']).not.toHaveProperty('wireCallId');
    expect(second?.providerMetadata?.['responses-loop']).toMatchObject({ wireCallId: 'call_0' });
  });
});
