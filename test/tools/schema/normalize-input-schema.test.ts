import { describe, expect, it } from 'vitest';
import { normalizeInputSchema } from '../../../src/tools/schema/normalize-input-schema.js';

function normalized(schema: unknown): object {
  const result = normalizeInputSchema(schema);
  if (!result.ok) throw new Error(result.reason);
  return result.schema;
}

const EMPTY = { type: 'object', properties: {} };

describe('the root is an object with properties', () => {
  it.each<[string, unknown, object]>([
    ['nothing', undefined, EMPTY],
    ['null', null, EMPTY],
    ['true', true, EMPTY],
    ['an empty schema', {}, EMPTY],
    ['a bare object', { type: 'object' }, EMPTY],
    ['the $schema mark', { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, EMPTY],
    ['a nullable object', { type: ['object', 'null'] }, EMPTY],
    [
      'properties without a type',
      { properties: { a: { type: 'string' } } },
      { type: 'object', properties: { a: { type: 'string' } } },
    ],
    [
      'anyOf',
      {
        anyOf: [
          { type: 'object', properties: { id: { type: 'string' }, k: {} }, required: ['id', 'k'] },
          { type: 'object', properties: { name: { type: 'string' }, k: {} }, required: ['name', 'k'] },
        ],
      },
      {
        type: 'object',
        description: 'Arguments that belong together: { id, k } or { name, k }.',
        properties: { id: { type: 'string' }, k: {}, name: { type: 'string' } },
        required: ['k'],
      },
    ],
    [
      'allOf',
      {
        description: 'D',
        allOf: [
          { properties: { a: {} }, required: ['a'] },
          { properties: { b: {} }, required: ['b'] },
        ],
      },
      { description: 'D', type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b'] },
    ],
    [
      'oneOf with different ideas of one property',
      {
        type: 'object',
        oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { type: 'number' } } }, { type: 'null' }],
      },
      {
        type: 'object',
        description: 'Arguments that belong together: { a? } or { a? }.',
        properties: { a: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
      },
    ],
    [
      'a condition',
      {
        type: 'object',
        properties: { a: {} },
        if: { properties: { a: { const: 1 } } },
        then: { properties: { b: {} }, required: ['b'] },
        not: {},
      },
      { type: 'object', properties: { a: {}, b: {} } },
    ],
    [
      'a reference at the root',
      { $ref: '#/definitions/Args', definitions: { Args: { type: 'object', properties: { a: { type: 'number' } } } } },
      { type: 'object', properties: { a: { type: 'number' } } },
    ],
  ])('%s', (_name, schema, expected) => {
    expect(normalized(schema)).toEqual(expected);
  });

  it.each<[string, unknown]>([
    ['a string', { type: 'string' }],
    ['an array', { type: 'array', items: {} }],
    ['only branches that are no objects', { anyOf: [{ type: 'string' }, { type: 'number' }] }],
    ['a list', []],
    ['a text', 'object'],
    ['false', false],
  ])('%s cannot be the arguments of a call', (_name, schema) => {
    expect(normalizeInputSchema(schema)).toMatchObject({ ok: false, reason: expect.any(String) });
  });
});

