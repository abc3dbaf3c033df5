import { APICallError, generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ObserverEvent } from '../../src/index.js';
import type { ResponsesProviderSettings } from '../../src/settings/settings.js';
import { errorEvent, errorReply, responseBody, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { ADD, callAdd, failureOf, HELLO, say, start, stream, textOf } from '../provider/support/talk.js';

/** What the AI SDK waits for instead of its two seconds. */
const SOON = { 'retry-after-ms': '1' };
const overloaded = errorEvent({ code: 'server_is_overloaded', message: 'Overloaded.' });

describe('the AI SDK retries the call itself', () => {
  it.each<[string, ScriptedStep]>([
    ['a 503', errorReply({ status: 503, headers: SOON })],
    ['a 429', errorReply({ status: 429, code: 'rate_limit_exceeded', headers: SOON })],
    ['an error event in a 200', { events: [...responseEvents({ status: 'none' }), overloaded], headers: SOON }],
    ['an empty body', { bytes: '', headers: SOON }],
  ])('%s, once per maxRetries, streaming and not', async (_name, step) => {
    const { server, provider } = await start([
      step,
      step,
      say('Hi.'),
      step,
      step,
      { json: responseBody({ output: [{ type: 'text', text: 'Hi.' }] }) },
    ]);
    const streamed = streamText({ model: provider('m'), prompt: 'Q', maxRetries: 2, onError: () => {} });
    expect(await streamed.text).toBe('Hi.');
    expect((await generateText({ model: provider('m'), prompt: 'Q', maxRetries: 2 })).text).toBe('Hi.');
    server.assertDone();
  });

  it.each<[string, ScriptedStep]>([
    ['a 401', errorReply({ status: 401, code: 'invalid_api_key' })],
    ['a spent quota', errorReply({ status: 429, code: 'insufficient_quota' })],
    ['a wrong request in a 200', [errorEvent({ code: 'invalid_prompt', message: 'No.' })]],
    ['a web page', { html: '<p>Hi</p>' }],
  ])('%s is not tried again, and is the error the caller catches', async (_name, step) => {
    const { server, provider } = await start([step]);
    const error = await failureOf(generateText({ model: provider('m'), prompt: 'Q', maxRetries: 5 }));
    expect(APICallError.isInstance(error) && !error.isRetryable).toBe(true);
    server.assertDone();
  });

  it("we do not retry a first round ourselves: that would multiply with the SDK's own retries", async () => {
    const talk = await start([errorReply({ status: 503 })], { retry: { maxRetries: 5 } });
    await failureOf(stream(talk));
    talk.server.assertDone();
  });
});

describe('a follow-up round is retried here, since the tools must not run again', () => {
  it.each<[string, ScriptedStep]>([
    ['an error status', errorReply({ status: 503 })],
    ['an error event before anything visible', [...responseEvents({ status: 'none' }), overloaded]],
    ['a broken connection', { none: 'reset' }],
  ])('%s: the same request goes out again, and the tool ran once', async (_name, step) => {
    let ran = 0;
    const events: ObserverEvent[] = [];
    const tools = { add: { ...ADD.add, execute: () => (ran += 1) } };
    const talk = await start([callAdd('r1'), step, say('Done.', { id: 'r3' })], {
      tools,
      onEvent: (event) => events.push(event),
    });
    expect(textOf(await stream(talk))).toBe('Done.');
    expect(ran).toBe(1);
    expect(talk.server.requests[2]?.text).toBe(talk.server.requests[1]?.text);
    expect(events.filter(({ type }) => type === 'retry')).toMatchObject([
      { url: talk.url, round: 1, attempt: 1, reason: expect.any(String) },
    ]);
  });

  it('gives up after maxRetries, with the last error as a part', async () => {
    const talk = await start(
      [callAdd('r1'), errorReply({ status: 503 }), errorReply({ status: 500, message: 'last' })],
      { tools: ADD, retry: { maxRetries: 1 } },
    );
    expect((await stream(talk)).slice(-2)).toMatchObject([
      { type: 'error', error: { statusCode: 500, message: expect.stringContaining('last') } },
      { type: 'finish', finishReason: 'error' },
    ]);
    talk.server.assertDone();
  });

  it.each<[string, ScriptedStep]>([
    ['an error that no waiting heals', errorReply({ status: 400, message: 'bad' })],
    [
      'an error after something visible',
      [...responseEvents({ id: 'r2', output: [{ type: 'text', text: 'Well, ' }], status: 'none' }), overloaded],
    ],
  ])('%s is not retried', async (_name, step) => {
    const talk = await start([callAdd('r1'), step], { tools: ADD });
    expect((await stream(talk)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    talk.server.assertDone();
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['nothing else is said', {}],
    ['the field was taken away for a server that does not know it', { models: { '*': { body: { store: null } } } }],
    ['transformRequest took it away', { transformRequest: ({ body: { store: _store, ...body } }) => ({ body }) }],
  ])('after a 500 where the server keeps nothing: %s', async (_name, settings) => {
    const retry = { initialDelayMs: 1 };
    const talk = await start([callAdd('r1'), errorReply({ status: 500 }), say('5')], {
      tools: ADD,
      retry,
      ...settings,
    });
    expect(textOf(await stream(talk))).toBe('5');
  });

  it.each<[string, ResponsesProviderSettings]>([
    ['store: true', { models: { '*': { body: { store: true } } } }],
    ['store: true by transformRequest', { transformRequest: ({ body }) => ({ body: { ...body, store: true } }) }],
    ['a conversation', { models: { '*': { body: { conversation: 'conv_1' } } } }],
    ['a response that is continued', { models: { '*': { body: { store: null, previous_response_id: 'resp_0' } } } }],
  ])('not after a 500 where the server keeps what it may have done: %s', async (_name, settings) => {
    const retry = { initialDelayMs: 1 };
    const talk = await start([callAdd('r1'), errorReply({ status: 500 })], { tools: ADD, retry, ...settings });
    expect((await stream(talk)).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    talk.server.assertDone();
  });

  it('the pause is the one a message asks for, where no header does', async () => {
    const events: ObserverEvent[] = [];
    const message = 'Rate limit reached for gpt-5. Please try again in 0.15s.';
    const talk = await start([callAdd('r1'), errorReply({ status: 429, message }), say('5')], {
      tools: ADD,
      retry: { initialDelayMs: 1 },
      onEvent: (event) => events.push(event),
    });
    await stream(talk);
    expect(events.find(({ type }) => type === 'retry')).toMatchObject({ delayMs: 150 });
  });

  it('with maxRetries 0 nothing is', async () => {
    const talk = await start([callAdd('r1'), errorReply({ status: 503 })], { tools: ADD, retry: { maxRetries: 0 } });
    expect((await stream(talk)).at(-1)).toMatchObject({ finishReason: 'error' });
    talk.server.assertDone();
  });

  it('once tools have run, generate fails as not to be retried, with what they returned', async () => {
    const { server, provider } = await start(
      [
        {
          json: responseBody({
            id: 'r1',
            output: [{ type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_r1' }],
          }),
        },
        errorReply({ status: 503 }),
      ],
      { tools: ADD, retry: { maxRetries: 0 } },
    );
    const error = await failureOf(generateText({ model: provider('m'), prompt: 'Q', maxRetries: 3 }));
    expect(error).toMatchObject({
      isRetryable: false,
      statusCode: 503,
      completedCalls: [{ callId: 'call_r1', name: 'add', output: { content: [{ text: '5' }] } }],
    });
    server.assertDone();
  });

  it('abort does not wait for the next attempt', async () => {
    const controller = new AbortController();
    const events: ObserverEvent[] = [];
    const onEvent = (event: ObserverEvent): void => {
      events.push(event);
      if (event.type === 'retry') controller.abort();
    };
    const talk = await start([callAdd('r1'), errorReply({ status: 503 })], { tools: ADD, onEvent });
    const parts = await stream(talk, { ...HELLO, abortSignal: controller.signal });
    expect(parts.map(({ type }) => type)).not.toContain('finish');
    expect(events.at(-1)).toMatchObject({ type: 'call-end', finishReason: 'aborted' });
    talk.server.assertDone();
  });
});
