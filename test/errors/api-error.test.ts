import { inspect } from 'node:util';
import type { CarriedCall } from '../../src/core/carrier.js';
import { redactError } from '../../src/observe/redact-error.js';
import { Redactor } from '../../src/observe/redactor.js';
import { AISDKError, APICallError } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import { afterTools } from '../../src/loop/call-record.js';
import { ApiError } from '../../src/errors/for-users.js';
import { ResponsesLoopError } from '../../src/errors/for-users.js';

const FACTS = {
  message: 'Slow down.',
  code: 'api-error',
  url: 'https://api.example.com/v1/responses',
  isRetryable: true,
  statusCode: 429,
  responseHeaders: { 'retry-after': '2' },
  responseBody: '{}',
  serverCode: 'rate_limit_exceeded',
  requestBody: { model: 'm' },
  cause: new Error('inner'),
  round: 3,
} as const;

describe('a printed error', () => {
  it('shows what a person needs: no marks, no members without a value, nothing that only this package reads', () => {
    const printed = inspect(
      new ApiError({ message: 'Slow down.', code: 'api-error', url: FACTS.url, isRetryable: false }),
    );
    expect(printed.slice(printed.indexOf('{\n'))).toBe(
      `{\n  code: 'api-error',\n  url: '${FACTS.url}',\n  isRetryable: false\n}`,
    );
  });

  it('shows every member that has a value, and the others can be read all the same', () => {
    const error = new ApiError({ ...FACTS, mayFailOver: true });
    expect(Object.keys(error)).toEqual(
      expect.arrayContaining(['code', 'round', 'statusCode', 'responseHeaders', 'responseBody', 'serverCode']),
    );
    expect(error).toMatchObject({ mayFailOver: true, isReplaySafe: false, completedCalls: [], limit: undefined });
  });
});

describe('an ApiError', () => {
  it('is an APICallError to the AI SDK, with everything its retry looks at', () => {
    const error = new ApiError(FACTS);
    expect(APICallError.isInstance(error)).toBe(true);
    expect(AISDKError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({
      name: 'AI_APICallError',
      message: 'Slow down.',
      url: FACTS.url,
      isRetryable: true,
      statusCode: 429,
      responseHeaders: { 'retry-after': '2' },
      responseBody: '{}',
      requestBodyValues: { model: 'm' },
      code: 'api-error',
      serverCode: 'rate_limit_exceeded',
      round: 3,
    });
    expect(error.cause).toBe(FACTS.cause);
  });

  it('is an Error and a ResponsesLoopError, by brand and by class', () => {
    const error = new ApiError(FACTS);
    expect(error).toBeInstanceOf(Error);
    expect([ApiError.isInstance(error), ResponsesLoopError.isInstance(error)]).toEqual([true, true]);
  });

  it('is an instance for the class of another copy of this package, and not for a class derived from it', async () => {
    vi.resetModules();
    const copy = await import('../../src/errors/api-error.js');
    expect(copy.ApiError).not.toBe(ApiError);
    class Derived extends ApiError {}
    const [error, derived] = [new ApiError(FACTS), new Derived(FACTS)];
    expect([error instanceof copy.ApiError, derived instanceof copy.ApiError]).toEqual([true, true]);
    expect([error instanceof Derived, derived instanceof Derived]).toEqual([false, true]);
    const other = new ResponsesLoopError({ code: 'closed', message: 'm' });
    expect([other instanceof ApiError, {} instanceof ResponsesLoopError]).toEqual([false, false]);
  });

  it('is told apart from others, whatever they look like', () => {
    const other = new ResponsesLoopError({ code: 'closed', message: 'm' });
    expect([ResponsesLoopError.isInstance(other), ApiError.isInstance(other), APICallError.isInstance(other)]).toEqual([
      true,
      false,
      false,
    ]);
    for (const value of [null, undefined, 'ApiError', {}, new Error('m'), { ...FACTS }])
      expect(ApiError.isInstance(value)).toBe(false);
  });

  it('without a code of its own is an api-error', () => {
    expect(new ApiError({ message: 'm', url: 'u', isRetryable: false }).code).toBe('api-error');
  });
});

describe('an error after tools have run', () => {
  const calls = [
    { callId: 'c1', name: 'add', arguments: '{}', output: { isError: false, content: [{ type: 'text', text: '5' }] } },
  ] as const satisfies readonly CarriedCall[];
  const clean = Redactor.NONE.value<readonly CarriedCall[]>(calls);

  it('is the same error, never to be retried, with what the tools returned', () => {
    const original = new ApiError(FACTS);
    const error = afterTools(original, clean);
    const { cause: _cause, ...facts } = FACTS;
    const { requestBody, ...seen } = facts;
    expect(error).toMatchObject({ ...seen, isRetryable: false, requestBodyValues: requestBody, completedCalls: calls });
    expect(error.cause).toBe(original);
  });

  it('any error becomes one the AI SDK does not retry', () => {
    const error = afterTools(redactError(new TypeError('boom'), Redactor.NONE), clean);
    expect(APICallError.isInstance(error) && error.isRetryable).toBe(false);
    expect(error).toMatchObject({ message: 'boom', completedCalls: calls });
  });

  it('without tools that ran it stays what it is', () => {
    const original = new ApiError(FACTS);
    expect(afterTools(original, [])).toBe(original);
  });
});
