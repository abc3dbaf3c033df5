import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { schemaProblem } from './schema-problem.js';
import { normalizeInputSchema } from '../../../src/tools/schema/normalize-input-schema.js';
import { anySchema } from './support.js';

function normalized(schema: unknown): Record<string, unknown> {
  const result = normalizeInputSchema(schema);
  if (!result.ok) throw new Error(result.reason);
  return result.schema;
}

const text = { type: 'string' };
const nested = (levels: number): object =>
  levels === 0 ? text : { type: 'object', properties: { in: nested(levels - 1) } };
const withProperty = (name: string, schema: unknown): object =>
  Object.fromEntries([
    ['type', 'object'],
    ['properties', Object.fromEntries([[name, schema]])],
  ]);
const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/tree' } } } };
const holdsItself: Record<string, unknown> = { type: 'object', properties: { a: text } };
(holdsItself['properties'] as Record<string, unknown>)['self'] = holdsItself;

const shared = { s: { type: 'object', properties: { t: text } } };
const sharing = Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`p${n}`, { $ref: '#/$defs/s' }]));
/** Too many references to be put in their places, until the branches, which are all alike, have become one. */
const STAYING = { anyOf: Array.from({ length: 30 }, () => ({ type: 'object', properties: sharing })), $defs: shared };

const CORPUS: readonly (readonly [string, unknown, readonly string[]])[] = [
  ['a bare object', { type: 'object' }, []],
  ['an empty schema', {}, []],
  ['no schema', undefined, []],
  ['anyOf at the root', { anyOf: [withProperty('a', text), withProperty('b', text)] }, ['a', 'b']],
  ['oneOf at the root', { oneOf: [withProperty('a', text), withProperty('b', text)] }, ['a', 'b']],
  ['allOf at the root', { allOf: [withProperty('a', text), withProperty('b', text)] }, ['a', 'b']],
  ['enum at the root', { ...withProperty('a', text), enum: [{ a: 'x' }] }, ['a']],
  ['const at the root', { ...withProperty('a', text), const: { a: 'x' } }, ['a']],
  ['not at the root', { ...withProperty('a', text), not: { required: ['b'] } }, ['a']],
  ['a condition at the root', { if: withProperty('a', { const: 1 }), then: withProperty('b', text) }, ['a', 'b']],
  ['a required parameter of a closed object that has none', { additionalProperties: false, required: ['a'] }, []],
  ['a parameter that is only required', { ...withProperty('a', text), required: ['a', 'b'] }, ['a', 'b']],
  ['a reference', { ...withProperty('a', { $ref: '#/$defs/x' }), $defs: { x: text } }, ['a']],
  ['a cyclic reference', { ...withProperty('a', { $ref: '#/$defs/tree' }), $defs: { tree } }, ['a']],
  ['a cyclic reference at the root', { $ref: '#/$defs/tree', $defs: { tree } }, ['children']],
  ['a reference to a place that moves', { allOf: [withProperty('a', { $ref: '#/allOf/0' })] }, ['a']],
  ['a reference to nowhere', withProperty('a', { $ref: '#/$defs/none' }), ['a']],
  ['a JSON null type', withProperty('a', { type: null }), ['a']],
  ['a list of types', withProperty('a', { type: ['string', 'null', null] }), ['a']],
  ['a type nobody knows', withProperty('a', { type: 'any' }), ['a']],
  ['a tuple', withProperty('a', { type: 'array', items: [text, { type: 'number' }] }), ['a']],
  ['no type', withProperty('a', { description: 'x' }), ['a']],
  ['an empty enum', withProperty('a', { enum: [] }), ['a']],
  ['an empty anyOf', withProperty('a', { anyOf: [] }), ['a']],
  ['bounds of draft 4', withProperty('a', { type: 'number', minimum: 1, exclusiveMinimum: true }), ['a']],
  ['boolean subschemas', withProperty('a', { type: 'array', items: false, contains: true, not: false }), ['a']],
  ...['properties', 'type', 'required', '$ref', '__proto__', 'constructor'].map(
    (name) => [`a parameter called ${name}`, withProperty(name, text), [name]] as const,
  ),
  ['a free-form object', withProperty('a', { type: 'object', additionalProperties: true }), ['a']],
  ['a format', withProperty('a', { type: 'string', format: 'uri' }), ['a']],
  ['depth 12', nested(12), ['in']],
  [
    '1,000 parameters',
    { type: 'object', properties: Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`p${i}`, text])) },
    ['p0', 'p999'],
  ],
  ['an object that holds itself', holdsItself, ['a', 'self']],
  [
    'what is not JSON',
    withProperty('a', { type: 'string', default: undefined, x: () => 1, y: 1n, z: Number.NaN }),
    ['a'],
  ],
];

