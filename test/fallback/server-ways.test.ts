import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import { describe, expect, it } from 'vitest';
import { type ResponseDescription, responseBody, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { calls, reply, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { question } from './support/odd-stock.js';

const prompt = 'Hello?';
const stocked = { useStock: true } as const;
const answer = reply(says('resp_2', 'Done.'));

async function streamed(model: Parameters<typeof streamText>[0]['model']): Promise<string> {
  const result = streamText({ model, prompt, maxRetries: 0 });
  await result.consumeStream();
  return `${await result.finishReason}: ${await result.text}`;
}

describe('what a server says and the stock provider passes over', () => {
  it('a refusal is told, and ends the call as one', async () => {
    const { model } = await fallbackRig([reply({ output: [{ type: 'refusal', text: 'I cannot.' }] })], stocked);
    expect(await streamed(model)).toBe('content-filter: I cannot.');
  });

  it('a text that was only sent whole is shown', async () => {
    const content = [{ type: 'output_text', text: 'At once.', annotations: [] }];
    const item = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
    const { model } = await fallbackRig([reply({ output: [{ type: 'item', item }] })], stocked);
    expect(await streamed(model)).toBe('stop: At once.');
  });

  it('a text whose beginning lacks its place is told', async () => {
    const events = responseEvents(says('resp_1', 'Ducks.')).map((event) => {
      const { output_index: _place, ...rest } = event;
      return event.type === 'response.output_item.added' ? rest : event;
    });
    const { model } = await fallbackRig([events], stocked);
    expect(await streamed(model)).toBe('stop: Ducks.');
  });

  it('a call whose output the response already holds is not run', async () => {
    const { add, runs } = adder();
    const output: ResponseDescription['output'] = [
      { type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId: 'c1' },
      { type: 'item', item: { id: 'fco_1', type: 'function_call_output', call_id: 'c1', output: '2' } },
      { type: 'text', text: 'Two.' },
    ];
    const { model } = await fallbackRig([reply({ id: 'resp_1', output })], {
      ...stocked,
      settings: { tools: { add } },
    });
    expect(await streamed(model)).toBe('stop: Two.');
    expect(runs).toEqual([]);
  });

  it('a response that was cut short runs no tool, although it holds a whole call', async () => {
    const { add, runs } = adder();
    const description: ResponseDescription = {
      ...calls('resp_1', ['add', { a: 1, b: 1 }, 'c1']),
      status: 'incomplete',
      incompleteReason: 'server_says_so',
    };
    const rig = await fallbackRig([reply(description), reply(description)], {
      ...stocked,
      settings: { tools: { add } },
    });
    expect(await streamed(rig.model)).toBe('other: ');
    expect((await generateText({ model: rig.model, prompt })).finishReason).toBe('other');
    expect(runs).toEqual([]);
  });

  it('calls run in the order of the response, whichever the server finishes first', async () => {
    const order: unknown[] = [];
    const note = toolOf((input) => {
      order.push(input);
      return 'ok';
    });
    const events = responseEvents(calls('resp_1', ['note', { n: 0 }, 'c0'], ['note', { n: 1 }, 'c1']));
    const isOf = (place: number) => (event: (typeof events)[number]) => event['output_index'] === place;
    const begins = events.filter((event) => event.type === 'response.output_item.added');
    const rest = events.filter((event) => !begins.includes(event));
    const shuffled = [
      ...rest.slice(0, rest.findIndex(isOf(0))),
      ...begins,
      ...rest.filter(isOf(1)),
      ...rest.filter(isOf(0)),
      ...rest.filter((event) => event.type === 'response.completed'),
    ];
    const { model } = await fallbackRig([shuffled, answer], { ...stocked, settings: { tools: { note } } });
    expect(await streamed(model)).toBe('stop: Done.');
    expect(order).toEqual([{ n: 0 }, { n: 1 }]);
  });

  it('a search of the server stands before what it found, also where neither has a call id', async () => {
    const search = { type: 'tool_search_call', call_id: null, execution: 'server', status: 'completed', arguments: {} };
    const found = { type: 'tool_search_output', call_id: null, execution: 'server', status: 'completed', tools: [] };
    const output: ResponseDescription['output'] = [
      { type: 'item', item: { id: 'ts_1', ...search } },
      { type: 'item', item: { id: 'tso_1', ...found } },
      { type: 'text', text: 'Found.' },
    ];
    const rig = await fallbackRig([reply({ id: 'resp_1', output }), answer]);
    rig.useStock(true);
    const asked = { role: 'user', content: prompt } as const;
    const result = streamText({ model: rig.model, prompt });
    await result.consumeStream();
    const { messages } = await result.response;
    rig.useStock(false);
    await generateText({ model: rig.model, messages: [asked, ...messages, asked] });
    expect(rig.requests[1]?.input.slice(1, 3)).toEqual([search, found]);
  });

  it('an item that nobody tells of keeps its place', async () => {
    const output: ResponseDescription['output'] = [
      { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
      { type: 'item', item: { id: 'mcpl_1', type: 'mcp_list_tools', server_label: 'docs', tools: [] } },
      { type: 'text', text: 'Yes.' },
    ];
    const rig = await fallbackRig([reply({ id: 'resp_1', output }), answer]);
    rig.useStock(true);
    const result = streamText({ model: rig.model, prompt });
    await result.consumeStream();
    const { messages } = await result.response;
    rig.useStock(false);
    const asked = { role: 'user', content: prompt } as const;
    await generateText({ model: rig.model, messages: [asked, ...messages, asked] });
    expect(rig.requests[1]?.input.map(({ type }) => type)).toEqual([
      'message',
      'reasoning',
      'mcp_list_tools',
      'message',
      'message',
    ]);
  });
});

describe('what reaches the server is what we would send', () => {
  it.each(['rename', 'loop'] as const)('where two tools have one name (nameClash: %s)', async (nameClash) => {
    const inputSchema = jsonSchema<{ z: string }>({ type: 'object', properties: { z: { type: 'string' } } });
    const sent = await Promise.all(
      [false, true].map(async (useStock) => {
        const rig = await fallbackRig([answer], { useStock, settings: { nameClash, tools: { add: adder().add } } });
        const theirs = tool({ description: 'Another.', inputSchema, execute: () => 'theirs' });
        await generateText({ model: rig.model, prompt, tools: { add: theirs } });
        return rig.requests[0]?.body['tools'];
      }),
    );
    expect(sent[1]).toEqual(sent[0]);
  });

  it('the level of reasoning that ai 7 asks for', async () => {
    const { model, requests } = await fallbackRig([answer], stocked);
    await model.doGenerate({ prompt: question, ...{ reasoning: 'low' } });
    expect(requests[0]?.body['reasoning']).toEqual({ effort: 'low' });
  });

  it('with store: true nothing names an item that was never kept', async () => {
    const rig = await fallbackRig(
      [
        reply({
          output: [
            { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
            { type: 'text', text: 'Yes.' },
          ],
        }),
        answer,
      ],
      stocked,
    );
    const asked = { role: 'user', content: prompt } as const;
    const { response } = await generateText({ model: rig.model, prompt });
    const { warnings } = await generateText({
      model: rig.model,
      messages: [asked, ...response.messages, asked],
      providerOptions: { openai: { store: true } },
    });
    expect(rig.requests[1]?.input.map(({ type, role }) => type ?? role)).toEqual(['user', 'assistant', 'user']);
    expect(JSON.stringify(warnings)).toContain('cannot send earlier reasoning');
  });
});

describe('secrets of the stock provider', () => {
  const odd = responseBody({
    output: [
      { type: 'reasoning', summary: [], encrypted: 'SEALED-REASONING' },
      { type: 'text', text: 'Yes.' },
    ],
  });
  const spoilt = JSON.parse(JSON.stringify(odd).replaceAll('output_text', 'riddle')) as object;
  const LEAKS: readonly (readonly [name: string, step: ScriptedStep | undefined, apiKey: string])[] = [
    ['an answer it cannot read', { json: spoilt }, 'test'],
    ['a body that repeats the key', { status: 400, json: { error: { message: 'Bad key sk-leaky-12345678' } } }, 'test'],
    ['a key that is no header', undefined, 'LEAKYKEY\n1'],
  ];

  it.each(LEAKS)('stand in no error and no event: %s', async (_name, step, apiKey) => {
    const rig = await fallbackRig(step === undefined ? [] : [step], { ...stocked });
    const stock = createOpenAI({ baseURL: rig.server.baseURL, apiKey });
    const failing = await fallbackRig([], { ...stocked, stock });
    const error: unknown = await generateText({ model: failing.model, prompt, maxRetries: 0 }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(Error);
    const { message, stack } = error as Error;
    const shown = JSON.stringify([message, stack, Object.entries(error as Error), failing.events]);
    expect(shown).not.toMatch(/SEALED|leaky|LEAKY/);
  });

  it('stand in no event where the stock provider fails in place of the primary', async () => {
    const bad: ScriptedStep = { status: 401, json: { error: { message: 'Bad key sk-leaky-12345678' } } };
    const rig = await fallbackRig([bad, bad], { useStock: false, fallOver: true });
    await expect(generateText({ model: rig.model, prompt, maxRetries: 0 })).rejects.toThrow(
      /failed as well: Bad key \[redacted\]/,
    );
  });

  it('an error that holds none stays the one it is', async () => {
    const rig = await fallbackRig([], {
      ...stocked,
      stock: createOpenAI({ baseURL: 'http://127.0.0.1:9', apiKey: '' }),
    });
    const thrown = new RangeError('Out of ducks.');
    const failing = await fallbackRig([], {
      ...stocked,
      stock: (id) =>
        Object.assign(Object.create(rig.model) as object, {
          modelId: id,
          doGenerate: () => Promise.reject(thrown),
        }) as never,
    });
    await expect(
      failing.model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: prompt }] }] }),
    ).rejects.toBe(thrown);
  });
});
