import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkArguments } from '../../../src/tools/schema/check-arguments.js';
import { few } from './support.js';

const complaints = (schema: unknown, value: unknown): string[] =>
  checkArguments(schema, value).map(({ path, message }) => `${path.join('.')}: ${message}`);

const p = (schema: unknown): object => ({ type: 'object', properties: { p: schema } });

describe('arguments held against a JSON schema', () => {
  it.each<[string, unknown, unknown, string[]]>([
    ['a type', p({ type: 'string' }), { p: 5 }, ['p: must be a string, not a number']],
    ['types', p({ type: ['string', 'null'] }), { p: [] }, ['p: must be a string or null, not an array']],
    ['an integer', p({ type: 'integer' }), { p: 1.5 }, ['p: must be an integer, not a number']],
    ['what is missing', { required: ['a', 'b'] }, { a: 1 }, [': needs "b"']],
    ['one of a list', p({ enum: ['x', { y: [1] }] }), { p: 'z' }, ['p: must be one of "x", {"y":[1]}']],
    ['a constant', p({ const: 1 }), { p: 2 }, ['p: must be 1']],
    ['in a list', p({ items: { type: 'number' } }), { p: [1, 'x'] }, ['p.1: must be a number, not a string']],
    [
      'in a tuple',
      p({ prefixItems: [{}, { type: 'number' }] }),
      { p: [1, 'x'] },
      ['p.1: must be a number, not a string'],
    ],
    [
      'a parameter too many',
      { properties: { a: {} }, additionalProperties: false },
      { b: 1 },
      ['b: is not a parameter of this tool'],
    ],
    ['a map', { additionalProperties: { type: 'number' } }, { b: 'x' }, ['b: must be a number, not a string']],
    ['bounds', p({ minimum: 2, maximum: 1 }), { p: 1.5 }, ['p: must be at least 2', 'p: must be at most 1']],
    ['a length in characters', p({ minLength: 2 }), { p: '🦆' }, ['p: needs a length of at least 2']],
    ['a pattern', p({ pattern: '^a' }), { p: 'b' }, ['p: must match ^a']],
    ['allOf', p({ allOf: [{ type: 'number' }, { minimum: 3 }] }), { p: 2 }, ['p: must be at least 3']],
    [
      'no alternative',
      p({ anyOf: [{ type: 'number' }, { type: 'null' }] }),
      { p: 'x' },
      ['p: must be a number, not a string, or must be null, not a string'],
    ],
    [
      'the nearest alternative',
      p({ oneOf: [{ type: 'null' }, p({ type: 'number' })] }),
      { p: { p: 'x' } },
      ['p.p: must be a number, not a string'],
    ],
    [
      'a reference',
      { ...p({ $ref: '#/$defs/d' }), $defs: { d: { type: 'number' } } },
      { p: 'x' },
      ['p: must be a number, not a string'],
    ],
    [
      'a parameter called __proto__',
      JSON.parse('{"properties":{"__proto__":{"type":"number"}}}'),
      JSON.parse('{"__proto__":"x"}'),
      ['__proto__: must be a number, not a string'],
    ],
  ])('%s', (_name, schema, value, expected) => {
    expect(complaints(schema, value)).toEqual(expected);
  });

  const wide = {
    $ref: '#/$defs/L0',
    $defs: Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `L${n}`,
        { anyOf: [{ $ref: `#/$defs/L${n + 1}` }, { $ref: `#/$defs/L${n + 1}` }] },
      ]),
    ),
  };

  it('alternatives of alternatives do not multiply: what a value is held against is looked at once', () => {
    const schema = { ...wide, $defs: { ...wide.$defs, L40: { type: 'string' } } };
    expect(complaints(schema, {})).toEqual([': must be a string, not an object']);
    expect(complaints(schema, 'x')).toEqual([]);
  });

  const tree = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        anyOf: ['and', 'or', 'not'].map((kind) => ({
          type: 'object',
          required: ['kind'],
          additionalProperties: false,
          properties: { kind: { const: kind }, of: { type: 'array', items: { $ref: '#/$defs/node' } } },
        })),
      },
    },
  };
  const nested = (depth: number, inner: unknown): unknown =>
    Array.from({ length: depth }).reduce<unknown>((of) => ({ kind: 'not', of: [of] }), inner);

  it('a tree whose nodes are of several kinds is checked to its leaves, as deep as arguments may be', () => {
    expect(complaints(tree, nested(200, { kind: 'or' }))).toEqual([]);
    expect(complaints(tree, nested(200, { kind: 'xor' }))).toHaveLength(1);
  });

  const many = { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } };

  it('arguments of any size are checked completely', () => {
    const schema = { properties: { path: { enum: ['/data'] }, tags: many } };
    expect(complaints(schema, { path: '/etc', tags: Array(50_000).fill(null) })).toEqual([
      'path: must be one of "/data"',
    ]);
    expect(complaints(schema, { path: '/data', tags: Array(50_000).fill(null) })).toEqual([]);
  });

  it('arguments that need too many comparisons are rejected, and the reason states how many', () => {
    const alternatives = Array.from({ length: 1_000 }, (_, n) => ({ type: 'string', minLength: n + 3 }));
    const [problem] = complaints({ items: { anyOf: alternatives } }, Array(2_000).fill('ab'));
    expect(problem).toBe(': are too large to check: that took more than 500200 comparisons');
  });

  it('a string or property name that is too long for its pattern is rejected', () => {
    const schema = { ...p({ pattern: '^([a-z]+)*$' }), patternProperties: { '^x': {} }, additionalProperties: false };
    expect(complaints(schema, { p: 'a'.repeat(10_001) })).toEqual([
      'p: is too long to check: it must match ^([a-z]+)*$, and may have 10000 characters',
    ]);
    const name = 'x'.repeat(10_001);
    expect(complaints(schema, { [name]: 1 })).toEqual([`${name}: has a name that is too long to check`]);
  });

  it('a schema whose property is no schema asks for nothing', () => {
    expect(complaints({ properties: { a: 'text' } }, { a: 1 })).toEqual([]);
  });

  it.each<[string, unknown, unknown]>([
    ['unknown keywords', { what: 1, type: 'object' }, {}],
    ['an unknown type', p({ type: 'any' }), { p: 1 }],
    ['a pattern that does not compile', p({ pattern: '(' }), { p: 'x' }],
    [
      'names by a pattern that does not compile',
      { patternProperties: { '(': {} }, additionalProperties: false },
      { x: 1 },
    ],
    ['a reference to nowhere', p({ $ref: '#/none' }), { p: 1 }],
    ['a reference to itself', { $ref: '#' }, { p: 1 }],
    ['OpenAPI nullable', p({ type: 'string', nullable: true }), { p: null }],
    ['more than one of oneOf', p({ oneOf: [{}, {}] }), { p: 1 }],
    ['1.0 as an integer', p({ type: 'integer' }), { p: 1.0 }],
    ['no schema', undefined, 1],
  ])('are never refused for %s', (_name, schema, value) => {
    expect(complaints(schema, value)).toEqual([]);
  });
});

