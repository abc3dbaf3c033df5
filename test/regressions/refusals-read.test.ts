import { describe, expect, it } from 'vitest';
import { readRefusal, type Refusal } from '../../src/request/refusals.js';

interface Said {
  readonly message: string;
  readonly param?: string;
  readonly code?: string;
  readonly status?: number;
}

/** What is read from an error in OpenAI's form. */
function read({ message, param, code, status = 400 }: Said): Refusal | undefined {
  const error = { message, type: 'invalid_request_error', param: param ?? null, code: code ?? null };
  return readRefusal({
    statusCode: status,
    message,
    body: JSON.stringify({ error }),
    ...(code === undefined ? {} : { serverCode: code }),
  });
}

const field = (name: string): Refusal => ({ kind: 'field', field: name });

const TAKEN_OUT: readonly (readonly [Said, Refusal])[] = [
  [
    {
      message: "Unsupported parameter: 'temperature' is not supported with this model.",
      param: 'temperature',
    },
    field('temperature'),
  ],
  [{ message: "Unsupported parameter: 'top_p' is not supported with this model." }, field('top_p')],
  [{ message: "Unknown parameter: 'prompt_cache_key'.", code: 'unknown_parameter' }, field('prompt_cache_key')],
  [{ message: "Unknown parameter: 'reasoning.summary'." }, field('reasoning.summary')],
  [{ message: 'Unrecognized request argument supplied: include' }, field('include')],
  [{ message: "Unknown parameter: 'include[0]'." }, field('include')],
  [{ message: 'Not on this server.', code: 'unsupported_parameter', param: 'truncation' }, field('truncation')],
  [{ message: "The parameter 'service_tier' is not supported." }, field('service_tier')],
  [{ message: 'This server does not support the parameter "parallel_tool_calls".' }, field('parallel_tool_calls')],
  [{ message: "Unsupported parameter: 'text.verbosity'", status: 422 }, field('text.verbosity')],
  [{ message: "Invalid schema for function 'look_up': 'x' is not valid." }, { kind: 'tool', name: 'look_up' }],
  [
    { message: 'schema must be an object', param: 'tools[3].function.parameters' },
    { kind: 'tool', index: 3 },
  ],
  [
    { message: "Invalid 'tools[0].name': string does not match pattern.", param: 'tools[0].name' },
    { kind: 'tool', index: 0 },
  ],
  [{ message: "Invalid 'tools[2].name': empty string." }, { kind: 'tool', index: 2 }],
  [
    { message: 'The encrypted content gAAA… could not be verified.', code: 'invalid_encrypted_content' },
    { kind: 'reasoning' },
  ],
  [{ message: 'The encrypted content gAAA… could not be verified. Reason: x.' }, { kind: 'reasoning' }],
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

describe('what is read from a refusal', () => {
  it.each(TAKEN_OUT)('$message names what can be left out', (said, refusal) => {
    expect(read(said)).toEqual(refusal);
  });

  it.each(LEFT_ALONE)('$message names nothing that can', (said) => {
    expect(read(said)).toBeUndefined();
  });

  it.each([401, 403, 413, 429, 500, 503, 200])('nothing, when the status is %s', (status) => {
    expect(read({ message: "Unsupported parameter: 'temperature'", param: 'temperature', status })).toBeUndefined();
    expect(read({ message: 'x', code: 'invalid_encrypted_content', status })).toBeUndefined();
  });

  it('an unknown field in words of its own, from a body that is not OpenAI’s', () => {
    const message = "Extra inputs are not permitted: extra field 'truncation'";
    expect(readRefusal({ statusCode: 422, message, body: JSON.stringify({ detail: message }) })).toEqual(
      field('truncation'),
    );
  });

  it.each([
    ['truncation', ['body', 'truncation']],
    ['reasoning.summary', ['body', 'reasoning', 'summary']],
  ])('the field %s in the list of validation errors that FastAPI servers answer with', (name, loc) => {
    const body = JSON.stringify({ detail: [{ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' }] });
    expect(readRefusal({ statusCode: 422, message: 'Extra inputs', body })).toEqual(field(name));
  });

  it('the same list as Python prints it', () => {
    const list = "[{'type': 'extra_forbidden', 'loc': ('body', 'user'), 'msg': 'Extra inputs are not permitted'}]";
    expect(read({ message: `1 validation error:\n${list}` })).toEqual(field('user'));
  });

  it('nothing from such a list when it is about the input, or about a value', () => {
    const bodyOf = (type: string, loc: unknown[]): string => JSON.stringify({ detail: [{ type, loc, msg: 'no' }] });
    for (const body of [
      bodyOf('extra_forbidden', ['body', 'input', 0, 'status']),
      bodyOf('extra_forbidden', ['body', 'input']),
      bodyOf('less_than_equal', ['body', 'temperature']),
    ])
      expect(readRefusal({ statusCode: 422, message: 'no', body })).toBeUndefined();
  });

  it('nothing from a page or an empty body', () => {
    expect(readRefusal({ statusCode: 400, message: 'The server answered HTTP 400', body: '<html>' })).toBeUndefined();
    expect(readRefusal({ statusCode: 400, message: '', body: '' })).toBeUndefined();
  });
});
