import type { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { Redactor } from '../../src/observe/redact.js';
import { failWith, URL_OF_ALL } from './support/fail-with.js';
import { failureOf, open } from './support/open.js';

describe('error bodies in every other shape', () => {
  it.each<[string, number, unknown, string]>([
    ['a plain text', 502, 'upstream connect error', 'The server answered HTTP 502 with "upstream connect error".'],
    [
      'a web page',
      403,
      '<html><body>Attention Required! | Cloudflare</body></html>',
      'HTTP 403 with "<html><body>Attention Required!',
    ],
    ['nothing', 500, '', 'The server answered HTTP 500 with an empty body.'],
    ['a JSON text', 400, '"bad"', 'HTTP 400 with "\\"bad\\""'],
    ['broken JSON', 400, '{"error":', 'HTTP 400 with "{\\"error\\":"'],
    ['an error that is a text', 400, { error: 'model is required' }, 'model is required'],
    ['an error inside an error', 502, { error: { error: 'upstream failed' } }, 'upstream failed'],
    ['a flat message', 400, { message: 'flat', code: 'bad_thing' }, 'flat (bad_thing)'],
    ['detail (FastAPI)', 400, { detail: 'Bad input' }, 'Bad input'],
    [
      'a list of details (FastAPI)',
      422,
      { detail: [{ loc: ['body', 'input'], msg: 'field required', type: 'missing' }] },
      'field required',
    ],
    [
      'a list of errors (responses.js)',
      400,
      { success: false, error: [{ message: 'Expected string', code: 'invalid_type' }] },
      'Expected string (invalid_type)',
    ],
    [
      'a failed response',
      500,
      { response: { status: 'failed', error: { code: 'server_error', message: 'inner' } } },
      'inner (server_error)',
    ],
    ['an object that says nothing', 500, {}, 'The server reported an error without a message.'],
  ])('%s', async (_name, status, body, message) => {
    const error = await failWith({ status, body });
    expect(error.message).toContain(message);
    expect(error.message).toContain(URL_OF_ALL);
    expect(error.statusCode).toBe(status);
  });

  it('headers reach the error, for Retry-After and request ids; cookies do not', async () => {
    const headers = { 'retry-after': '20', 'x-request-id': 'req_1', 'set-cookie': 'session=0123456789' };
    const { responseHeaders } = await failWith({ status: 429, body: {}, headers });
    expect(responseHeaders).toMatchObject({ 'retry-after': '20', 'x-request-id': 'req_1', 'set-cookie': '…6789' });
  });

  it('a long body is cut, in the message and beside it', async () => {
    const { message, responseBody } = await failWith({ status: 500, body: 'x'.repeat(50_000) });
    expect([message.length < 500, responseBody?.length]).toEqual([true, 2000]);
  });

  it('a body that breaks off counts as far as it came', async () => {
    const stream = new ReadableStream(
      {
        start: (controller) => {
          controller.enqueue(new TextEncoder().encode('half a mess'));
        },
        pull: (controller) => controller.error(new TypeError('terminated')),
      },
      { highWaterMark: 0 },
    );
    const error = await failureOf(open({ url: URL_OF_ALL, fetch: async () => new Response(stream, { status: 500 }) }));
    expect(error.message).toContain('half a mess');
  });

  it('a body without an end is given up', async () => {
    const page = new TextEncoder().encode('never ending '.repeat(100));
    let cancelled = false;
    const stream = new ReadableStream({
      pull: (controller) => controller.enqueue(page),
      cancel: () => {
        cancelled = true;
      },
    });
    const error = await failureOf(open({ url: URL_OF_ALL, fetch: async () => new Response(stream, { status: 500 }) }));
    expect([error.message.includes('never ending'), cancelled]).toEqual([true, true]);
  });

  it('a body that falls silent is given up after idleMs', async () => {
    const stream = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode('so far')),
    });
    const error = await failureOf(
      open({ url: URL_OF_ALL, idleMs: 5, fetch: async () => new Response(stream, { status: 500 }) }),
    );
    expect(error).toMatchObject({ statusCode: 500, message: expect.stringContaining('so far') });
  });
});

describe('a 404 names the fix, unless the URL was right', () => {
  const HINT = `No Responses API at ${URL_OF_ALL}: check baseURL`;

  it.each<[string, unknown]>([
    ['a web page', '<html>404</html>'],
    ['an empty body', ''],
    ['a plain text', '404 page not found'],
    ['FastAPI', { detail: 'Not Found' }],
    ['llama.cpp', { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }],
    [
      'OpenAI',
      {
        error: { message: 'Invalid URL (POST /v2/responses)', type: 'invalid_request_error', param: null, code: null },
      },
    ],
    ['Azure', { error: { code: '404', message: 'Resource not found' } }],
    ['Spring', { status: 404, error: 'Not Found', path: '/v1/responses' }],
    ['an object that says nothing', {}],
  ])('%s', async (_name, body) => {
    const { message } = await failWith({ status: 404, body });
    expect(message).toContain(HINT);
    expect(message.split(HINT)).toHaveLength(2);
  });

  it.each<[string, unknown]>([
    [
      'an unknown model',
      {
        error: {
          message: "The model 'gpt-9' does not exist",
          type: 'invalid_request_error',
          param: null,
          code: 'model_not_found',
        },
      },
    ],
    [
      'an unknown model (Ollama)',
      { error: { message: 'model "x" not found, try pulling it first', type: 'api_error' } },
    ],
    [
      'an unknown deployment',
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
    ],
    [
      'an unknown response',
      {
        error: {
          message: "Previous response with id 'resp_1' not found.",
          param: 'previous_response_id',
          code: 'previous_response_not_found',
        },
      },
    ],
    ['an unknown item', { error: { message: "Item with id 'rs_1' not found.", param: 'input', code: null } }],
  ])('%s has nothing to do with the URL', async (_name, body) => {
    const { message } = await failWith({ status: 404, body });
    expect(message).not.toContain('No Responses API at');
  });
});

describe('what a server repeats of a request', () => {
  const SECRETS = ['sk-configured-1', 'sk-in-header-2', 'qu3ry-s3cret'];

  it.each<[string, unknown]>([
    [
      'in JSON',
      {
        error: { message: `bad key ${SECRETS.join(' ')}`, code: 'invalid_api_key' },
        echo: { authorization: `Bearer ${SECRETS[1]}` },
      },
    ],
    ['in a page', `<html>${SECRETS.join(' ')}</html>`],
    ['in a code', { error: { message: 'm', code: SECRETS[0] } }],
  ])('%s is taken out everywhere', async (_name, body) => {
    const url = `${URL_OF_ALL}?key=${SECRETS[2]}`;
    const fetch = async (): Promise<Response> =>
      new Response(typeof body === 'string' ? body : JSON.stringify(body), { status: 401 });
    const error = (await failureOf(
      open({
        url,
        fetch,
        headers: { 'x-gw-token': SECRETS[1] ?? '' },
        redactor: Redactor.of(() => SECRETS.slice(0, 1)),
      }),
    )) as APICallError;
    const shown = `${error.message} ${error.stack} ${JSON.stringify(error)}`;
    for (const secret of SECRETS) expect(shown).not.toContain(secret);
    expect(shown).toContain('[redacted]');
  });
});
