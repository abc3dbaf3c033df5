import { openai } from '@ai-sdk/openai';
import { generateObject, generateText, jsonSchema, streamText, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { responseEvents, type ScriptedStep } from '../../src/testing.js';
import { calls, reply, says, splitBefore } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { bodyWithoutStream, offered, outline, outputs } from '../acceptance/support/wire.js';
import { fallbackRig, meaningOf } from '../sdks/support/fallback.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const prompt = 'Hello?';
const stocked = { useStock: true } as const;
const answer = reply(says('resp_2', 'It is 3.'));
/** A tool of the caller's own, without which the AI SDK drops the choice of one. */
const client = tool({ inputSchema: jsonSchema<object>({ type: 'object', properties: {} }), execute: () => 'done' });
const callAdd = reply(calls('resp_1', ['add', { a: 1, b: 2 }, 'call_1']));

describe('under the stock provider our loop goes on', () => {
  it.each([
    ['streamed', async (model: never) => (await drained(streamText({ model, prompt }))).text],
    ['generated', async (model: never) => (await generateText({ model, prompt })).text],
  ])('runs the tools and ends in an answer within one step (%s)', async (_name, ask) => {
    const { add, runs } = adder();
    const rig = await fallbackRig([callAdd, answer], { ...stocked, settings: { tools: { add } } });
    expect(await ask(rig.model as never)).toBe('It is 3.');
    expect(runs).toEqual([{ a: 1, b: 2 }]);
    expect(outputs(rig.requests[1])).toEqual([['call_1', '3']]);
    expect(rig.events.flatMap(({ type }) => (type.startsWith('tool-') ? [type] : []))).toEqual([
      'tool-start',
      'tool-end',
    ]);
  });

  it('lets prepareRound change a round: a text of the user, fewer tools, another effort', async () => {
    const { add } = adder();
    const prepareRound = () => ({ addMessages: ['Hurry.'], activeTools: [], reasoningEffort: 'low' });
    const rig = await fallbackRig([callAdd, answer], { ...stocked, settings: { tools: { add }, prepareRound } });
    await generateText({ model: rig.model, prompt });
    expect(outline(rig.requests[1])).toEqual(['user Hello?', 'call add', 'output 3', 'user Hurry.']);
    expect(rig.requests.map(offered)).toEqual([['add'], []]);
  });

  it('offers what we would offer, and keeps nothing at the server', async () => {
    const settings = { tools: { add: adder().add } };
    const ours = await fallbackRig([answer], { useStock: false, settings });
    const theirs = await fallbackRig([answer], { useStock: true, settings });
    for (const { model } of [ours, theirs])
      await generateText({
        model,
        prompt,
        tools: { client },
        temperature: 0.5,
        maxOutputTokens: 100,
        toolChoice: 'required',
      });
    expect(offered(theirs.requests[0])).toEqual(offered(ours.requests[0]));
    const [sent, wanted] = [theirs, ours].map(({ requests }) => bodyWithoutStream(requests[0]));
    expect(sent).toMatchObject({ store: false, tool_choice: 'required', include: ['reasoning.encrypted_content'] });
    expect(sent?.['max_output_tokens']).toEqual(wanted?.['max_output_tokens']);
  });

  it.each(['streamed', 'generated'])(
    'says which agent a text and a thought are of, so that they go back so (%s)',
    async (way) => {
      const agent = { agent_name: '/root/a' };
      const thought = {
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text: 'Hm.' }],
        encrypted_content: 'sealed',
        agent,
      };
      const text = { type: 'output_text', text: 'From below.', annotations: [] };
      const below = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [text], agent };
      const output = [thought, below].map((item) => ({ type: 'item', item }) as const);
      const { model } = await fallbackRig([reply({ id: 'resp_1', output })], stocked);
      const asked = way === 'streamed' ? streamText({ model, prompt }) : await generateText({ model, prompt });
      if ('consumeStream' in asked) await asked.consumeStream();
      const parts = (await asked.content).filter((part) => part.type === 'text' || part.type === 'reasoning');
      expect(
        parts.map(({ type, providerMetadata }) => [type, providerMetadata?.['responses-loop']?.['agent']]),
      ).toEqual([
        ['reasoning', agent],
        ['text', agent],
      ]);
    },
  );

  it('adds up what the rounds cost', async () => {
    const { model } = await fallbackRig([callAdd, answer], { ...stocked, settings: { tools: { add: adder().add } } });
    const { usage, providerMetadata } = await generateText({ model, prompt });
    expect(usage).toMatchObject({ inputTokens: 20, outputTokens: 10, totalTokens: 30 });
    expect(providerMetadata?.['responses-loop']?.['rounds']).toHaveLength(2);
    expect(providerMetadata?.['openai']?.['responseId']).toBe('resp_2');
  });

  it('a forced choice is forced once', async () => {
    const { model, requests } = await fallbackRig([callAdd, answer], {
      ...stocked,
      settings: { tools: { add: adder().add } },
    });
    await generateText({ model, prompt, tools: { client }, toolChoice: 'required' });
    expect(requests.map(({ body }) => body['tool_choice'])).toEqual(['required', 'auto']);
  });

  it('at maxRounds the model is told to answer', async () => {
    const { model, requests } = await fallbackRig([callAdd, answer], {
      ...stocked,
      settings: { maxRounds: 1, tools: { add: adder().add } },
    });
    expect((await generateText({ model, prompt })).text).toBe('It is 3.');
    expect(requests[1]?.body['tool_choice']).toBe('none');
  });

  it('pictures of the user and of tools reach the server as they do from us', async () => {
    const photo = toolOf(() => ({
      content: [
        { type: 'text', text: 'A duck:' },
        { type: 'image', data: PIXEL, mimeType: 'image/png' },
      ],
    }));
    const content = [
      { type: 'text', text: 'Look.' },
      { type: 'image', image: PIXEL, mediaType: 'image/png' },
      { type: 'image', image: new URL('https://example.com/duck.png') },
      { type: 'file', data: 'JVBERi0=', mediaType: 'application/pdf', filename: 'ducks.pdf' },
    ] as const;
    const sent = await Promise.all(
      [false, true].map(async (useStock) => {
        const { model, requests } = await fallbackRig([reply(calls('resp_1', ['photo', {}, 'c1'])), answer], {
          useStock,
          settings: { tools: { photo } },
        });
        await generateText({ model, messages: [{ role: 'user', content: [...content] }] });
        return requests.map(meaningOf);
      }),
    );
    expect(sent[1]).toEqual(sent[0]);
    expect(JSON.stringify(sent[1])).toContain('ducks.pdf');
  });

  it('files whose type has parameters reach the server', async () => {
    const { model, requests } = await fallbackRig([answer], stocked);
    const file = { type: 'file', data: 'SGk=', mediaType: 'text/plain;charset=utf-8' } as const;
    await generateText({ model, messages: [{ role: 'user', content: [file] }] });
    expect(JSON.stringify(requests[0]?.body['input'])).toContain('data:text/plain;charset=utf-8;base64,SGk=');
  });

  it('an object can be asked for', async () => {
    const schema = jsonSchema<{ n: number }>({ type: 'object', properties: { n: { type: 'number' } } });
    const { model, requests } = await fallbackRig([reply(says('resp_1', '{"n":3}'))], stocked);
    expect((await generateObject({ model, prompt, schema })).object).toEqual({ n: 3 });
    expect(requests[0]?.body['text']).toMatchObject({ format: { type: 'json_schema', strict: false } });
  });

  it('options under our own name reach the server', async () => {
    const { model, requests } = await fallbackRig([answer], stocked);
    await generateText({
      model,
      prompt,
      providerOptions: {
        'responses-loop': { reasoningEffort: 'low' },
        openai: { user: 'u1', reasoningEffort: 'high' },
      },
    });
    expect(requests[0]?.body).toMatchObject({ user: 'u1', reasoning: { effort: 'low' } });
  });

  it('what does not reach the server is said, once and in words', async () => {
    const { model } = await fallbackRig([answer], stocked);
    const { warnings } = await generateText({
      model,
      prompt,
      topK: 3,
      providerOptions: { 'responses-loop': { body: { metadata: { a: 'b' } } } },
    });
    expect((warnings ?? []).map((warning) => ('message' in warning ? warning.message : warning.type))).toEqual([
      'The provider option "body" does not reach the stock provider; it was not sent.',
      'The stock provider does not take "topK".',
    ]);
  });

  it('the option "body" changes nothing of the request', async () => {
    const sent = await Promise.all(
      [undefined, { store: true, input: [], tools: [], include: ['file_search_call.results'] }].map(async (body) => {
        const { model, requests } = await fallbackRig([answer], stocked);
        await generateText({
          model,
          prompt,
          providerOptions: { 'responses-loop': body === undefined ? {} : { body } },
        });
        return requests[0]?.body;
      }),
    );
    expect(sent[1]).toEqual(sent[0]);
  });

  it('a conversation that the server keeps is given only what is new', async () => {
    const { model, requests } = await fallbackRig([callAdd, answer, answer], {
      ...stocked,
      settings: { tools: { add: adder().add } },
    });
    const providerOptions = { openai: { conversation: 'conv_1' } };
    const { response } = await generateText({ model, prompt, providerOptions });
    const messages = [{ role: 'user', content: prompt } as const, ...response.messages];
    await generateText({ model, messages: [...messages, { role: 'user', content: 'Thanks.' }], providerOptions });
    expect(requests.map(outline)).toEqual([['user Hello?'], ['output 3'], ['user Thanks.']]);
    expect(requests.map(({ body }) => body['conversation'])).toEqual(['conv_1', 'conv_1', 'conv_1']);
  });

  it('a stored conversation is continued: follow-ups name the response before and send only outputs', async () => {
    const { model, requests } = await fallbackRig([callAdd, answer], {
      ...stocked,
      settings: { tools: { add: adder().add } },
    });
    await generateText({ model, prompt, providerOptions: { openai: { store: true } } });
    expect(requests[1]?.body).toMatchObject({ store: true, previous_response_id: 'resp_1' });
    expect(outline(requests[1])).toEqual(['output 3']);
  });

  it('a tool of the server is shown with its result, and its item goes along', async () => {
    const item = {
      type: 'web_search_call',
      id: 'ws_1',
      status: 'completed',
      action: { type: 'search', query: 'ducks' },
    };
    const steps = [
      reply({
        id: 'resp_1',
        output: [
          { type: 'item', item },
          { type: 'text', text: 'Ducks.' },
        ],
      }),
      answer,
    ];
    const { model, requests, useStock } = await fallbackRig(steps);
    // Its types and those of `ai` disagree about optional members.
    const tools = { web_search: openai.tools.webSearch({}) } as unknown as ToolSet;
    useStock(true);
    const { response, text } = await generateText({ model, prompt, tools });
    expect(text).toBe('Ducks.');
    useStock(false);
    const question = { role: 'user', content: prompt } as const;
    await generateText({
      model,
      messages: [question, ...response.messages, { role: 'user', content: 'More.' }],
      tools,
    });
    expect(requests[1]?.input.map((entry) => entry['type'])).toEqual([
      'message',
      'web_search_call',
      'message',
      'message',
    ]);
  });
});

