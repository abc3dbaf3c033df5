import { describe, expect, it } from 'vitest';
import { readValue } from '../../../src/cli/mcp/ask-arguments.js';
import { parameterLine, parametersOf } from '../../../src/cli/mcp/parameters.js';

const linesOf = (properties: object, rest: object = {}): readonly string[] =>
  parametersOf({ type: 'object', properties, ...rest }).map(parameterLine);

describe('arguments in words', () => {
  it.each<[string, object, string]>([
    ['a text', { type: 'string' }, 'x: text'],
    ['a number with a default', { type: 'integer', default: 20 }, 'x: a whole number, default 20'],
    ['values', { enum: ['asc', 'desc', 1] }, 'x: "asc", "desc" or 1'],
    ['one value', { const: 'on' }, 'x: "on"'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'x: a list (each item: text)'],
    ['a list of anything', { type: 'array' }, 'x: a list'],
    ['several types', { type: ['string', 'null'] }, 'x: text or null'],
    [
      'alternatives',
      { anyOf: [{ type: 'number' }, { type: 'number' }, { type: 'boolean' }] },
      'x: a number or true or false',
    ],
    ['an object without a type', { properties: { a: {} } }, 'x: an object'],
    ['nothing said', {}, 'x: anything'],
  ])('%s', (_, schema, line) => {
    expect(linesOf({ x: schema })).toEqual([line]);
  });

  it('follows a reference, also one that leads back to itself', () => {
    const $defs = {
      path: { type: 'string', description: 'A path.' },
      loop: { type: 'array', items: { $ref: '#/$defs/loop' } },
    };
    const properties = { file: { $ref: '#/$defs/path' }, deep: { $ref: '#/$defs/loop' } };
    const [file, deep] = parametersOf({ properties, $defs });
    expect(file).toMatchObject({ type: 'text', description: 'A path.' });
    expect(deep?.type).toBe('a list (each item: a list (each item: a list (each item: a list (each item: anything))))');
  });

  it('has those first that are required, and counts values that are too many', () => {
    const many = Array.from({ length: 40 }, (_, at) => at);
    expect(linesOf({ a: { enum: many }, b: { type: 'boolean' } }, { required: ['b'] })).toEqual([
      'b: true or false, required',
      'a: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or 28 others',
    ]);
  });

  it.each([undefined, null, true, 'text', [], { properties: [] }])('finds none in %j', (schema) => {
    expect(parametersOf(schema)).toEqual([]);
  });
});

describe('a line as an argument', () => {
  it.each<[string, object, unknown]>([
    ['12', { type: 'string' }, '12'],
    ['12', { type: 'integer' }, 12],
    ['true', { type: 'boolean' }, true],
    ['true', {}, true],
    ['a b', {}, 'a b'],
    ['"quoted"', { type: 'string' }, '"quoted"'],
    ['["a"]', { type: 'array', items: { type: 'string' } }, ['a']],
    ['desc', { enum: ['asc', 'desc'] }, 'desc'],
    ['"desc"', { enum: ['asc', 'desc'] }, 'desc'],
    ['', { type: 'string' }, ''],
  ])('%j for %j', (line, schema, value) => {
    expect(readValue(line, schema, schema)).toEqual({ value });
  });

  it.each<[string, object]>([
    ['x', { type: 'integer' }],
    ['[1]', { type: 'array', items: { type: 'string' } }],
    ['other', { enum: ['asc', 'desc'] }],
  ])('%j does not fit %j, and why', (line, schema) => {
    expect(readValue(line, schema, schema).issue).toMatch(/^\S.*\.$/);
  });
});