describe('the corpus', () => {
  it.each(CORPUS)('%s becomes acceptable', (_name, schema, names) => {
    const output = normalized(schema);
    expect(schemaProblem(output)).toBeUndefined();
    expect(schemaProblem(JSON.parse(JSON.stringify(output)))).toBeUndefined();
    expect(Object.keys(output['properties'] as object)).toEqual(expect.arrayContaining([...names]));
    expect(normalized(output)).toEqual(output);
  });

  it('the format, and that an object is free-form, are left as they are', () => {
    const schema = withProperty('a', { type: 'string', format: 'uri' });
    expect(normalized(schema)).toEqual(schema);
    expect(JSON.stringify(normalized(withProperty('a', { type: 'object' })))).not.toContain('additionalProperties');
  });

  it('alternatives at the root that are references keep their parameters when references stay in place', () => {
    const levels = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [
        `L${n}`,
        {
          type: 'object',
          properties: { [`p${n}`]: text, a: { $ref: `#/$defs/L${n + 1}` }, b: { $ref: `#/$defs/L${n + 1}` } },
        },
      ]),
    );
    const output = normalized({
      anyOf: [{ $ref: '#/$defs/L0' }, { $ref: '#/$defs/L1' }],
      $defs: { ...levels, L12: text },
    });
    expect(Object.keys(output['properties'] as object).toSorted()).toEqual(['a', 'b', 'p0', 'p1']);
    expect(JSON.stringify(output)).toContain('"$ref":"#/$defs/L2"');
    expect(schemaProblem(output)).toBeUndefined();
  });

  it('what stands beside a cyclic reference is kept', () => {
    const schema = {
      ...withProperty('a', { $ref: '#/$defs/tree', description: 'the left one', properties: { more: text } }),
      $defs: { tree },
    };
    expect(normalized(schema)['properties']).toEqual({
      a: { type: 'object', description: 'the left one', properties: { more: text }, allOf: [{ $ref: '#/$defs/tree' }] },
    });
  });

  it.each<[string, unknown]>([['references that stay because the branches of the root were too many', STAYING]])(
    '%s: doing it twice changes nothing',
    (_name, schema) => {
      expect(normalized(normalized(schema))).toEqual(normalized(schema));
    },
  );

  it.each<[string, unknown, RegExp]>([
    ['without end', endless(), /too large, or contains itself/],
    [
      'with a getter that throws',
      {
        get type() {
          throw new Error('no');
        },
      },
      /cannot be read: no/,
    ],
    ['with alternatives that multiply', fanOut(), /too many alternatives/],
    ['of another type', { type: 'array' }, /of type "array"/],
  ])('%s is dropped with a reason', (_name, schema, reason) => {
    expect(normalizeInputSchema(schema)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });
});

/** Small to hold, endless to write down. */
function endless(): object {
  let schema: object = text;
  for (let level = 0; level < 40; level += 1) schema = { type: 'object', properties: { a: schema, b: schema } };
  return schema;
}

function fanOut(): object {
  const levels = Array.from({ length: 30 }, (_, n) => [
    `L${n}`,
    { anyOf: [{ $ref: `#/$defs/L${n + 1}` }, { $ref: `#/$defs/L${n + 1}` }] },
  ]);
  return { $ref: '#/$defs/L0', $defs: { ...Object.fromEntries(levels), L30: withProperty('a', text) } };
}

