import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { streamParts } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { itemsOfType, outline } from './support/wire.js';

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const twoRounds = [reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'])), reply(says('resp_2', 'Two.'))];

describe('what a follow-up repeats', () => {
  it('the user’s image and the system prompt', async () => {
    const { model, requests } = await rig(twoRounds, { tools: { add: adder().add } });
    await generateText({
      model,
      system: 'You are a duck.',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', image: PIXEL },
          ],
        },
      ],
    });
    expect(requests[1]?.input.slice(0, 2)).toEqual(requests[0]?.input);
    expect(outline(requests[1])).toEqual([
      'system You are a duck.',
      'user What is this? input_image',
      'call add',
      'output 2',
    ]);
    expect(JSON.stringify(requests[1]?.input)).toContain(PIXEL);
  });

  it('headers, body overrides, query, settings and provider options', async () => {
    const { model, requests } = await rig(twoRounds, {
      tools: { add: adder().add },
      headers: { 'x-app': 'ducks' },
      query: { tenant: 'pond' },
      models: { 'gpt-*': { headers: { 'x-model': 'yes' }, body: { metadata: { team: 'ducks' }, temperature: null } } },
    });
    await generateText({
      model,
      prompt: 'Hello',
      temperature: 0.5,
      maxOutputTokens: 100,
      headers: { 'x-call': '1' },
      providerOptions: { openai: { reasoningEffort: 'low', parallelToolCalls: false } },
    });
    const [first, second] = requests;
    const { input: _input, ...rest } = first?.body ?? {};
    expect(second?.body).toMatchObject(rest);
    expect(rest).toMatchObject({
      metadata: { team: 'ducks' },
      max_output_tokens: 100,
      reasoning: { effort: 'low' },
      parallel_tool_calls: false,
    });
    expect(rest).not.toHaveProperty('temperature');
    expect(second?.headers).toMatchObject({
      'x-app': 'ducks',
      'x-model': 'yes',
      'x-call': '1',
      authorization: first?.headers.authorization,
    });
    expect(second?.url).toBe('/v1/responses?tenant=pond');
  });

  it('nothing is added that was not asked for: no reasoning effort, no previous response, no item references', async () => {
    const { model, requests } = await rig(twoRounds, { tools: { add: adder().add } });
    await generateText({ model, prompt: 'Hello' });
    expect(Object.keys(requests[1]?.body ?? {}).toSorted()).toEqual(['input', 'model', 'store', 'stream', 'tools']);
    expect(requests[1]?.text).not.toContain('item_reference');
    expect(requests[1]?.text).not.toMatch(/"id":/);
  });

  it('all rounds of a call use one key, the next call the next', async () => {
    const { model, requests } = await rig([...twoRounds, ...twoRounds], {
      tools: { add: adder().add },
      apiKey: 'first,second',
    });
    await generateText({ model, prompt: 'Hello' });
    await generateText({ model, prompt: 'Hello' });
    expect(requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer first',
      'Bearer first',
      'Bearer second',
      'Bearer second',
    ]);
  });

  it('sealed reasoning and preamble text, in the order they came', async () => {
    const { model, requests } = await rig(
      [
        reply({
          id: 'resp_1',
          output: [
            { type: 'reasoning', summary: ['I add.'], encrypted: 'sealed-1' },
            { type: 'text', text: 'Let me add.', phase: 'commentary' },
            { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
          ],
        }),
        reply({
          id: 'resp_2',
          output: [
            { type: 'reasoning', summary: [], encrypted: 'sealed-2' },
            { type: 'call', name: 'add', arguments: { a: 2, b: 2 } },
          ],
        }),
        reply(says('resp_3', 'Done.')),
      ],
      { tools: { add: adder().add }, backend: 'openai' },
    );
    await streamText({ model, prompt: 'Go.' }).text;
    expect(requests[0]?.body['include']).toEqual(['reasoning.encrypted_content']);
    expect(outline(requests[2])).toEqual([
      'user Go.',
      'thinks sealed-1',
      'says Let me add.',
      'call add',
      'output 2',
      'thinks sealed-2',
      'call add',
      'output 4',
    ]);
    expect(itemsOfType(requests[2], 'reasoning')[0]).toEqual({
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: 'I add.' }],
      encrypted_content: 'sealed-1',
    });
    expect(itemsOfType(requests[2], 'message').at(-1)).toMatchObject({ phase: 'commentary' });
  });

  it('outputs are text; files go as files where the back end takes them, else as a note', async () => {
    const photo = {
      description: 'A photo.',
      execute: () => ({
        content: [
          { type: 'text', text: 'A duck:' },
          { type: 'image', data: PIXEL.split(',')[1], mimeType: 'image/png' },
        ],
      }),
    };
    const steps = [reply(calls('resp_1', ['photo', {}])), reply(says('resp_2', 'Nice.'))];
    const rich = await rig(steps, { tools: { photo }, backend: 'openai' });
    const plain = await rig(steps, { tools: { photo } });
    await streamParts(rich.model);
    await streamParts(plain.model);
    const output = (requests: typeof rich.requests): unknown =>
      itemsOfType(requests[1], 'function_call_output')[0]?.['output'];
    expect(output(rich.requests)).toEqual([
      { type: 'input_text', text: 'A duck:' },
      { type: 'input_image', image_url: PIXEL },
    ]);
    expect(output(plain.requests)).toMatch(/^A duck:\n\[.*image\/png/);
  });

  it.each([
    ['an object', () => ({ ducks: 3 }), '{"ducks":3}'],
    ['a number', () => 42, '42'],
    ['nothing', () => undefined, '(no output)'],
    ['structured content', () => ({ content: [], structuredContent: { ducks: 3 } }), '{"ducks":3}'],
    ['a big integer', () => ({ n: 2n ** 70n }), '{"n":"1180591620717411303424"}'],
  ] as readonly (readonly [string, () => unknown, string])[])(
    'a tool that returns %s is told as text',
    async (_name, execute, expected) => {
      const { model, requests } = await rig([reply(calls('resp_1', ['give', {}])), reply(says('resp_2', 'Thanks.'))], {
        tools: { give: { execute } },
      });
      await streamParts(model);
      expect(itemsOfType(requests[1], 'function_call_output')[0]?.['output']).toBe(expected);
    },
  );
});

