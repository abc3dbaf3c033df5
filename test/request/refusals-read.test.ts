import { ownWords } from '../../src/core/clean-text.js';
import { Redactor } from '../../src/observe/redactor.js';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { readRefused, type Refusal, type Refused } from '../../src/request/refusals.js';
import { toApiError } from '../../src/stream/decode-failure.js';

interface Said {
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
  readonly status?: number;
}

/** What is read from an error body, where the request was an empty one. */
function readBody(body: unknown, statusCode = 400, request: JsonObject = {}): Refused | undefined {
  return readRefused(
    toApiError(body, { url: ownWords('https://a.test/v1/responses'), statusCode, redactor: Redactor.NONE }),
    request,
  );
}

/** The same in OpenAI's form. */
function read({ message, param, code, status }: Said): Refused | undefined {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null };
  return readBody({ error }, status);
}

const field = (name: string): Refusal => ({ kind: 'field', field: name });

/** The server names it in `param`, so it holds for later calls too. */
const NAMED: readonly (readonly [Said, Refusal])[] = [
  [
    { message: "Unsupported parameter: 'temperature' is not supported with this model.", param: 'temperature' },
    field('temperature'),
  ],
  [{ message: 'Not on this server.', code: 'unsupported_parameter', param: 'truncation' }, field('truncation')],
  [{ message: 'Not on this server.', code: 'unknown_parameter', param: 'store' }, field('store')],
  [{ message: "Unknown parameter: 'include[0]'.", param: 'include[0]' }, field('include')],
  [{ message: 'Encrypted content is not supported with this model.', param: 'include' }, field('include')],
  [
    { message: 'schema must be an object', param: 'tools[3].function.parameters' },
    { kind: 'tool', index: 3 },
  ],
  [
    { message: "Invalid 'tools[0].name': string does not match pattern.", param: 'tools[0].name' },
    { kind: 'tool', index: 0 },
  ],
  [
    { message: 'The encrypted content gAAA… could not be verified.', code: 'invalid_encrypted_content' },
    { kind: 'reasoning' },
  ],
];

/** It is only said so in words, which may be somebody's. */
const SAID: readonly (readonly [Said, Refusal])[] = [
  [{ message: "Unsupported parameter: 'top_p' is not supported with this model." }, field('top_p')],
  [{ message: "Unknown parameter: 'prompt_cache_key'.", code: 'unknown_parameter' }, field('prompt_cache_key')],
  [{ message: "Unknown parameter: 'reasoning.summary'." }, field('reasoning.summary')],
  [{ message: 'Unrecognized request argument supplied: include' }, field('include')],
  [{ message: "Unknown parameter: 'include[0]'." }, field('include')],
  [{ message: 'Encrypted content is not supported with this model.' }, field('include')],
  [{ message: "The parameter 'service_tier' is not supported." }, field('service_tier')],
  [{ message: 'This server does not support the parameter "parallel_tool_calls".' }, field('parallel_tool_calls')],
  [{ message: "Unsupported parameter: 'text.verbosity'", status: 422 }, field('text.verbosity')],
  [{ message: "Invalid schema for function 'look_up': 'x' is not valid." }, { kind: 'tool', name: 'look_up' }],
  [{ message: "Invalid 'tools[2].name': empty string." }, { kind: 'tool', index: 2 }],
  [{ message: 'The encrypted content gAAA… could not be verified. Reason: x.' }, { kind: 'reasoning' }],
  [{ message: 'The encrypted content for item rs_1 could not be verified.' }, { kind: 'reasoning' }],
];

const LEFT_ALONE: readonly Said[] = [
  { message: "Unknown parameter: 'input[1].status'.", param: 'input[1].status', code: 'unknown_parameter' },
  { message: "llama.cpp does not support 'previous_response_id'." },
  { message: "Unknown parameter: 'model'.", param: 'model', code: 'unknown_parameter' },
  {
    message: "Invalid 'temperature': decimal above maximum value. Expected a value <= 2, but got 3 instead.",
    param: 'temperature',
    code: 'decimal_above_max_value',
  },
  {
    message: "Unsupported value: 'reasoning.effort' does not support 'minimal' with this model.",
    param: 'reasoning.effort',
    code: 'unsupported_value',
  },
  { message: "Unsupported value: 'temperature' is not supported with this model.", code: 'unsupported_value' },
  { message: "Invalid value: 'fast'. Supported values are: 'auto' and 'default'.", param: 'service_tier' },
  { message: "Invalid type for 'metadata': expected one of an object or null.", param: 'metadata' },
  { message: "Tool choice 'x' not found in 'tools' parameter: tools[0].", param: 'tool_choice' },
  {
    message: "Invalid parameters for function 'look_up': not JSON.",
    param: 'input[3].arguments',
  },
  { message: "No tool output found for function call 'call_1'.", param: 'input' },
  { message: 'The model is overloaded.' },
];