interface Fit {
  readonly schema: object;
  readonly value: unknown;
}

/** A schema, and a value made to fit it. */
const fitting = fc.letrec<{ any: Fit }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    fc
      .string()
      .map((value): Fit => ({ schema: { type: 'string', minLength: [...value].length, enum: [value, 1] }, value })),
    fc
      .integer()
      .map((value): Fit => ({ schema: { type: ['integer', 'null'], minimum: value, maximum: value }, value })),
    fc.constant<Fit>({ schema: { const: null }, value: null }),
    fc.array(tie('any'), { maxLength: 3 }).map((fits): Fit => ({
      schema: { type: 'array', prefixItems: fits.map(({ schema }) => schema), items: false },
      value: fits.map(({ value }) => value),
    })),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('any'), { maxKeys: 3 })
      .map((fits): Fit => {
        const entries = Object.entries(fits);
        const schema = {
          type: 'object',
          properties: Object.fromEntries(entries.map(([name, fit]) => [name, fit.schema])),
          required: entries.map(([name]) => name),
          additionalProperties: false,
        };
        return { schema, value: Object.fromEntries(entries.map(([name, fit]) => [name, fit.value])) };
      }),
    fc
      .tuple(tie('any'), tie('any'))
      .map(([fit, other]): Fit => ({ schema: { anyOf: [other.schema, fit.schema] }, value: fit.value })),
    tie('any').map((fit): Fit => ({ schema: { allOf: [fit.schema, {}] }, value: fit.value })),
  ),
})).any;

const scalar = fc.constantFrom<unknown>('', 'a', 'ab', 0, 1, 1.5, -1, true, null);
const anyValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { noNullPrototype: true }),
  ),
})).value;
/** The definition refers to nothing: Ajv would follow a reference to itself until the stack ends. */
const anyCheck = (refers: boolean): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.constantFrom<unknown>(true, {}, refers ? { $ref: '#/$defs/x' } : {}),
      few({
        type: fc.constantFrom<unknown>(
          'object',
          'array',
          'string',
          'integer',
          'number',
          ['string', 'null'],
          ['object', 'boolean'],
        ),
        properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
        patternProperties: fc.dictionary(fc.constantFrom('^c', 'a'), tie('schema')),
        additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
        required: fc.uniqueArray(fc.constantFrom('a', 'b')),
        items: tie('schema'),
        enum: fc.uniqueArray(scalar, { minLength: 1 }),
        const: anyValue,
        minimum: fc.integer({ min: -1, max: 2 }),
        maximum: fc.integer({ min: -1, max: 2 }),
        minLength: fc.nat(2),
        maxLength: fc.nat(2),
        pattern: fc.constantFrom('^a', 'b$', '.'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }),
        allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
        not: tie('schema'),
      }),
    ),
  })).schema;

describe('for any schema and value', () => {
  it('what fits is never complained about', () => {
    fc.assert(
      fc.property(fitting, ({ schema, value }) => {
        expect(complaints(schema, value)).toEqual([]);
      }),
    );
  });

  it('a complaint is one that Ajv has too', () => {
    const ajv = new AjvJsonSchemaValidator();
    let complained = 0;
    fc.assert(
      fc.property(anyCheck(true), anyCheck(false), anyValue, (schema, definition, value) => {
        const document = { allOf: [schema], $defs: { x: definition } };
        const issues = complaints(document, value);
        if (issues.length === 0) return;
        complained += 1;
        expect(ajv.getValidator(document as object)(value).valid, issues.join('\n')).toBe(false);
      }),
      { numRuns: 200 },
    );
    expect(complained).toBeGreaterThan(20);
  });
});