describe('nested schemas that hosts refuse are mended', () => {
  it.each<[string, unknown, unknown]>([
    ['a JSON null type', { type: null, description: 'x' }, { description: 'x' }],
    ['a JSON null among the types', { type: ['string', null] }, { type: 'string' }],
    ['the type "null", which is one', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    ['null keywords', { type: 'string', enum: null, default: null }, { type: 'string', default: null }],
    ['an array without items', { type: 'array' }, { type: 'array', items: {} }],
    [
      'tuple items',
      { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
      { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } },
    ],
    [
      'a missing object type',
      { properties: { b: { enum: ['x'] } } },
      { type: 'object', properties: { b: { type: 'string', enum: ['x'] } } },
    ],
    ['true as a schema', { type: 'array', items: true }, { type: 'array', items: {} }],
    ['required as a flag', { type: 'string', required: true }, { type: 'string' }],
    [
      'a nested combinator, which may stay',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
    ],
    ['a dangling reference', { $ref: '#/$defs/None', description: 'x' }, { description: 'x' }],
    ['a reference out of the document', { $ref: 'https://example.com/schema.json' }, {}],
    ['a free-form object stays open', { type: 'object' }, { type: 'object' }],
    [
      'what was closed stays closed',
      { type: 'object', additionalProperties: false },
      { type: 'object', additionalProperties: false },
    ],
    ['a format', { type: 'string', format: 'uri' }, { type: 'string', format: 'uri' }],
  ])('%s', (_name, property, expected) => {
    const schema = { type: 'object', properties: { p: property }, $defs: { 'A/B': { type: 'string' } } };
    expect(normalized(schema)).toEqual({ type: 'object', properties: { p: expected } });
  });

  it('a reference into anything leads to a definition that is sent along', () => {
    const properties = {
      p: { $ref: '#/$defs/A~1B' },
      q: { $ref: '#/properties/r', description: 'As r.' },
      r: { type: 'number' },
    };
    expect(normalized({ type: 'object', properties, $defs: { 'A/B': { type: 'string' } } })).toEqual({
      type: 'object',
      properties: {
        p: { $ref: '#/$defs/A_B' },
        q: { description: 'As r.', allOf: [{ $ref: '#/$defs/properties_r' }] },
        r: { type: 'number' },
      },
      $defs: { A_B: { type: 'string' }, properties_r: { type: 'number' } },
    });
  });

  it('a reference in the `dependencies` of an old draft leads to its definition, and names there stay names', () => {
    const dependencies = { x: { $ref: '#/definitions/y' }, z: ['q'] };
    const p = { type: 'object', dependencies };
    expect(normalized({ properties: { p }, definitions: { y: { type: 'string' } } })).toEqual({
      type: 'object',
      properties: { p: { type: 'object', dependencies: { x: { $ref: '#/$defs/y' }, z: ['q'] } } },
      $defs: { y: { type: 'string' } },
    });
  });

  it('leaves a cyclic reference in place, with its definition', () => {
    const node = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/Node' } } } };
    expect(
      normalized({ type: 'object', properties: { tree: { $ref: '#/$defs/Node' } }, $defs: { Node: node, Unused: {} } }),
    ).toEqual({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/Node' } },
      $defs: { Node: node },
    });
  });

  it('survives a reference to the root, a reference to itself, and definitions that fan out without end', () => {
    expect(normalized({ type: 'object', properties: { child: { $ref: '#' } } })).toEqual({
      type: 'object',
      properties: { child: { $ref: '#' } },
    });
    expect(normalized({ $ref: '#' })).toEqual(EMPTY);
    expect(normalized({ $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } })).toEqual(EMPTY);
    const levels = Array.from({ length: 30 }, (_, n) => [
      `L${n}`,
      { type: 'object', properties: { a: { $ref: `#/$defs/L${n + 1}` }, b: { $ref: `#/$defs/L${n + 1}` } } },
    ]);
    const wide = {
      type: 'object',
      properties: { x: { $ref: '#/$defs/L0' } },
      $defs: { ...Object.fromEntries(levels), L30: { type: 'string' } },
    };
    expect(normalized(wide)).toEqual(wide);
  });
});

describe('only keyword positions are schemas', () => {
  it('parameters called like keywords survive', () => {
    const properties = Object.fromEntries(
      [
        'properties',
        'type',
        'required',
        'items',
        '$ref',
        '$schema',
        'anyOf',
        'enum',
        'default',
        '__proto__',
        'constructor',
      ].map((name) => [name, { type: 'string', description: name }]),
    );
    const schema = { type: 'object', properties, required: ['type', 'properties'] };
    expect(JSON.stringify(normalized(schema))).toBe(JSON.stringify(schema));
  });

  it('data is left as it is', () => {
    const property = {
      type: 'object',
      default: { type: null, properties: 5, $schema: 'x' },
      examples: [{ items: [1, 2] }],
      enum: [null, { type: null }],
    };
    expect(normalized({ properties: { p: property } })).toEqual({ type: 'object', properties: { p: property } });
  });
});
