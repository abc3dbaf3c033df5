import { describe, expect, it } from 'vitest';
import { classifyFailure } from '../../src/errors/classify-failure.js';

describe('what an error inside a 200 stands for', () => {
  it.each<[string, number, boolean]>([
    ['rate_limit_exceeded', 429, true],
    ['rate_limit_error', 429, true],
    ['too_many_requests', 429, true],
    ['insufficient_quota', 429, false],
    ['server_error', 500, true],
    ['SERVER_ERROR', 500, true],
    ['server_is_overloaded', 503, true],
    ['overloaded_error', 503, true],
    ['slow_down', 503, true],
    ['service_unavailable', 503, true],
    ['vector_store_timeout', 504, true],
    ['invalid_api_key', 401, false],
    ['authentication_error', 401, false],
    ['permission_error', 403, false],
    ['model_not_found', 404, false],
    ['invalid_prompt', 400, false],
    ['invalid_encrypted_content', 400, false],
    ['invalid_image_url', 400, false],
    ['context_length_exceeded', 400, false],
    ['exceed_context_size_error', 400, false],
    ['unsupported_image_media_type', 400, false],
    ['image_too_large', 400, false],
    ['empty_image_file', 400, false],
    ['failed_to_download_image', 400, false],
    ['image_content_policy_violation', 400, false],
    ['bio_policy', 400, false],
    ['400', 400, false],
    ['503', 503, true],
    ['something_new', 500, true],
    ['constructor', 500, true],
  ])('%s is a %i, retryable: %s', (serverCode, statusCode, isRetryable) => {
    expect(classifyFailure({ serverCode })).toMatchObject({ statusCode, isRetryable });
  });

  it('nothing at all is a server error', () => {
    expect(classifyFailure({})).toMatchObject({ statusCode: 500, isRetryable: true });
  });
});

describe('what a status means for a retry', () => {
  it.each<[number, boolean]>([
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, true],
    [413, false],
    [422, false],
    [429, true],
    [500, true],
    [502, true],
    [503, true],
    [504, true],
    [529, true],
  ])('%i, retryable: %s', (statusCode, isRetryable) => {
    expect(classifyFailure({ statusCode })).toMatchObject({ statusCode, isRetryable });
  });

  it.each<[number, string, boolean]>([
    [429, 'insufficient_quota', false],
    [429, 'rate_limit_exceeded', true],
    [500, 'invalid_request_error', true],
    [503, 'no_fixture_match', true],
    [400, 'server_error', false],
  ])('%i with %s, retryable: %s', (statusCode, serverCode, isRetryable) => {
    expect(classifyFailure({ statusCode, serverCode })).toMatchObject({ statusCode, isRetryable });
  });
});

describe('what may be tried after a failure', () => {
  it.each([
    [{ statusCode: 401 }, 'another key'],
    [{ statusCode: 402 }, 'another key'],
    [{ statusCode: 403 }, 'another key'],
    [{ statusCode: 429 }, 'later, another key'],
    [{ statusCode: 429, serverCode: 'insufficient_quota' }, 'another key'],
    [{ serverCode: 'invalid_api_key' }, 'another key'],
    [{ statusCode: 503 }, 'later'],
    [{ serverCode: 'server_is_overloaded' }, 'later'],
    [{ statusCode: 409 }, 'later'],
    [{ statusCode: 500 }, 'later, if nothing is kept'],
    [{ statusCode: 504 }, 'later, if nothing is kept'],
    [{ statusCode: 408 }, 'later, if nothing is kept'],
    [{ serverCode: 'timeout' }, 'later, if nothing is kept'],
    [{ statusCode: 400 }, ''],
    [{ statusCode: 404 }, ''],
  ])('%j: %s', (failure, expected) => {
    const { isRetryable, mayFailOver, isReplaySafe } = classifyFailure(failure);
    const later = isRetryable ? (isReplaySafe ? 'later' : 'later, if nothing is kept') : '';
    expect([later, mayFailOver ? 'another key' : ''].filter(Boolean).join(', ')).toBe(expected);
  });
});
