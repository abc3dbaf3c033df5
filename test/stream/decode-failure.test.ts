import type { JsonObject } from '../../src/core/json.js';
import { knowing } from '../observe/support/knowing.js';
import { ownWords } from '../../src/core/clean-text.js';
import { Redactor } from '../../src/observe/redactor.js';
import { describe, expect, it } from 'vitest';
import { decodeFailure, toApiError } from '../../src/stream/decode-failure.js';

const NOTHING_SAID = 'The server reported an error without a message.';

describe('what a server says about a failure, wherever it puts it', () => {
  it.each<[string, unknown, object]>([
    [
      'OpenAI',
      { error: { message: 'm', type: 'invalid_request_error', param: 'input', code: 'bad' } },
      { message: 'm', serverCode: 'bad', named: [{ path: 'input', code: 'bad' }] },
    ],
    [
      'no code, so the type',
      { error: { message: 'm', type: 'server_error', code: null } },
      { message: 'm', serverCode: 'server_error' },
    ],
    [
      'an error event, flat',
      { type: 'error', code: 'server_error', message: 'm', param: null, sequence_number: 3 },
      { message: 'm', serverCode: 'server_error' },
    ],
    [
      'an error event, nested',
      { type: 'error', error: { type: 'overloaded_error', message: 'm' } },
      { message: 'm', serverCode: 'overloaded_error' },
    ],
    [
      'a failed response',
      { type: 'response.failed', response: { status: 'failed', error: { code: 'server_error', message: 'm' } } },
      { message: 'm', serverCode: 'server_error' },
    ],
    [
      'a failed response that says nothing',
      { type: 'response.failed', response: { status: 'failed', error: null } },
      { message: NOTHING_SAID },
    ],
    [
      'llama.cpp, with a status as its code',
      { error: { code: 400, message: 'm', type: 'invalid_request_error' } },
      { message: 'm', serverCode: 'invalid_request_error', statusCode: 400 },
    ],
    [
      'a status as a text',
      { error: { message: 'm', code: '429' } },
      { message: 'm', serverCode: '429', statusCode: 429 },
    ],
    [
      'a status beside the error',
      { status: 503, error: 'Service Unavailable' },
      { message: 'Service Unavailable', statusCode: 503 },
    ],
    [
      'OpenRouter',
      { error: { code: 502, message: 'm', metadata: { provider_name: 'x' } } },
      { message: 'm', serverCode: '502', statusCode: 502 },
    ],
    ['a text', { error: 'm' }, { message: 'm' }],
    ['an error in an error', { error: { error: 'm' } }, { message: 'm' }],
    ['flat', { code: 'bad', message: 'm' }, { message: 'm', serverCode: 'bad' }],
    [
      'responses.js',
      { success: false, error: [{ code: 'invalid_type', message: 'm', path: ['input'] }] },
      { message: 'm', serverCode: 'invalid_type' },
    ],
    ['FastAPI', { detail: 'm' }, { message: 'm' }],
    ['FastAPI, a list', { detail: [{ msg: 'm', loc: ['body'] }] }, { message: '[{"msg":"m","loc":["body"]}]' }],
    ['a number that is no status', { error: { message: 'm', code: 7 } }, { message: 'm', serverCode: '7' }],
    ['nothing', {}, { message: NOTHING_SAID }],
    ['null', null, { message: NOTHING_SAID }],
    ['a text instead of a body', 'm', { message: NOTHING_SAID }],
  ])('%s', (_name, body, expected) => {
    expect(decodeFailure(body)).toEqual(expected);
  });
});

describe('the error made of it', () => {
  const url = ownWords('https://api.example.com/v1/responses');
  const context = { url, redactor: Redactor.NONE };

  it('names message, code and URL, and keeps what is known of the request', () => {
    const error = toApiError(
      { error: { message: 'Slow down.', code: 'rate_limit_exceeded' } },
      {
        ...context,
        round: 1,
        responseHeaders: { 'retry-after': ownWords('2') },
        requestBody: Redactor.NONE.value<JsonObject>({ model: 'm' }),
      },
    );
    expect(error).toMatchObject({
      message: `Slow down. (rate_limit_exceeded) [${url}]`,
      code: 'api-error',
      serverCode: 'rate_limit_exceeded',
      statusCode: 429,
      isRetryable: true,
      url,
      round: 1,
      responseHeaders: { 'retry-after': '2' },
      requestBodyValues: { model: 'm' },
    });
  });

  it('shows the beginning of a message and of a code that are megabytes long, cut after secrets were taken out', () => {
    const long = 'KEYS '.repeat(1_000_000);
    const { message, serverCode = '' } = toApiError(
      { error: { message: long, code: long } },
      { ...context, redactor: knowing('KEYS') },
    );
    expect(message).toMatch(/^\[redacted\] \[redacted\] [^]*… \(\[redacted\][^]*…\) \[https:/);
    expect(message.length).toBeLessThan(4_500);
    expect(serverCode.length).toBeLessThan(300);
    expect(message + serverCode).not.toContain('KEYS');
  });

  it('takes no text of more than 200 characters for the name of a field, so that none names tools by the million', () => {
    const pathsOf = (param: string) => toApiError({ error: { message: 'm', param } }, context).facts.named;
    expect(pathsOf('tools[0]'.repeat(25))).toEqual([{ path: 'tools[0]'.repeat(25) }]);
    expect(pathsOf('tools[0]'.repeat(26))).toBeUndefined();
  });

  it('the status of the answer counts more than one in its body', () => {
    expect(toApiError({ error: { message: 'm', code: 500 } }, { ...context, statusCode: 400 })).toMatchObject({
      statusCode: 400,
      isRetryable: false,
    });
  });
});
