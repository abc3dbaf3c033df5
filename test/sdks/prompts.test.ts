import { generateText, jsonSchema, type ModelMessage, stepCountIs, tool, type UIMessage } from 'ai';
import type { LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { ScriptedRequest } from 'responses-loop/testing';
import { calls, reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outline } from '../acceptance/support/wire.js';
import { sdk, toModelMessages } from './support/sdk.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DATA_URL = `data:image/png;base64,${PIXEL}`;

/** The content of the first message of the user's. */
function userContent(request: ScriptedRequest | undefined): unknown {
  return request?.input.find((item) => item['role'] === 'user')?.['content'];
}

describe('what the user sends is the same request under every SDK', () => {
  it.each([
    ['base64', PIXEL, DATA_URL],
    ['bytes', Uint8Array.from(Buffer.from(PIXEL, 'base64')), DATA_URL],
    ['a data URL', DATA_URL, DATA_URL],
    ['a URL', new URL('https://example.com/duck.png'), 'https://example.com/duck.png'],
  ])('an image as %s', async (_name, image, url) => {
    const { model, requests } = await rig([reply(says('resp_1', 'A duck.'))], { backend: 'openai' });
    const content = [
      { type: 'text', text: 'What is it?' },
      { type: 'image', image },
    ] as const;
    await generateText({ model, messages: [{ role: 'user', content: [...content] }] });
    expect(userContent(requests[0])).toEqual([
      { type: 'input_text', text: 'What is it?' },
      { type: 'input_image', image_url: url },
    ]);
  });

  it('a PDF with its name', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'A paper.'))], { backend: 'openai' });
    await generateText({
      model,
      messages: [
        {
          role: 'user',
          content: [{ type: 'file', mediaType: 'application/pdf', data: 'JVBERi0=', filename: 'a.pdf' }],
        },
      ],
    });
    expect(userContent(requests[0])).toEqual([
      { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
    ]);
  });

  it('the system prompt and the tools of the caller’s', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Quack.'))]);
    const inputSchema = jsonSchema<object>({ type: 'object', properties: { q: { type: 'string' } } });
    const ask = { description: 'Asks.', inputSchema, ...(sdk > 5 ? { strict: true } : {}) };
    await generateText({ model, system: 'You are a duck.', prompt: 'Hello', tools: { ask } });
    expect(outline(requests[0])).toEqual(['system You are a duck.', 'user Hello']);
    expect(requests[0]?.body['tools']).toMatchObject([
      { type: 'function', name: 'ask', description: 'Asks.', strict: sdk > 5, parameters: { type: 'object' } },
    ]);
  });

  it('what a tool of the caller’s returns as content', async () => {
    const { model, requests } = await rig([reply(calls('resp_1', ['photo', {}])), reply(says('resp_2', 'Nice.'))], {
      backend: 'openai',
    });
    const shapes = {
      5: { type: 'media', data: PIXEL, mediaType: 'image/png' },
      6: { type: 'image-data', data: PIXEL, mediaType: 'image/png' },
      7: { type: 'file', data: { type: 'data', data: PIXEL }, mediaType: 'image/png' },
    };
    const value = [{ type: 'text', text: 'A duck:' }, shapes[sdk]];
    const photo = tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: () => 'done',
      toModelOutput: () => ({ type: 'content', value }) as { type: 'content'; value: [] },
    });
    await generateText({ model, prompt: 'Show.', tools: { photo }, stopWhen: stepCountIs(2) });
    expect(itemsOfType(requests[1], 'function_call_output')[0]?.['output']).toEqual([
      { type: 'input_text', text: 'A duck:' },
      { type: 'input_image', image_url: DATA_URL },
    ]);
  });
});