/** What says whose request it is and what may be kept of it. */
const PROTECTING = ['store', 'safety_identifier', 'moderation', 'user', 'prompt_cache_retention'];

describe('what is read from a refusal', () => {
  it.each(NAMED)('$message names what can be left out, for later calls too', (said, refusal) => {
    expect(read(said)).toEqual({ refusals: [refusal], isNamed: true });
  });

  it.each(SAID)('$message says what can be left out, for this call', (said, refusal) => {
    expect(read(said)).toEqual({ refusals: [refusal], isNamed: false });
  });

  it.each(LEFT_ALONE)('$message names nothing that can', (said) => {
    expect(read(said)).toBeUndefined();
  });

  it.each(PROTECTING)('%s only where a code says that the server does not know it', (name) => {
    const message = `Unknown parameter: '${name}'.`;
    expect(read({ message })).toBeUndefined();
    expect(read({ message, code: 'unknown_parameter' })).toBeUndefined();
    expect(read({ message, param: name })).toBeUndefined();
    expect(read({ message: 'No.', param: name, code: 'unknown_parameter' })).toEqual({
      refusals: [field(name)],
      isNamed: true,
    });
  });

  it.each([401, 403, 413, 429, 500, 503, 200])('nothing, when the status is %s', (status) => {
    expect(read({ message: "Unsupported parameter: 'temperature'", param: 'temperature', status })).toBeUndefined();
    expect(read({ message: 'x', code: 'invalid_encrypted_content', status })).toBeUndefined();
  });

  it('all tools that an error names, wherever it lists them', () => {
    const tools = (...indexes: number[]) => ({
      refusals: indexes.map((index) => ({ kind: 'tool', index })),
      isNamed: true,
    });
    expect(read({ message: 'No.', param: 'tools[1], tools[3]' })).toEqual(tools(1, 3));
    const errors = [{ param: 'tools[0].name' }, { param: 'tools[4].parameters' }];
    expect(readBody({ error: { message: 'No.', details: errors } })).toEqual(tools(0, 4));
    const detail = [2, 5].map((index) => ({ type: 'missing', loc: ['body', 'tools', index, 'name'], msg: 'Required' }));
    expect(readBody({ detail }, 422)).toEqual(tools(2, 5));
  });

  it('an unknown field in words of its own, from a body that is not OpenAI’s', () => {
    const detail = "Extra inputs are not permitted: extra field 'truncation'";
    expect(readBody({ detail }, 422)).toEqual({ refusals: [field('truncation')], isNamed: false });
  });

  it('all fields in the list of validation errors that FastAPI servers answer with', () => {
    const detail = [
      ['body', 'truncation'],
      ['body', 'reasoning', 'summary'],
    ].map((loc) => ({ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }));
    const refusals = [field('truncation'), field('reasoning.summary')];
    expect(readBody({ detail }, 422)).toEqual({ refusals, isNamed: true });
  });

  it.each([
    ["('body', 'truncation')", 'truncation'],
    ["('body', 'reasoning', 'summary')", 'reasoning.summary'],
  ])('the same list as Python prints it: %s', (loc, name) => {
    const list = `[{'type': 'extra_forbidden', 'loc': ${loc}, 'msg': 'Extra inputs are not permitted'}]`;
    expect(read({ message: `1 validation error:\n${list}` })).toEqual({ refusals: [field(name)], isNamed: false });
  });

  it('nothing from such a list when it is about the input, or about a value', () => {
    const detailOf = (type: string, loc: unknown[]) => ({ detail: [{ type, loc, msg: 'no' }] });
    for (const body of [
      detailOf('extra_forbidden', ['body', 'input', 0, 'status']),
      detailOf('extra_forbidden', ['body', 'input']),
      detailOf('less_than_equal', ['body', 'temperature']),
    ])
      expect(readBody(body, 422)).toBeUndefined();
  });

  it('nothing from words that stand in the request', () => {
    const message = "Could not process: does not support 'truncation'";
    const error = { error: { message, type: 'invalid_request_error', param: null, code: null } };
    const input = [
      { role: 'user', content: [{ type: 'input_text', text: "It does not support 'truncation', I think." }] },
    ];
    expect(readBody(error)).toEqual({ refusals: [field('truncation')], isNamed: false });
    expect(readBody(error, 400, { input })).toBeUndefined();
  });

  it('nothing for later calls from a param that is a text of the request', () => {
    const named = (param: string) => ({ error: { message: 'No.', param, code: 'unknown_parameter' } });
    const request = {
      input: [
        { role: 'user', content: 'truncation' },
        { role: 'user', content: 'store' },
      ],
    };
    expect(readBody(named('truncation'), 400, request)).toMatchObject({ isNamed: false });
    expect(readBody(named('store'), 400, request)).toEqual({ refusals: [], isNamed: false });
  });

  it('nothing from a page or an empty body', () => {
    expect(readBody({ error: { message: 'The server answered HTTP 400' } })).toBeUndefined();
    expect(readBody(undefined)).toBeUndefined();
  });
});
