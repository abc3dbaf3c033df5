import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelMessage, streamText } from 'ai';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ApiError, createResponsesProvider, type ObserverEvent, ResponsesLoopError } from '../../src/index.js';
import { createResponsesProvider as createV3 } from '../../src/v3.js';
import { createResponsesProvider as createV4 } from '../../src/v4.js';
import { errorReply, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { outputs } from '../acceptance/support/wire.js';
import { outline } from '../request/support/build.js';
import { failureOf, say, start } from './support/talk.js';

// Several tests provoke warnings; the SDK would print them.
globalThis.AI_SDK_LOG_WARNINGS = false;

const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'Find the ducks.' },
  { role: 'assistant', content: [{ type: 'text', text: 'There are three.' }] },
] as const satisfies ModelMessage[];

const WINDOW = [
  { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'Be brief.' }] },
  { type: 'message', id: 'msg_0', role: 'user', content: [{ type: 'input_text', text: 'Find the ducks.' }] },
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed summary' },
];
const answerOf = (output: readonly object[]): ScriptedStep => ({
  json: {
    id: 'resp_1',
    object: 'response.compaction',
    created_at: 1,
    output: [...output],
    usage: { input_tokens: 139, output_tokens: 438, total_tokens: 577 },
  },
});
const SUMMED_UP = answerOf(WINDOW);
const next: ModelMessage = { role: 'user', content: 'Go on.' };