describe('the end of a call', () => {
  it('after a normal finish nothing more is asked, with or without tools', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hello.')), ...twoRounds], {
      tools: { add: adder().add },
    });
    expect(await streamText({ model, prompt: 'Hello' }).text).toBe('Hello.');
    expect(requests).toHaveLength(1);
    expect(await streamText({ model, prompt: 'Hello' }).text).toBe('Two.');
    expect(requests).toHaveLength(3);
  });

  it('nor after the closing request at the limit', async () => {
    const { model, requests } = await rig(twoRounds, { tools: { add: adder().add }, maxRounds: 1 });
    expect(await streamText({ model, prompt: 'Hello' }).text).toBe('Two.');
    expect(requests).toHaveLength(2);
  });

  it('a stream whose data: has no space behind it is read all the same', async () => {
    const bytes = (text: string): string =>
      `data:${JSON.stringify({ type: 'response.output_text.delta', output_index: 0, item_id: 'm', delta: text })}\n\n`;
    const { model } = await rig([
      {
        bytes: `event:response.created\ndata:{"type":"response.created","response":{"id":"resp_1"}}\n\n${bytes('No ')}${bytes('space.')}data:{"type":"response.completed","response":{"id":"resp_1","status":"completed","output":[]}}\n\n`,
      },
    ]);
    expect(await streamText({ model, prompt: 'Hello' }).text).toBe('No space.');
  });
});
