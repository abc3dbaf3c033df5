import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/errors/for-users.js';
import { ResponsesLoopError } from '../../src/errors/for-users.js';
import { redactError } from '../../src/observe/redact-error.js';
import { knowing } from './support/knowing.js';

const S = 'sk-SECRET+1234567890';
const headers = { authorization: `Bearer ${S}` };
const print = (value: unknown): string => inspect(value, { depth: 20, showHidden: true });
const circular = (): Error => {
  const error = new Error('round and round');
  error.cause = error;
  return Object.assign(error, { headers });
};

describe('errors of others', () => {
  it.each<[string, Error]>([
    ['axios and got: the whole request', Object.assign(new TypeError('network down'), { config: { headers } })],
    ['an object as cause', new TypeError('network down', { cause: { headers } })],
    ['a text as cause', new TypeError('network down', { cause: `sent ${S}` })],
    ['an object with a message as cause', new TypeError('network down', { cause: { message: `sent ${S}`, headers } })],
    [
      'several errors',
      new AggregateError([new Error(`to ${S}`), { headers }, Object.assign(new Error('x'), { headers })]),
    ],
    ['a cause with a request', new Error('x', { cause: Object.assign(new Error('y'), { request: { headers } }) })],
    ['its code', Object.assign(new Error('x'), { code: `E_${S}` })],
    ['its name', Object.assign(new Error('x'), { name: S })],
    ['a cause that is itself', circular()],
    ['a secret in a URL', new Error(`GET /?token=${encodeURIComponent(S)}`)],
  ])('%s: nothing of it comes out', (_name, error) => {
    const printed = print(redactError(error, knowing(S)));
    expect(printed).not.toContain(S);
    expect(printed).not.toContain(encodeURIComponent(S));
  });

  it('name, message, stack, code and causes remain', () => {
    const inner = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', port: 80 });
    const error = new TypeError('fetch failed', { cause: new AggregateError([inner], 'all', { cause: 5 }) });
    const clean = redactError(error, knowing(S));
    expect(clean).toMatchObject({ name: 'TypeError', message: 'fetch failed', stack: error.stack });
    expect(clean.cause).toBeInstanceOf(AggregateError);
    expect(clean.cause).toMatchObject({
      errors: [{ message: 'connect ECONNREFUSED', code: 'ECONNREFUSED' }],
      cause: 5,
    });
  });
});

describe('our own errors', () => {
  const facts = {
    message: 'It failed.',
    url: 'https://a.example.com/v1/responses',
    isRetryable: true,
    statusCode: 500,
  };

  it('are the same where nothing is to be hidden', () => {
    const error = new ApiError({
      ...facts,
      requestBody: { input: ['a'] },
      cause: new ResponsesLoopError({ code: 'timeout', message: 'm' }),
    });
    expect(redactError(error, knowing(S))).toBe(error);
  });

  it('keep all they know but the secret', () => {
    const error = new ApiError({
      ...facts,
      url: `https://a.example.com/${encodeURIComponent(S)}`,
      round: 2,
      responseBody: S,
      responseHeaders: { 'x-echo': S },
      named: [{ path: S, code: 'unknown_parameter' }],
      requestBody: { user: S, input: [{ text: 'a' }] },
      cause: Object.assign(new Error('x'), { config: { headers } }),
    });
    const clean = redactError(error, knowing(S));
    expect(print(clean)).not.toMatch(/SECRET/);
    expect(clean).toMatchObject({
      message: 'It failed.',
      url: 'https://a.example.com/[redacted]',
      round: 2,
      isRetryable: true,
      statusCode: 500,
      requestBodyValues: { user: '[redacted]', input: [{ text: 'a' }] },
      cause: { message: 'x' },
    });
    expect((clean as ApiError).facts.named).toEqual([{ path: '[redacted]', code: 'unknown_parameter' }]);
    expect(ApiError.isInstance(clean)).toBe(true);
  });

  it('keep code and round', () => {
    const clean = redactError(new ResponsesLoopError({ code: 'invalid-settings', message: S, round: 1 }), knowing(S));
    expect(clean).toMatchObject({ code: 'invalid-settings', round: 1, message: '[redacted]' });
    expect(print(clean)).not.toContain(S);
  });

  it('a key that is a plain word is no secret: local servers are named like their keys, tests have `test`', () => {
    const error = new ApiError({
      ...facts,
      message: 'no ollama',
      url: 'http://ollama:11434/v1',
      requestBody: 'ollama',
    });
    expect(redactError(error, knowing('ollama'))).toBe(error);
    expect(redactError(error, knowing('test')).message).toBe('no ollama');
  });

  it('a short key that is no word goes from the message, and stays in URL and body', () => {
    const error = new ApiError({ ...facts, message: 'no k3y-1', url: 'http://k3y-1:1/v1', requestBody: 'k3y-1' });
    expect(redactError(error, knowing('k3y-1'))).toMatchObject({
      message: 'no [redacted]',
      url: 'http://k3y-1:1/v1',
      requestBodyValues: 'k3y-1',
    });
  });
});