describe('provider.compact()', () => {
  it('sums up the result of an async function that outlasted its call and has ended since', async () => {
    let free = (): void => {};
    const slow = {
      inputSchema: { type: 'object' },
      async: true,
      execute: () => new Promise<string>((resolve) => (free = () => resolve('Three ducks.'))),
    };
    const members = { type: 'function_call', call_id: 'call_1', name: 'slow', arguments: '{}', async: true } as const;
    const call = { type: 'item', item: { id: 'fc_1', status: 'completed', ...members } } as const;
    const ended: string[] = [];
    const { provider, server } = await start([responseEvents({ output: [call] }), SUMMED_UP], {
      apiKey: 'key',
      backend: 'openai',
      tools: { slow },
      asyncToolWaitMs: 0,
      onEvent: ({ type }) => ended.push(type),
    });
    const result = streamText({ model: provider('gpt-6'), messages: [next] });
    const { messages } = await result.response;
    free();
    await vi.waitFor(() => expect(ended).toContain('tool-end'));
    await provider.compact({ modelId: 'gpt-6', messages: [next, ...messages] });
    expect(outputs(server.requests[1])).toEqual([['call_1', expect.stringContaining('Three ducks.')]]);
  });

  it('asks for a summary with the prompt of the call, and with what that request takes', async () => {
    const { provider, server } = await start([SUMMED_UP], {
      apiKey: 'key',
      backend: 'openai',
      transport: 'websocket',
      tools: { add: { inputSchema: { type: 'object' }, execute: () => 'sum' } },
      models: { '*': { body: { metadata: { team: 'ducks' } } } },
    });
    const compacted = await provider.compact({
      modelId: 'gpt-5.1',
      messages: MESSAGES,
      providerOptions: {
        openai: {
          promptCacheKey: 'k',
          instructions: 'Short.',
          serviceTier: 'flex',
          background: true,
          compactionTrigger: true,
        },
      },
      headers: { 'x-trace': '7' },
    });
    const [request] = server.requests;
    expect(request?.url).toBe('/v1/responses/compact');
    expect(request?.headers).toMatchObject({ authorization: 'Bearer key', 'x-trace': '7' });
    const { input, ...fields } = request?.body ?? {};
    expect(fields).toEqual({ model: 'gpt-5.1', prompt_cache_key: 'k', instructions: 'Short.', service_tier: 'flex' });
    expect(outline(input as never)).toEqual([
      'system: Be brief.',
      'user: Find the ducks.',
      'assistant: There are three.',
    ]);
    expect(compacted).toMatchObject({
      responseId: 'resp_1',
      usage: { inputTokens: 139, outputTokens: 438, totalTokens: 577 },
      warnings: [],
    });
  });

  it.each([
    ['V2', createResponsesProvider],
    ['V3', createV3],
    ['V4', createV4],
  ] as const)('gives %s messages that go in front of the next call, whole and in order', async (_name, create) => {
    const { url, server } = await start([SUMMED_UP, say('Three.')]);
    const provider = create({ baseURL: url, backend: 'openai', apiKey: 'key' });
    onTestFinished(() => provider.close());
    const { messages } = await provider.compact({ modelId: 'm', messages: MESSAGES });
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
    // The types of the three differ; each is one that its AI SDK takes.
    const prompt = [...(messages as ModelMessage[]), next].map((message) =>
      message.role === 'user' && typeof message.content === 'string'
        ? { ...message, content: [{ type: 'text', text: message.content }] }
        : message,
    );
    const { stream } = await provider('m').doStream({ prompt });
    for await (const _part of stream as unknown as AsyncIterable<unknown>);
    const input = server.requests[1]?.input ?? [];
    // What stands before this summary belongs to it: nothing is cut.
    expect(outline(input)).toEqual(['system: Be brief.', 'user: Find the ducks.', 'compaction', 'user: Go on.']);
    expect(input[2]).toEqual({ type: 'compaction', encrypted_content: 'sealed summary' });
  });

  it('gives V4 the part that shows a summary, and the others a carrier', async () => {
    const { url, provider } = await start([SUMMED_UP, SUMMED_UP]);
    const v4 = createV4({ baseURL: url, backend: 'openai', apiKey: 'key' });
    onTestFinished(() => v4.close());
    expect((await v4.compact({ modelId: 'm', messages: MESSAGES })).messages.at(-1)).toMatchObject({
      content: [{ type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { type: 'compaction' } } }],
    });
    expect((await provider.compact({ modelId: 'm', messages: MESSAGES })).messages.at(-1)).toMatchObject({
      content: [{ type: 'reasoning', text: '', providerOptions: { 'responses-loop': { carrier: { v: 2 } } } }],
    });
  });

  it('gives messages that the AI SDK takes as they are', async () => {
    const { provider, server } = await start([SUMMED_UP, say('Three.')], { backend: 'openai', apiKey: 'key' });
    const { messages } = await provider.compact({ modelId: 'm', messages: MESSAGES });
    const result = streamText({ model: provider('m'), messages: [...messages, next], maxRetries: 0 });
    expect(await result.text).toBe('Three.');
    expect(outline(server.requests[1]?.input ?? [])).toEqual([
      'system: Be brief.',
      'user: Find the ducks.',
      'compaction',
      'user: Go on.',
    ]);
  });

  it('gives pictures and files of the user back', async () => {
    const content = [
      { type: 'input_text', text: 'Look.' },
      { type: 'input_image', image_url: 'data:image/png;base64,aGk=' },
      { type: 'input_image', file_id: 'file-1' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,aGk=', filename: 'a.pdf' },
    ];
    const window = [{ type: 'message', role: 'user', content }, WINDOW[2] ?? {}];
    const { provider, server } = await start([answerOf(window), say('Three.')], { backend: 'openai', apiKey: 'key' });
    const { messages } = await provider.compact({ modelId: 'm', messages: MESSAGES });
    await streamText({ model: provider('m'), messages: [...messages, next], maxRetries: 0 }).text;
    expect(server.requests[1]?.input.find(({ role }) => role === 'user')?.['content']).toMatchObject(content);
  });

  it('reads pictures and files as messages of the AI SDK have them', async () => {
    const { provider, server } = await start([SUMMED_UP], { backend: 'openai', apiKey: 'key' });
    const bytes = new Uint8Array([0xff, 0xd8, 0xff]);
    const { warnings } = await provider.compact({
      modelId: 'm',
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', image: bytes },
            { type: 'image', image: new URL('https://example.com/a.png') },
            { type: 'image', image: 'data:image/webp;base64,UklGRg==' },
            { type: 'file', data: new TextEncoder().encode('hi').buffer, mediaType: 'application/pdf' },
          ],
        },
      ] satisfies ModelMessage[],
    });
    expect(warnings).toEqual([]);
    expect(server.requests[0]?.input[0]?.['content']).toMatchObject([
      { type: 'input_image', image_url: 'data:image/jpeg;base64,/9j/' },
      { type: 'input_image', image_url: 'https://example.com/a.png' },
      { type: 'input_image', image_url: 'data:image/webp;base64,UklGRg==' },
      { type: 'input_file', file_data: 'data:application/pdf;base64,aGk=' },
    ]);
  });

  it('sends all messages, also where calls name a conversation that the server keeps', async () => {
    const { provider, server } = await start([SUMMED_UP], { backend: 'openai', apiKey: 'key' });
    const answer = { type: 'text', text: 'Three.', providerOptions: { openai: { itemId: 'msg_1' } } };
    await provider.compact({
      modelId: 'm',
      messages: [{ role: 'user', content: 'How many?' }, { role: 'assistant', content: [answer] }, next],
      providerOptions: { openai: { conversation: 'conv_1' } },
    });
    expect(outline(server.requests[0]?.input ?? [])).toEqual(['user: How many?', 'assistant: Three.', 'user: Go on.']);
  });

  it('is signed and believed where histories are signed', async () => {
    const settings = { backend: 'openai', apiKey: 'key', historySecret: 'a secret of 24 characters' } as const;
    const { provider, server } = await start([SUMMED_UP, say('Three.'), say('Three.')], settings);
    const { messages } = await provider.compact({ modelId: 'm', messages: MESSAGES });
    await streamText({ model: provider('m'), messages: [...messages, next], maxRetries: 0 }).text;
    expect(outline(server.requests[1]?.input ?? [])).toContain('compaction');
    const forged = JSON.parse(JSON.stringify(messages).replace('sealed summary', 'another')) as ModelMessage[];
    await streamText({ model: provider('m'), messages: [...forged, next], maxRetries: 0 }).text;
    expect(outline(server.requests[2]?.input ?? [])).not.toContain('compaction');
  });

  it('tries again and takes another key, as in any request', async () => {
    const events: ObserverEvent[] = [];
    const { provider, server } = await start(
      [errorReply({ status: 503 }), errorReply({ status: 401, code: 'invalid_api_key' }), SUMMED_UP],
      {
        apiKey: ['key-number-1', 'key-number-2'],
        backend: 'openai',
        retry: { initialDelayMs: 1 },
        onEvent: (event) => events.push(event),
      },
    );
    await provider.compact({ modelId: 'm', messages: MESSAGES });
    expect(new Set(server.requests.map(({ headers }) => headers.authorization)).size).toBe(2);
    expect(events.map(({ type }) => type)).toEqual(expect.arrayContaining(['request', 'response', 'retry', 'key']));
  });

  it.each<[string, ScriptedStep]>([
    ['has no such route', errorReply({ status: 404, message: 'Not found.' })],
    ['allows no such request', errorReply({ status: 405, message: 'Not allowed.' })],
    ['answers with a web page', { html: '<p>Hi</p>' }],
    ['answers with no summary', answerOf([])],
  ])('says what to do instead where the server %s', async (_name, step) => {
    const { provider, server } = await start([step], { apiKey: 'key' });
    const error = await failureOf(provider.compact({ modelId: 'm', messages: MESSAGES }));
    expect(ResponsesLoopError.isInstance(error) && error.message).toMatch(/POST \/responses\/compact.*maxLoopChars/);
    server.assertDone();
  });

  it('leaves other errors as the server gave them', async () => {
    const { provider } = await start([errorReply({ status: 404, code: 'model_not_found', message: 'No such model.' })]);
    const error = await failureOf(provider.compact({ modelId: 'm', messages: MESSAGES }));
    expect(ApiError.isInstance(error) && error.serverCode).toBe('model_not_found');
    expect(String(error)).not.toContain('maxLoopChars');
  });

  it('goes through fetch, auth and transformRequest of the settings', async () => {
    const seen: { url: string; headers: IncomingHttpHeaders }[] = [];
    const server = createServer((request, response) => {
      seen.push({ url: request.url ?? '', headers: request.headers });
      response.end(JSON.stringify({ id: 'resp_1', object: 'response.compaction', output: WINDOW }));
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    onTestFinished(() => void server.close());
    const calls: string[] = [];
    const provider = createResponsesProvider({
      baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
      query: { 'api-version': '1' },
      apiKey: 'key',
      auth: ({ url }) => {
        calls.push(`auth ${new URL(url).pathname}`);
        return { authorization: 'Token abc' };
      },
      transformRequest: ({ body }) => {
        calls.push(`transform ${Object.keys(body).join()}`);
        return { headers: { 'x-hook': '1' } };
      },
      fetch: (url, init) => {
        calls.push('fetch');
        return fetch(url, init);
      },
    });
    await provider.compact({ modelId: 'm', messages: MESSAGES });
    await provider.close();
    expect(seen).toMatchObject([
      { url: '/v1/responses/compact?api-version=1', headers: { authorization: 'Token abc', 'x-hook': '1' } },
    ]);
    expect(calls).toEqual(['auth /v1/responses/compact', 'transform model,input', 'fetch']);
  });

  it('ends by an abort and by close()', async () => {
    const never = { json: {}, after: new Promise(() => {}) } as unknown as ScriptedStep;
    const { provider, server } = await start([never, never]);
    const controller = new AbortController();
    const aborted = failureOf(provider.compact({ modelId: 'm', messages: MESSAGES, abortSignal: controller.signal }));
    await server.waitForRequest(0);
    controller.abort(new Error('Enough.'));
    expect(String(await aborted)).toContain('Enough.');
    const closed = failureOf(provider.compact({ modelId: 'm', messages: MESSAGES }));
    await server.waitForRequest(1);
    await provider.close();
    expect(await closed).toMatchObject({ code: 'closed' });
    expect(await failureOf(provider.compact({ modelId: 'm', messages: MESSAGES }))).toMatchObject({ code: 'closed' });
  });

  it.each([
    ['no messages', { modelId: 'm', messages: undefined as never }, /messages as a list/],
    ['no model', { modelId: '', messages: [] }, /model id/],
  ])('refuses %s', async (_name, options, message) => {
    const { provider } = await start([]);
    expect(String(await failureOf(provider.compact(options)))).toMatch(message);
  });

  it.each([
    ['V2', createResponsesProvider],
    ['V4', createV4],
  ] as const)('keeps calls of tools that the answer holds, each with its output, for %s', async (_name, create) => {
    const call = (id: string): object => ({ type: 'function_call', call_id: id, name: 'find', arguments: '{"at":1}' });
    const output = (id: string, given: unknown): object => ({
      type: 'function_call_output',
      call_id: id,
      output: given,
    });
    const kept = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find the ducks.' }] },
      { ...call('call_1'), namespace: 'ponds' },
      call('call_2'),
      output('call_1', 'three'),
      output('call_2', [
        { type: 'input_text', text: 'Look.' },
        { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
      ]),
      call('call_3'),
      { type: 'compaction', encrypted_content: 'sealed summary' },
    ];
    const { url, server } = await start([answerOf(kept), say('Three.')]);
    const provider = create({ baseURL: url, backend: 'openai', apiKey: 'key', historySecret: 's'.repeat(24) });
    onTestFinished(() => provider.close());
    const { messages, warnings } = await provider.compact({ modelId: 'm', messages: [next] });
    expect(warnings).toEqual([]);
    const prompt = [...(messages as ModelMessage[]), { role: 'user', content: [{ type: 'text', text: 'Go on.' }] }];
    const { stream } = await provider('m').doStream({ prompt });
    for await (const part of stream as unknown as AsyncIterable<{ type: string }>)
      if (part.type === 'stream-start') expect(part).toMatchObject({ warnings: [] });
    const input = server.requests[1]?.input ?? [];
    expect(outline(input)).toEqual([
      'user: Find the ducks.',
      'call call_1',
      'output call_1: three',
      'call call_2',
      expect.stringMatching(/^output call_2: .*"Look\."/),
      'call call_3',
      expect.stringMatching(/^output call_3: .*interrupted/),
      'compaction',
      'user: Go on.',
    ]);
    expect(input[1]).toMatchObject({ name: 'find', arguments: '{"at":1}', namespace: 'ponds' });
    expect(JSON.stringify(input[4])).toContain('data:image/png;base64,iVBORw0KGgo=');
  });

  it('says which items of the answer no message can hold', async () => {
    const answer = answerOf([
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'sealed' },
      { type: 'function_call_output', call_id: 'call_9', output: 'of no call' },
      { type: 'compaction', encrypted_content: 'sealed summary' },
    ]);
    const { provider, server } = await start([answer, say('Three.')], { backend: 'openai', apiKey: 'key' });
    const { messages, warnings } = await provider.compact({ modelId: 'm', messages: MESSAGES });
    expect(warnings).toEqual([
      expect.stringMatching(/type "reasoning".*left out/),
      expect.stringMatching(/type "function_call_output".*left out/),
    ]);
    const result = streamText({ model: provider('m'), messages: [...messages, next], maxRetries: 0 });
    expect(await result.warnings).toEqual([]);
    expect(outline(server.requests[1]?.input ?? [])).toEqual(['system: Be brief.', 'compaction', 'user: Go on.']);
  });

  it.each([undefined, null, 'history', MESSAGES, { modelId: 'm' }, { modelId: 'm', messages: 'history' }])(
    'says what it takes where it is given %j',
    async (given) => {
      const { provider } = await start([]);
      const error = await failureOf(provider.compact(given as never));
      expect(error).toMatchObject({
        code: 'invalid-settings',
        message: expect.stringContaining('{ modelId, messages }'),
      });
    },
  );

  it('says that carriers are needed where a setting takes them away', async () => {
    const { provider } = await start([], { carrier: 'none' });
    expect(await failureOf(provider.compact({ modelId: 'm', messages: MESSAGES }))).toMatchObject({
      code: 'invalid-settings',
    });
  });
});