describe('the check of a schema names what a host would refuse, and where', () => {
  const root = (property: unknown, more: object = {}): object => ({
    type: 'object',
    properties: { p: property },
    ...more,
  });

  it.each<[unknown, string]>([
    [undefined, '#: a undefined is not JSON'],
    [[], '#: it is no object'],
    [{ properties: {} }, '#: its type is not "object"'],
    [{ type: 'object' }, '#: `properties` is missing'],
    [{ ...root({}), anyOf: [{}] }, '#: `anyOf` at the root'],
    [{ ...root({}), $ref: '#' }, '#: `$ref` at the root'],
    [root(5), '#/properties/p: it is no schema'],
    [root(true), '#/properties/p: it is no schema'],
    [root({ type: 'any' }), '#/properties/p: unknown type "any"'],
    [root({ type: [] }), '#/properties/p: unknown type []'],
    [root({ type: 'array' }), '#/properties/p: an array without `items`'],
    [root({ properties: [] }), '#/properties/p: `properties` is no object of schemas'],
    [root({ required: true }), '#/properties/p: `required` is no list of names'],
    [root({}, { required: ['p', 'p'] }), '#: `required` holds a name twice'],
    [root({}, { required: ['q'] }), '#: "q" is required but not described'],
    [root({ enum: [] }), '#/properties/p: `enum` lists nothing'],
    [root({ anyOf: [] }), '#/properties/p: `anyOf` lists nothing'],
    [root({ items: true }), '#/properties/p: `items` is a boolean, not a schema'],
    [root({ $ref: '#/$defs/x' }), '#/properties/p: the reference #/$defs/x leads nowhere'],
    [root({ $ref: 5 }), '#/properties/p: `$ref` is no text'],
    [root({ default: () => 1 }), '#/properties/p/default: a function is not JSON'],
    [root({ default: Number.NaN }), '#/properties/p/default: NaN is not JSON'],
    [holdsItself, '#/properties/self: it holds itself'],
    [nested(80), `#${'/properties/in'.repeat(67)}: nested more than 66 levels deep`],
  ])('%#', (schema, problem) => {
    expect(schemaProblem(schema)).toBe(problem);
  });
});

/** Names of parameters at schema positions, following references; not below what is dropped by definition. */
function parametersOf(schema: unknown, document: unknown, seen = new Set<unknown>()): Set<string> {
  const names = new Set<string>();
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || seen.has(schema)) return names;
  const inside = new Set([...seen, schema]);
  const add = (inner: unknown): void => parametersOf(inner, document, inside).forEach((name) => names.add(name));
  const { $ref: ref, properties, items, additionalProperties, ...rest } = schema as Record<string, unknown>;
  if (typeof ref === 'string') add(follow(ref, document));
  for (const [name, inner] of Object.entries((properties as object | null | undefined) ?? {})) {
    if (inner === false) continue;
    names.add(name);
    add(inner);
  }
  for (const inner of [
    additionalProperties,
    ...[items].flat(),
    ...['anyOf', 'oneOf', 'allOf'].flatMap((key) => rest[key]),
  ])
    add(inner);
  return names;
}

function follow(ref: string, document: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  const steps = ref.split('/').slice(1);
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, step)
        ? (value as Record<string, unknown>)[step]
        : undefined,
    document,
  );
}

/** Branches of the root that are no objects are dropped with what they say. */
function hasForeignBranch(document: unknown): boolean {
  return /"type":("string"|"array"|"any"|\["integer)/.test(JSON.stringify(document) ?? '');
}

describe('for any schema', () => {
  it('it becomes acceptable or is dropped with a reason, and the input is untouched', () => {
    fc.assert(
      fc.property(anySchema, (input) => {
        const before = JSON.stringify(input);
        const result = normalizeInputSchema(input);
        expect(JSON.stringify(input)).toBe(before);
        if (result.ok) expect(schemaProblem(result.schema)).toBeUndefined();
        else expect(result.reason).toMatch(/^(its input schema|no branch of its input schema) (?!cannot be made)/);
      }),
      { numRuns: 200 },
    );
  });

  it('doing it twice changes nothing', () => {
    fc.assert(
      fc.property(anySchema, (input) => {
        const once = normalizeInputSchema(input);
        if (once.ok) expect(JSON.stringify(normalizeInputSchema(once.schema))).toBe(JSON.stringify(once));
      }),
      { numRuns: 200 },
    );
  });

  it('no parameter is lost', () => {
    fc.assert(
      fc.property(anySchema, (input) => {
        const result = normalizeInputSchema(input);
        if (!result.ok || hasForeignBranch(input)) return;
        const names = parametersOf(result.schema, result.schema);
        for (const name of parametersOf(input, input)) expect([...names]).toContain(name);
      }),
      { numRuns: 200 },
    );
  });

  it('anything at all is answered, never thrown', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (input) => {
          const result = normalizeInputSchema(input);
          if (result.ok) expect(schemaProblem(result.schema)).toBeUndefined();
        },
      ),
    );
  });
});