describe('what goes wrong under the stock provider', () => {
  const whole = responseEvents({ id: 'resp_1', output: [{ type: 'call', name: 'add', arguments: { a: 1, b: 2 } }] });
  const [cut] = splitBefore(whole, 'response.completed');

  const ENDINGS: readonly (readonly [name: string, steps: readonly ScriptedStep[], message: RegExp])[] = [
    ['a stream that just ends', [cut], /ended before it was complete/],
    [
      'a response that failed',
      [responseEvents({ id: 'resp_1', output: [{ type: 'call', name: 'add', arguments: {} }], status: 'failed' })],
      /./,
    ],
    ['an error event', [[...cut, { type: 'error', error: { code: 'server_error', message: 'down' } }]], /./],
  ];

  it.each(ENDINGS)('%s is an error, never an end, and runs no tool', async (_name, steps, message) => {
    const { add, runs } = adder();
    const { model } = await fallbackRig(steps, { ...stocked, settings: { tools: { add } } });
    const errors: unknown[] = [];
    const result = streamText({ model, prompt, maxRetries: 0, onError: ({ error }) => void errors.push(error) });
    await result.consumeStream();
    expect(errors).toHaveLength(1);
    expect((errors[0] as Error).message).toMatch(message);
    expect(runs).toEqual([]);
  });

  it('a later round is retried here, without running its tools again', async () => {
    const { add, runs } = adder();
    const { model, events } = await fallbackRig(
      [callAdd, { status: 503, json: { error: { message: 'busy' } } }, answer],
      {
        ...stocked,
        settings: { tools: { add } },
      },
    );
    expect((await generateText({ model, prompt })).text).toBe('It is 3.');
    expect(runs).toHaveLength(1);
    expect(events.filter(({ type }) => type === 'retry')).toHaveLength(1);
  });

  it('a first round that fails is the AI SDK’s to retry', async () => {
    const { model } = await fallbackRig(
      [{ status: 503, json: { error: { message: 'busy' } }, headers: { 'retry-after-ms': '1' } }, answer],
      stocked,
    );
    expect((await generateText({ model, prompt })).text).toBe('It is 3.');
  });

  it('an error after tools ran is never retried from outside, and tells what they did', async () => {
    const { model } = await fallbackRig([callAdd, { status: 400, json: { error: { message: 'no' } } }], {
      ...stocked,
      settings: { tools: { add: adder().add } },
    });
    await expect(generateText({ model, prompt })).rejects.toMatchObject({
      isRetryable: false,
      statusCode: 400,
      completedCalls: [{ name: 'add' }],
    });
  });

  it('sealed reasoning that the server refuses is left out', async () => {
    const refused: ScriptedStep = {
      status: 400,
      json: { error: { message: 'The encrypted content could not be verified.', code: 'invalid_encrypted_content' } },
    };
    const { model, requests } = await fallbackRig([refused, answer], stocked);
    const { text } = await generateText({
      model,
      messages: [
        { role: 'user', content: prompt },
        {
          role: 'assistant',
          content: [
            {
              type: 'reasoning',
              text: 'Hm.',
              providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: 'sealed' } },
            },
            { type: 'text', text: 'Yes?' },
          ],
        },
        { role: 'user', content: 'More.' },
      ],
    });
    expect(text).toBe('It is 3.');
    expect(requests.map((request) => outline(request)[1])).toEqual(['thinks sealed', 'says Yes?']);
  });

  it('an abort ends the request and the call', async () => {
    const controller = new AbortController();
    const { model, requests } = await fallbackRig(
      [{ events: responseEvents({ output: [{ type: 'text', text: 'Well' }], status: 'none' }), ending: 'stall' }],
      stocked,
    );
    const result = streamText({ model, prompt, abortSignal: controller.signal });
    const seen: string[] = [];
    for await (const part of result.fullStream) {
      seen.push(part.type);
      if (part.type === 'text-delta') controller.abort();
    }
    expect(seen.at(-1)).toBe('abort');
    await requests[0]?.closed;
    expect(requests[0]?.aborted).toBe(true);
  });
});

async function drained(result: ReturnType<typeof streamText>): Promise<{ text: string }> {
  await result.consumeStream();
  return { text: await result.text };
}
