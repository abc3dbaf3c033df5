import { describe, expect, it } from 'vitest';
import { failWith, URL_OF_ALL } from './support/fail-with.js';

describe('error bodies as servers sent them (recorded)', () => {
  // Contents of data/recorded/<server>/error-*.response.json.
  it.each<[string, number, object, string, boolean]>([
    [
      'aimock 401',
      401,
      {
        error: {
          message: 'Incorrect API key provided',
          type: 'invalid_request_error',
          param: null,
          code: 'invalid_api_key',
        },
      },
      'Incorrect API key provided (invalid_api_key)',
      false,
    ],
    [
      'aimock 429',
      429,
      { error: { message: 'Rate limit reached', type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' } },
      'Rate limit reached (rate_limit_exceeded)',
      true,
    ],
    [
      'aimock 500',
      500,
      { error: { message: 'The server had an error', type: 'server_error', param: null, code: 'server_error' } },
      'The server had an error (server_error)',
      true,
    ],
    [
      'aimock malformed JSON',
      400,
      {
        error: {
          message: 'Malformed JSON: Unexpected end of JSON input',
          type: 'invalid_request_error',
          code: 'invalid_json',
        },
      },
      'Malformed JSON: Unexpected end of JSON input (invalid_json)',
      false,
    ],
    [
      'aimock missing input',
      500,
      { error: { message: 'req.input is not iterable', type: 'server_error' } },
      'req.input is not iterable (server_error)',
      true,
    ],
    [
      'aimock no match',
      503,
      {
        error: { message: 'Strict mode: no fixture matched', type: 'invalid_request_error', code: 'no_fixture_match' },
      },
      'Strict mode: no fixture matched (no_fixture_match)',
      true,
    ],
    [
      'codex proxy and llama-server missing input',
      400,
      { error: { code: 400, message: "'input' is required", type: 'invalid_request_error' } },
      "'input' is required (invalid_request_error)",
      false,
    ],
    [
      'llama-server assistant without type, item reference',
      400,
      { error: { code: 400, message: "Cannot determine type of 'item'", type: 'invalid_request_error' } },
      "Cannot determine type of 'item' (invalid_request_error)",
      false,
    ],
    [
      'llama-server bad schema',
      400,
      {
        error: {
          code: 400,
          message:
            'Unable to generate parser for this template. Automatic parser generation failed: JSON schema error at #/properties/a: cannot resolve $ref #/nope, nope not found',
          type: 'invalid_request_error',
        },
      },
      'cannot resolve $ref #/nope',
      false,
    ],
    [
      'llama-server context overflow',
      400,
      {
        error: {
          code: 400,
          message: 'request (9017 tokens) exceeds the available context size (8192 tokens), try increasing it',
          type: 'exceed_context_size_error',
          n_prompt_tokens: 9017,
          n_ctx: 8192,
        },
      },
      '(exceed_context_size_error)',
      false,
    ],
    [
      'llama-server image',
      500,
      {
        error: {
          code: 500,
          message: 'image input is not supported - hint: if this is unexpected, you may need to provide the mmproj',
          type: 'server_error',
        },
      },
      'image input is not supported',
      true,
    ],
    [
      'llama-server input_file',
      400,
      {
        error: {
          code: 400,
          message: "'input_file' is not supported by llamacpp at this moment",
          type: 'invalid_request_error',
        },
      },
      "'input_file' is not supported",
      false,
    ],
    [
      'llama-server malformed JSON',
      500,
      {
        error: {
          code: 500,
          message:
            "[json.exception.parse_error.101] parse error at line 1, column 31: syntax error while parsing value - unexpected end of input; expected '[', '{', or a literal",
          type: 'server_error',
        },
      },
      'parse error at line 1',
      true,
    ],
    [
      'llama-server previous_response_id',
      400,
      {
        error: {
          code: 400,
          message: "llama.cpp does not support 'previous_response_id'.",
          type: 'invalid_request_error',
        },
      },
      "does not support 'previous_response_id'",
      false,
    ],
    [
      'llama-server reasoning, encrypted only',
      400,
      { error: { code: 400, message: "item['content'] is not an array", type: 'invalid_request_error' } },
      "item['content'] is not an array",
      false,
    ],
  ])('%s', async (_name, status, body, message, isRetryable) => {
    const error = await failWith({ status, body });
    expect(error).toMatchObject({
      statusCode: status,
      isRetryable,
      url: URL_OF_ALL,
      responseBody: JSON.stringify(body),
      requestBodyValues: { model: 'm' },
      round: 2,
      code: 'api-error',
    });
    expect(error.message).toContain(message);
    expect(error.message).toContain(URL_OF_ALL);
  });
});
