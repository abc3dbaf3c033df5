import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { encodeEvents, errorEvent, responseBody, responseEvents, type ScriptedStep } from '../../src/testing.js';
import { failureOf, generateText, HELLO, start, stream, textOf } from './support/talk.js';

const PAGE = '<!doctype html><html><body>Welcome to nginx!</body></html>';
const ANSWER = { output: [{ type: 'text', text: 'Hello.' }] } as const;
const CHUNK = { id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'Hi' } }] };
const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' } }],
};
const sse = (...lines: string[]): ScriptedStep => ({ bytes: lines.map((line) => `data: ${line}\n\n`).join('') });
const EVENT_STREAM = { 'content-type': 'text/event-stream' };

describe('an answer that is none, though its status is 200', () => {
  it.each<[string, ScriptedStep, string, RegExp]>([
    ['a web page', { html: PAGE }, 'not-a-responses-api', /Welcome to nginx!.*base URL/],
    [
      'a web page labelled as an event stream',
      { bytes: PAGE, headers: EVENT_STREAM },
      'not-a-responses-api',
      /Welcome to nginx!/,
    ],
    ['nothing at all', { bytes: '' }, 'not-a-responses-api', /an empty body/],
    ['blank lines', { bytes: '\n\n \n' }, 'not-a-responses-api', /an empty body/],
    ['a plain text', { bytes: 'OK' }, 'not-a-responses-api', /"OK"/],
    ['some other JSON', { json: { status: 'ok' } }, 'not-a-responses-api', /\{.*status.*ok/],
    ['a JSON list', { json: [] }, 'not-a-responses-api', /"\[\]"/],
    ['comments and an end mark', { bytes: ': hello\n\ndata: [DONE]\n\n' }, 'not-a-responses-api', /: hello/],
    ['Chat Completions chunks', sse(JSON.stringify(CHUNK), '[DONE]'), 'not-a-responses-api', /Chat Completions/],
    ['a Chat Completions answer', { json: COMPLETION }, 'not-a-responses-api', /Chat Completions/],
    [
      'a response without output',
      { json: { id: 'resp_1', object: 'response', status: 'completed' } },
      'not-a-responses-api',
      /completed/,
    ],
    [
      'an error as JSON',
      { json: { error: { message: 'Quota exceeded', code: 'insufficient_quota' } } },
      'api-error',
      /Quota exceeded/,
    ],
    ['an error as FastAPI has it', { json: { detail: 'Bad input' } }, 'api-error', /Bad input/],
    ['an error that is a text', { json: { error: 'nope' } }, 'api-error', /nope/],
    [
      'a failed response as JSON',
      { json: responseBody({ status: 'failed', error: { code: 'server_error', message: 'inner' } }) },
      'api-error',
      /inner/,
    ],
  ])('%s', async (_name, step, code, message) => {
    const talk = await start([step, step]);
    for (const call of [stream(talk), generateText(talk)]) {
      const error = await failureOf(call);
      expect(error).toMatchObject({ code, url: talk.url, message: expect.stringMatching(message) });
      expect(error.message).toContain(talk.url);
      expect(APICallError.isInstance(error)).toBe(true);
    }
  });

  it.each<[string, ScriptedStep, boolean]>([
    ['an empty body may be a hiccup', { bytes: '' }, true],
    ['a web page stays one', { html: PAGE }, false],
    ['another API stays one', sse(JSON.stringify(CHUNK)), false],
  ])('worth a retry? %s', async (_name, step, isRetryable) => {
    expect(await failureOf(stream(await start([step])))).toMatchObject({ isRetryable });
  });
});

describe('the right answer in the wrong form', () => {
  it.each<[string, ScriptedStep]>([
    ['JSON instead of a stream', { json: responseBody(ANSWER) }],
    ['JSON labelled as a stream', { bytes: JSON.stringify(responseBody(ANSWER)), headers: EVENT_STREAM }],
    [
      'a stream labelled as JSON',
      { bytes: encodeEvents(responseEvents(ANSWER)), headers: { 'content-type': 'application/json' } },
    ],
    [
      'a stream labelled as text',
      { bytes: encodeEvents(responseEvents(ANSWER)), headers: { 'content-type': 'text/plain' } },
    ],
    ['a stream', responseEvents(ANSWER)],
  ])('%s is read for what it is, streaming and not', async (_name, step) => {
    const talk = await start([step, step]);
    expect(textOf(await stream(talk))).toBe('Hello.');
    expect(await generateText(talk)).toBe('Hello.');
    expect(talk.server.requests.map(({ body }) => body['stream'])).toEqual([true, false]);
  });

  it('the generated answer has the usage, the id and the finish reason of the streamed one', async () => {
    const talk = await start([responseEvents(ANSWER), { json: responseBody(ANSWER) }]);
    const finish = (await stream(talk)).at(-1);
    const generated = await talk.provider('m').doGenerate(HELLO);
    expect({
      type: 'finish',
      usage: generated.usage,
      finishReason: generated.finishReason,
      providerMetadata: generated.providerMetadata,
    }).toEqual(finish);
    expect(generated.response).toMatchObject({ id: 'resp_1', modelId: 'gpt-test' });
  });
});

describe('an error event before anything visible rejects, with the status its code stands for', () => {
  const created = responseEvents({ status: 'none' });
  const overloaded = { code: 'server_is_overloaded', message: 'Overloaded.' };

  it.each<[string, ScriptedStep, object]>([
    [
      'error first',
      [errorEvent({ code: 'rate_limit_exceeded', message: 'Slow down.' })],
      { statusCode: 429, isRetryable: true, serverCode: 'rate_limit_exceeded' },
    ],
    [
      'no quota',
      [errorEvent({ code: 'insufficient_quota', message: 'Pay.' })],
      { statusCode: 429, isRetryable: false },
    ],
    ['created, in_progress, error', [...created, errorEvent(overloaded)], { statusCode: 503, isRetryable: true }],
    [
      'an error event with a nested error',
      [...created, { type: 'error', error: overloaded }],
      { statusCode: 503, isRetryable: true },
    ],
    [
      'response.failed',
      responseEvents({ status: 'failed', error: { code: 'invalid_prompt', message: 'No.' } }),
      { statusCode: 400, isRetryable: false },
    ],
    [
      'a bare error',
      sse('{"error":{"message":"Bare.","code":500}}'),
      { statusCode: 500, isRetryable: true, message: expect.stringContaining('Bare.') },
    ],
    ['a numeric code', sse('{"type":"error","code":429,"message":"Limit."}'), { statusCode: 429, isRetryable: true }],
    [
      'an item that was opened and stayed empty',
      [
        ...created,
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
        },
        errorEvent(overloaded),
      ],
      { statusCode: 503 },
    ],
    [
      'reasoning that was opened and stayed empty',
      [
        ...created,
        { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning', id: 'rs_1', summary: [] } },
        errorEvent(overloaded),
      ],
      { statusCode: 503 },
    ],
    [
      'a call that was opened and stayed empty',
      [
        ...created,
        {
          type: 'response.output_item.added',
          output_index: 0,
          item: { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'add', arguments: '' },
        },
        errorEvent(overloaded),
      ],
      { statusCode: 503 },
    ],
  ])('%s', async (_name, step, expected) => {
    const talk = await start([step]);
    const error = await failureOf(stream(talk));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ url: talk.url, ...expected });
    expect(error.requestBodyValues).toMatchObject({ model: 'm', store: false });
  });

  it('after something visible it is a part, and the stream finishes with error', async () => {
    const talk = await start([
      [...responseEvents({ output: [{ type: 'text', text: 'Well, ' }], status: 'none' }), errorEvent(overloaded)],
    ]);
    const parts = await stream(talk);
    expect(textOf(parts)).toBe('Well, ');
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', error: { statusCode: 503, serverCode: 'server_is_overloaded' } },
      { type: 'finish', finishReason: 'error' },
    ]);
  });
});