describe('prompts of a later specification', () => {
  /** What `ai` 7 gives to a V4 model, and gave to older ones before it learned to convert. */
  const prompt = [
    { role: 'system', content: 'You are a duck.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Look.' },
        { type: 'file', mediaType: 'image', data: { type: 'data', data: PIXEL } },
        { type: 'file', mediaType: 'image/png', data: { type: 'url', url: new URL('https://example.com/duck.png') } },
        { type: 'file', mediaType: 'application/pdf', data: { type: 'reference', reference: { openai: 'file-1' } } },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'custom', kind: 'other.thing' },
        { type: 'text', text: 'I see.' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { a: 1 }, providerExecuted: true },
        { type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output: { type: 'json', value: { sum: 1 } } },
        { type: 'tool-call', toolCallId: 'call_2', toolName: 'ask', input: {} },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'call_2',
          toolName: 'ask',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'Here:' },
              { type: 'file', mediaType: 'image/png', data: { type: 'data', data: PIXEL } },
            ],
          },
        },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'And?' }] },
  ] as unknown as LanguageModelV2CallOptions['prompt'];

  it('are read by a model of every specification', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Quack.'))], { backend: 'openai' });
    await model.doGenerate({ prompt });
    expect(userContent(requests[0])).toEqual([
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url: DATA_URL },
      { type: 'input_image', image_url: 'https://example.com/duck.png' },
      { type: 'input_file', file_id: 'file-1' },
    ]);
    expect(outline(requests[0]).slice(2)).toEqual([
      'says I see.',
      'call add',
      'output {"sum":1}',
      'call ask',
      `output ${JSON.stringify([
        { type: 'input_text', text: 'Here:' },
        { type: 'input_image', image_url: DATA_URL },
      ])}`,
      'user And?',
    ]);
  });

  it('may hold answers to requests for leave that nobody waits for', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Quack.'))]);
    const asked = [
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'call_1', toolName: 'gone', input: {}, providerExecuted: true }],
      },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: 'nobody_1', approved: false, reason: 'No.' }],
      },
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ] as unknown as LanguageModelV2CallOptions['prompt'];
    await model.doGenerate({ prompt: asked });
    const [user, call, output, more] = outline(requests[0]);
    expect([user, call, more]).toEqual(['user Go.', 'call gone', 'user And?']);
    expect(output).toMatch(/^output ./);
  });
});

describe('conversations that an app stored under another version go on', () => {
  const user = (text: string): UIMessage => ({ id: text, role: 'user', parts: [{ type: 'text', text }] });
  const carrier = {
    v: 1,
    calls: [
      {
        callId: 'call_1',
        name: 'add',
        arguments: '{"a":1,"b":1}',
        output: { content: [{ type: 'text', text: '2' }], isError: false },
      },
    ],
  };
  const withheld = [
    { type: 'step-start' },
    {
      type: 'text',
      text: 'Let me add.',
      state: 'done',
      providerMetadata: { 'responses-loop': { carrier } },
    },
    { type: 'text', text: 'Two.', state: 'done' },
  ];
  const shownBy = (type: string): object[] => [
    { type: 'step-start' },
    { type: 'text', text: 'Let me add.', state: 'done' },
    {
      type,
      ...(type === 'dynamic-tool' ? { toolName: 'add' } : {}),
      toolCallId: 'call_1',
      state: 'output-available',
      input: { a: 1, b: 1 },
      output: '2',
      providerExecuted: true,
    },
    { type: 'text', text: 'Two.', state: 'done' },
  ];

  it.each([
    ['by a V2 model that showed no calls', withheld],
    ['with dynamic tool parts', shownBy('dynamic-tool')],
    ['with static tool parts', shownBy('tool-add')],
  ])('%s', async (_name, parts) => {
    const { model, requests } = await rig([reply(says('resp_1', 'Yes.'))], { tools: { add: adder().add } });
    const answer = { id: 'answer', role: 'assistant', parts } as unknown as UIMessage;
    const messages: ModelMessage[] = await toModelMessages([user('Add.'), answer, user('Sure?')]);
    await generateText({ model, messages });
    expect(outline(requests[0])).toEqual([
      'user Add.',
      'says Let me add.',
      'call add',
      'output 2',
      'says Two.',
      'user Sure?',
    ]);
  });
});
