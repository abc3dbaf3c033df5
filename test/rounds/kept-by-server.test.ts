import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { ScriptedStep } from '../../src/testing.js';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';

const threeRounds: readonly ScriptedStep[] = [
  reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])),
  reply(calls('resp_2', ['add', { a: 2, b: 2 }, 'call_2'], ['add', { a: 3, b: 3 }, 'call_3'])),
  reply(says('resp_3', 'Done.')),
];

/** All requests of a call that is given these options. */
async function requestsOf(
  openai: Readonly<Record<string, string | boolean>>,
  steps: readonly ScriptedStep[] = threeRounds,
  settings: Parameters<typeof rig>[1] = {},
) {
  const { model, requests } = await rig(steps, { tools: { add: adder().add }, ...settings });
  await streamText({ model, prompt: 'Go.', providerOptions: { openai } }).text;
  return requests;
}

describe('a conversation that the server keeps', () => {
  it('is continued from the user’s response, then from each round’s own, with outputs only', async () => {
    const requests = await requestsOf({ previousResponseId: 'resp_0' });
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual(['resp_0', 'resp_1', 'resp_2']);
    expect(requests.map(outline)).toEqual([['user Go.'], ['output 2'], ['output 4', 'output 6']]);
    expect(outputs(requests[2])).toEqual([
      ['call_2', '4'],
      ['call_3', '6'],
    ]);
    for (const { body } of requests) expect(body).not.toHaveProperty('store');
  });

  it('has one name for all rounds when it is a conversation', async () => {
    const requests = await requestsOf({ conversation: 'conv_1' });
    expect(requests.map(({ body }) => body['conversation'])).toEqual(['conv_1', 'conv_1', 'conv_1']);
    expect(requests.map(outline)).toEqual([['user Go.'], ['output 2'], ['output 4', 'output 6']]);
    for (const { body } of requests) {
      expect(body).not.toHaveProperty('store');
      expect(body).not.toHaveProperty('previous_response_id');
    }
  });

  it('is chained with store: true alone', async () => {
    const requests = await requestsOf({ store: true });
    expect(requests.map(({ body }) => body['store'])).toEqual([true, true, true]);
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual([undefined, 'resp_1', 'resp_2']);
    expect(requests.map((request) => request.input.length)).toEqual([1, 1, 2]);
  });

  it('is chained in the road without streaming too', async () => {
    const { model, requests } = await rig(threeRounds, { tools: { add: adder().add } });
    await generateText({ model, prompt: 'Go.', providerOptions: { openai: { previousResponseId: 'resp_0' } } });
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual(['resp_0', 'resp_1', 'resp_2']);
  });

  it('hears of outputs under its own call ids: long ones', async () => {
    const long = `call_${'x'.repeat(90)}`;
    const steps = [reply(calls('resp_1', ['add', { a: 1, b: 1 }, long])), reply(says('resp_2', 'Two.'))];
    const requests = await requestsOf({ previousResponseId: 'resp_0' }, steps);
    expect(outputs(requests[1])).toEqual([[long, '2']]);
  });

  it('hears of outputs under its own call ids: repeated ones, for which we had to mint others', async () => {
    const steps = [
      reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_0'])),
      reply(calls('resp_2', ['add', { a: 2, b: 2 }, 'call_0'])),
      reply(says('resp_3', 'Done.')),
    ];
    const requests = await requestsOf({ conversation: 'conv_1' }, steps);
    expect(requests.slice(1).map(outputs)).toEqual([[['call_0', '2']], [['call_0', '4']]]);
  });

  it('is not told again what the response itself answered', async () => {
    const done = { type: 'function_call_output', call_id: 'call_s', output: 'by the server' };
    const round = calls('resp_1', ['add', { a: 9, b: 9 }, 'call_s'], ['add', { a: 1, b: 1 }, 'call_1']);
    const output = [...(round.output ?? []), { type: 'item' as const, item: done }];
    const steps = [reply({ ...round, output }), reply(says('resp_2', 'Two.'))];
    const requests = await requestsOf({ store: true }, steps);
    expect(outputs(requests[1])).toEqual([['call_1', '2']]);
  });

  it('gets one output for the calls of a wrapper, under the wrapper’s id', async () => {
    const use = (a: number): JsonObject => ({ recipient_name: 'functions.add', parameters: { a, b: a } });
    const wrapper = calls('resp_1', ['parallel', { tool_uses: [use(1), use(2)] }, 'call_w']);
    const requests = await requestsOf({ previousResponseId: 'resp_0' }, [reply(wrapper), reply(says('resp_2', 'Ok.'))]);
    expect(requests[1]?.input).toHaveLength(1);
    const [answer] = itemsOfType(requests[1], 'function_call_output');
    expect(answer?.['call_id']).toBe('call_w');
    expect(JSON.stringify(answer?.['output'])).toMatch(/2.*4/);
  });
});

