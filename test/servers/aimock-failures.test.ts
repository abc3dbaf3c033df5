import { APICallError, generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';

import { aimock } from './support/aimock.js';

const MODEL = 'gpt-5-mini';
const prompt = 'Hello there';

async function failureOf(call: PromiseLike<unknown>): Promise<APICallError> {
  const error: unknown = await Promise.resolve(call).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!APICallError.isInstance(error)) throw new Error(`no APICallError: ${String(error)}`);
  return error;
}

describe('an error status of aimock', () => {
  it('401 is an APICallError with status, URL and the words of the server, not retried and without the key', async () => {
    const { provider, mock, seen } = await aimock((server) =>
      server.onMessage('Hello', {
        error: { message: 'Incorrect API key provided', type: 'invalid_request_error', code: 'invalid_api_key' },
        status: 401,
      }),
    );
    const error = await failureOf(generateText({ model: provider(MODEL), prompt }));
    expect(error).toMatchObject({ statusCode: 401, isRetryable: false, url: `${mock.url}/v1/responses` });
    expect(error.message).toContain('Incorrect API key provided');
    expect(error.responseBody).toContain('invalid_api_key');
    expect(JSON.stringify(error) + error.stack).not.toContain('sk-test-aimock');
    expect(seen()).toHaveLength(1);
  });

  it('429 tells when to come back', async () => {
    const { provider } = await aimock((server) =>
      server.onMessage('Hello', {
        error: { message: 'Slow down', type: 'rate_limit_error', code: 'rate_limit_exceeded' },
        status: 429,
        retryAfter: 7,
      }),
    );
    const error = await failureOf(generateText({ model: provider(MODEL), prompt, maxRetries: 0 }));
    expect(error).toMatchObject({ statusCode: 429, isRetryable: true });
    expect(error.responseHeaders?.['retry-after']).toBe('7');
  });

  it.each([
    ['429', { error: { message: 'Slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 0 }],
    ['500', { error: { message: 'Down', type: 'server_error' }, status: 500 }],
  ] as const)('%s at the start of a call is retried by the AI SDK, and the retry answers', async (_, failure) => {
    const { provider, seen } = await aimock((mock) => {
      mock.on({ userMessage: 'Hello', sequenceIndex: 0 }, failure);
      mock.on({ userMessage: 'Hello' }, { content: 'Here again.' });
    });
    const result = streamText({ model: provider(MODEL), prompt, maxRetries: 1 });
    expect(await result.text).toBe('Here again.');
    expect(seen().map(({ status }) => status)).toEqual([failure.status, 200]);
  });

  it('a request that matches no script is an error with its status, not an empty answer', async () => {
    const { provider } = await aimock(() => {});
    const error = await failureOf(generateText({ model: provider(MODEL), prompt, maxRetries: 0 }));
    expect(error.statusCode).toBe(503);
  });
});

describe('a connection that aimock breaks', () => {
  it('after some text: the text stands, an error follows, and nothing is asked twice', async () => {
    const { provider, seen } = await aimock((mock) =>
      mock.onMessage(
        'Hello',
        { content: 'One two three four five six seven.' },
        { chunkSize: 4, latency: 5, truncateAfterChunks: 8 },
      ),
    );
    const errors: unknown[] = [];
    const result = streamText({ model: provider(MODEL), prompt, onError: ({ error }) => void errors.push(error) });
    const pieces: string[] = [];
    for await (const piece of result.textStream) pieces.push(piece);
    expect(pieces.join('')).not.toBe('');
    expect('One two three four five six seven.').toContain(pieces.join(''));
    expect(await result.finishReason).toBe('error');
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({ isRetryable: true });
    expect((errors[0] as { code?: string }).code).toMatch(/^stream-(reset|truncated)$/);
    expect(seen()).toHaveLength(1);
  });

  it('before anything visible: the call rejects as retryable, and the retry answers', async () => {
    const { provider, seen } = await aimock((mock) => {
      mock.on({ userMessage: 'Hello', sequenceIndex: 0 }, { content: 'never' }, { latency: 50, disconnectAfterMs: 1 });
      mock.on({ userMessage: 'Hello' }, { content: 'Here again.' });
    });
    const result = streamText({ model: provider(MODEL), prompt, maxRetries: 1 });
    expect(await result.text).toBe('Here again.');
    expect(seen()).toHaveLength(2);
  });
});
