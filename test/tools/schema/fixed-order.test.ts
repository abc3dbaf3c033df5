import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../src/core/json.js';
import { inFixedOrder } from '../../../src/tools/schema/fixed-order.js';
import { normalizeInputSchema } from '../../../src/tools/schema/normalize-input-schema.js';

const textOf = (schema: JsonValue): string => JSON.stringify(inFixedOrder(schema));

/** The same value with the members of all its objects in another order. `picks` decides; what `required` lists has none. */
function shuffled(value: unknown, picks: () => number, key = ''): unknown {
  const mix = <T>(list: readonly T[]): T[] =>
    list
      .map((one) => ({ one, at: picks() }))
      .toSorted((a, b) => a.at - b.at)
      .map(({ one }) => one);
  if (Array.isArray(value)) {
    const list = value.map((member) => shuffled(member, picks));
    return key === 'required' ? mix(list) : list;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(mix(Object.entries(value)).map(([name, member]) => [name, shuffled(member, picks, name)]));
}

/** Schemas with parameters that are called like keywords, references, alternatives and defaults. */
const { schema: anySchema } = fc.letrec<{ schema: JsonValue; members: JsonValue }>((tie) => {
  const name = fc.constantFrom('a', 'b', 'path', 'type', 'properties', 'items', '1');
  return {
    members: fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.record({
        type: fc.constantFrom('string', 'number'),
        description: fc.string(),
        default: fc.json().map((text) => JSON.parse(text) as JsonValue),
      }),
      fc.record({
        type: fc.constant('object'),
        properties: tie('members'),
        required: fc.uniqueArray(name),
        $defs: tie('members'),
        additionalProperties: fc.boolean(),
      }),
      fc.record({ type: fc.constant('array'), items: tie('schema') }),
      fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 3 }) }),
      fc.constantFrom<JsonValue>({ $ref: '#/$defs/a' }, { $ref: '#/$defs/b', title: 'B' }),
    ),
  };
});

describe('the order of a schema', () => {
  it('depends on what it means alone, also once it was mended for hosts', () => {
    fc.assert(
      fc.property(anySchema, fc.infiniteStream(fc.nat()), (schema, numbers) => {
        const other = shuffled(schema, () => Number(numbers.next().value)) as JsonValue;
        expect(textOf(other)).toBe(textOf(schema));
        const mended = (one: JsonValue): string => JSON.stringify(normalizeInputSchema(inFixedOrder(one)));
        expect(mended(other)).toBe(mended(schema));
      }),
    );
  });

  it('changes nothing else: but for `required`, the value is the same, and a second time changes nothing', () => {
    const sortRequired = (value: JsonValue): unknown =>
      JSON.parse(JSON.stringify(value), (key, member: unknown) =>
        key === 'required' && Array.isArray(member)
          ? (member as string[]).toSorted((a, b) => (a < b ? -1 : 1))
          : member,
      );
    fc.assert(
      fc.property(anySchema, (schema) => {
        expect(sortRequired(inFixedOrder(schema))).toEqual(sortRequired(schema));
        expect(textOf(inFixedOrder(schema))).toBe(textOf(schema));
      }),
    );
  });

  it('puts required parameters before the others, each by name', () => {
    const properties = { limit: {}, path: {}, from: {}, 'a-hint': {} };
    const schema = { type: 'object', required: ['path', 'from'], properties };
    expect(textOf(schema)).toBe(
      '{"properties":{"from":{},"path":{},"a-hint":{},"limit":{}},"required":["from","path"],"type":"object"}',
    );
  });

  it('leaves lists of data, of values and of alternatives as they are', () => {
    const schema = {
      anyOf: [{ type: 'string' }, { type: 'null' }],
      default: { required: ['b', 'a'] },
      enum: ['low', 'high', 'all'],
      properties: { required: { enum: ['z', 'y'] } },
    };
    expect(textOf(schema)).toBe(JSON.stringify(schema));
  });

  it.each<[string, JsonValue]>([
    ['a text', 'object'],
    ['a list', [{ b: 1, a: 2 }]],
    ['null', null],
    ['properties that are a list', { properties: ['b', 'a'] }],
    ['required that is no list', { properties: { b: {}, a: {} }, required: true }],
  ])('passes what is no schema on: %s', (_, schema) => {
    expect(inFixedOrder(schema)).toEqual(schema);
  });
});