describe('a turn that only answers', () => {
  const answer = {
    type: 'tool-result',
    toolCallId: 'call_7',
    toolName: 'ask',
    output: { type: 'text', value: 'Yes.' },
  };
  const prompt = [{ role: 'tool' as const, content: [answer as never] }];

  it.each([{ previousResponseId: 'resp_0' }, { conversation: 'conv_1' }])(
    'is sent to a server that knows the call: %o',
    async (openai) => {
      const { model, requests } = await rig([reply(says('resp_1', 'Ok.'))]);
      await model.doGenerate({ prompt, providerOptions: { openai } });
      expect(outputs(requests[0])).toEqual([['call_7', 'Yes.']]);
      expect(requests[0]?.input).toHaveLength(1);
    },
  );

  it('is left out where the server knows nothing', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Ok.'))]);
    await model.doGenerate({ prompt });
    expect(requests[0]?.input).toEqual([]);
  });
});

describe('a conversation that the server does not keep', () => {
  const sealedRounds = [
    reply({
      id: 'resp_1',
      output: [
        { type: 'reasoning', summary: [], encrypted: 'sealed-1' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'call_1' },
      ],
    }),
    reply(says('resp_2', 'Two.')),
  ];

  it('is sent whole with store: false, sealed reasoning of this call included, from where the user said', async () => {
    const options = { previousResponseId: 'resp_0', store: false };
    const requests = await requestsOf(options, sealedRounds, { backend: 'openai' });
    expect(requests.map(({ body }) => body['store'])).toEqual([false, false]);
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual(['resp_0', 'resp_0']);
    expect(requests[0]?.body['include']).toEqual(['reasoning.encrypted_content']);
    expect(outline(requests[1])).toEqual(['user Go.', 'thinks sealed-1', 'call add', 'output 2']);
  });

  it('is what we ask for when nobody says anything', async () => {
    const requests = await requestsOf({}, sealedRounds, { backend: 'openai' });
    expect(requests.map(({ body }) => body['store'])).toEqual([false, false]);
    expect(requests[1]?.body).not.toHaveProperty('previous_response_id');
  });

  it.each([
    ['store: false over store: true', { store: true }, false, undefined],
    ['store: false over a previous response', { previousResponseId: 'resp_0' }, false, 'resp_0'],
    ['store: null over our own default', {}, undefined, undefined],
    ['store: null over store: true', { store: true }, undefined, undefined],
  ] as const)('respects an override of the model: %s', async (_name, openai, store, previous) => {
    const models = { '*': { body: { store: store ?? null } } };
    const requests = await requestsOf(openai, sealedRounds, { models, backend: 'openai' });
    expect(requests.map(({ body }) => body['store'])).toEqual([store, store]);
    expect(requests.map(({ body }) => body['previous_response_id'])).toEqual([previous, previous]);
    expect(outline(requests[1])).toEqual(['user Go.', 'thinks sealed-1', 'call add', 'output 2']);
  });

  it.each([
    ['store: null leaves a previous response to be chained', { previousResponseId: 'resp_0' }, null],
    ['store: true makes it one that is kept', {}, true],
  ] as const)('respects an override of the model: %s', async (_name, openai, store) => {
    const models = { '*': { body: { store } } };
    const requests = await requestsOf(openai, sealedRounds, { models });
    expect(requests[1]?.body['previous_response_id']).toBe('resp_1');
    expect(outline(requests[1])).toEqual(['output 2']);
  });
});
