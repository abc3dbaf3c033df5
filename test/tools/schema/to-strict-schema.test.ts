import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/core/json.js';
import type { ToolArguments } from '../../../src/core/tool.js';
import { schemaProblem } from './schema-problem.js';
import { normalizeInputSchema } from '../../../src/tools/schema/normalize-input-schema.js';
import { stripAddedNulls } from '../../../src/tools/schema/strip-added-nulls.js';
import { toStrictSchema } from '../../../src/tools/schema/to-strict-schema.js';
import { anySchema, closedSchema, strictProblem } from './support.js';

const text = { type: 'string' };
const root = (properties: object, more: object = {}): JsonObject =>
  ({ type: 'object', properties, ...more }) as JsonObject;

function strict(schema: JsonObject): JsonObject {
  const result = toStrictSchema(schema);
  if (!result.ok) throw new Error(result.reason);
  return result.schema;
}

const closed = (properties: object): object => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

describe('a strict schema requires everything and closes every object', () => {
  it.each<[string, JsonObject, object]>([
    ['no parameters', root({}), closed({})],
    ['an optional text', root({ a: text }), closed({ a: { type: ['string', 'null'] } })],
    ['a required one', root({ a: text }, { required: ['a'] }), closed({ a: text })],
    [
      'an optional enum',
      root({ a: { ...text, enum: ['x'] } }),
      closed({ a: { type: ['string', 'null'], enum: ['x', null] } }),
    ],
    ['an optional constant', root({ a: { const: 'x' } }), closed({ a: { anyOf: [{ const: 'x' }, { type: 'null' }] } })],
    ['one that may be null', root({ a: { type: ['string', 'null'] } }), closed({ a: { type: ['string', 'null'] } })],
    [
      "OpenAPI's nullable",
      root({ a: { ...text, nullable: true } }, { required: ['a'] }),
      closed({ a: { type: ['string', 'null'] } }),
    ],
    [
      'an object in a list',
      root({ a: { type: 'array', items: root({ b: text }) } }, { required: ['a'] }),
      closed({ a: { type: 'array', items: closed({ b: { type: ['string', 'null'] } }) } }),
    ],
    [
      'oneOf',
      root({ a: { oneOf: [text, { type: 'number' }] } }, { required: ['a'] }),
      closed({ a: { anyOf: [text, { type: 'number' }] } }),
    ],
    [
      'a cyclic reference with words beside it',
      root(
        { a: { description: 'x', allOf: [{ $ref: '#/$defs/n' }] } },
        { $defs: { n: root({ next: { $ref: '#/$defs/n' } }) } },
      ),
      {
        ...closed({ a: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } }),
        $defs: { n: closed({ next: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'null' }] } }) },
      },
    ],
    [
      'keywords outside of the subset are told instead',
      root(
        { a: { ...text, description: 'A link.', format: 'uri', minLength: 3, default: 'x', pattern: '(?=a)' } },
        { required: ['a'] },
      ),
      closed({ a: { ...text, description: 'A link. (default: "x"; minLength: 3; format: "uri"; pattern: "(?=a)")' } }),
    ],
    [
      'formats and bounds of the subset stay',
      root({ a: { ...text, format: 'date' }, n: { type: 'integer', minimum: 1 } }, { required: ['a', 'n'] }),
      closed({ a: { ...text, format: 'date' }, n: { type: 'integer', minimum: 1 } }),
    ],
  ])('%s', (_name, schema, expected) => {
    expect(strict(schema)).toEqual(expected);
  });

  it('a schema of that shape already is left alone', () => {
    const schema = closed({ a: { ...text, description: 'x', format: 'date', enum: ['y'] } }) as JsonObject;
    expect(strict(schema)).toEqual(schema);
  });

  it.each<[string, object, object]>([
    ['a format', { ...text, format: 'uri' }, { ...text, description: '(format: "uri")' }],
    ['lengths', { ...text, minLength: 1, maxLength: 5 }, { ...text, description: '(minLength: 1; maxLength: 5)' }],
    ['a default', { ...text, default: 'x' }, { ...text, description: '(default: "x")' }],
    ['a pattern that looks around', { ...text, pattern: '^(?=a)' }, { ...text, description: '(pattern: "^(?=a)")' }],
    [
      'a pattern with a named reference',
      { ...text, pattern: '(?<q>.)\\k<q>' },
      { ...text, description: expect.any(String) },
    ],
    [
      'unique items',
      { type: 'array', items: text, uniqueItems: true },
      { type: 'array', items: text, description: '(uniqueItems: true)' },
    ],
    ['what must not be', { ...text, not: { const: 'x' } }, text],
    ['properties of what is no object', { ...text, properties: {} }, text],
    ['definitions where nobody looks', { ...text, $defs: { n: text } }, text],
    ['a nullable of OpenAPI', { ...text, nullable: true }, { type: ['string', 'null'] }],
  ])('%s in a schema that is closed already is converted as anywhere else', (_name, given, expected) => {
    expect(strict(closed({ a: given }) as JsonObject)).toEqual(closed({ a: expected }));
  });

  it('the root is an object and nothing else', () => {
    expect(strict({ ...closed({}), nullable: true })).toEqual(closed({}));
  });

  it('names that are required but not described are not required of the model', () => {
    expect(strict({ ...closed({ a: text }), required: ['a', 'b'] })).toEqual(closed({ a: text }));
  });

  const deep = (levels: number): object => (levels === 0 ? text : root({ in: deep(levels - 1) }));

  it.each<[string, JsonObject, RegExp]>([
    ['a free-form object', root({ a: { type: 'object' } }), /#\/properties\/a is a free-form object/],
    ['a map', root({ a: root({}, { additionalProperties: text }) }), /free-form/],
    ['a root that is open', root({ a: text }, { additionalProperties: true }), /# is a free-form object/],
    ['a value of any kind', root({ a: {} }), /#\/properties\/a takes anything/],
    ['a list of anything', root({ a: { type: 'array', items: {} } }), /#\/properties\/a\/items takes anything/],
    ['a tuple', root({ a: { type: 'array', items: {}, prefixItems: [text] } }), /is a tuple/],
    ['patterns for names', root({ a: text }, { patternProperties: { x: text } }), /# takes parameters by pattern/],
    ['allOf', root({ a: { allOf: [text, text] } }), /allOf/],
    [
      'patterns beside closed ones',
      closed({ a: { ...closed({}), patternProperties: { x: text } } }) as JsonObject,
      /by pattern/,
    ],
    [
      'a tuple that looks closed',
      closed({ a: { type: 'array', items: text, prefixItems: [text] } }) as JsonObject,
      /a tuple/,
    ],
    ['allOf that looks closed', closed({ a: { ...text, allOf: [{ type: 'string' }] } }) as JsonObject, /allOf/],
    [
      'a reference with parameters beside it',
      root(
        { a: { ...root({ more: text }), allOf: [{ $ref: '#/$defs/n' }] } },
        { $defs: { n: root({ next: { $ref: '#/$defs/n' } }) } },
      ),
      /#\/properties\/a says more beside a reference/,
    ],
    [
      'alternatives that begin alike and are closed',
      closed({ a: { anyOf: [closed({ k: text }), closed({ k: text, l: text })] } }) as JsonObject,
      /all begin with "k"/,
    ],
    ['anyOf with oneOf', root({ a: { anyOf: [text], oneOf: [text] } }), /both/],
    [
      'alternatives that begin alike',
      root({ a: { anyOf: [root({ k: text }), root({ k: text })] } }),
      /all begin with "k"/,
    ],
    ['11 levels', deep(11) as JsonObject, /11 levels deep, 10 are allowed/],
    [
      'too many parameters',
      root(Object.fromEntries(Array.from({ length: 5001 }, (_, i) => [`p${i}`, text]))),
      /5001 properties/,
    ],
    ['too many values', root({ a: { ...text, enum: Array.from({ length: 1001 }, (_, i) => `${i}`) } }), /enum values/],
  ])('%s cannot be converted, and the reason says why', (_name, schema, reason) => {
    expect(toStrictSchema(schema)).toEqual({ ok: false, reason: expect.stringMatching(reason) });
  });

  it('10 levels can', () => {
    expect(toStrictSchema(deep(10) as JsonObject).ok).toBe(true);
  });

  it('for any schema: strict-shaped and acceptable, or a reason; doing it twice changes nothing', () => {
    fc.assert(
      fc.property(anySchema, (input) => {
        const normalized = normalizeInputSchema(input);
        if (!normalized.ok) return;
        const result = toStrictSchema(normalized.schema);
        if (!result.ok) return;
        expect(schemaProblem(result.schema)).toBeUndefined();
        expect(strictProblem(result.schema)).toBeUndefined();
        expect(toStrictSchema(result.schema)).toEqual(result);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['may be null', { nullable: true, const: null }, ['a', 'b']],
    ['may be left out', { const: 'x' }, ['b']],
  ])('alternatives are not told apart by a parameter that %s, behind references too', (_name, a, required) => {
    const either = { anyOf: [{ $ref: '#' }, { $ref: '#' }] };
    const schema = { type: 'object', properties: { a, b: either }, required, additionalProperties: false };
    expect(toStrictSchema(schema)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('begin with "a"') as unknown,
    });
  });

  it('for any closed schema: nothing outside of the subset goes out, whatever stood in it', () => {
    let converted = 0;
    fc.assert(
      fc.property(closedSchema, (input) => {
        const normalized = normalizeInputSchema(input);
        const result = normalized.ok ? toStrictSchema(normalized.schema) : normalized;
        if (!result.ok) return;
        converted += 1;
        expect(schemaProblem(result.schema)).toBeUndefined();
        expect(strictProblem(result.schema)).toBeUndefined();
        expect(toStrictSchema(result.schema)).toEqual(result);
      }),
      { numRuns: 300 },
    );
    expect(converted).toBeGreaterThan(30);
  });
});

describe('nulls that only a strict schema asked for', () => {
  it.each<[string, ToolArguments, object, object]>([
    ['are left out', { a: 1, b: null }, root({ a: {}, b: text }), { a: 1 }],
    ['stay where the schema allows null', { b: null }, root({ b: { type: ['string', 'null'] } }), { b: null }],
    ['stay where the parameter is required', { b: null }, root({ b: text }, { required: ['b'] }), { b: null }],
    ['stay where nothing is said about the parameter', { z: null }, root({}), { z: null }],
    [
      'are left out of objects in lists',
      { a: [{ b: null, c: 1 }] },
      root({ a: { type: 'array', items: root({ b: text, c: {} }) } }),
      { a: [{ c: 1 }] },
    ],
    [
      'are left out below references',
      { a: { next: { next: null } } },
      root({ a: { $ref: '#/$defs/n' } }, { $defs: { n: root({ next: { $ref: '#/$defs/n' } }) } }),
      { a: { next: {} } },
    ],
    [
      'are left out of the alternative that fits',
      { a: { kind: 'y', b: null } },
      root({ a: { anyOf: [root({ kind: { const: 'x' } }), root({ kind: { const: 'y' }, b: text })] } }),
      { a: { kind: 'y' } },
    ],
    ['are left out of what is combined', { a: { b: null } }, root({ a: { allOf: [root({ b: text })] } }), { a: {} }],
  ])('%s', (_name, args, schema, expected) => {
    const before = JSON.stringify(args);
    expect(stripAddedNulls(args, schema)).toEqual(expected);
    expect(JSON.stringify(args)).toBe(before);
  });
});
