import fc from 'fast-check';

/** Schemas as servers publish them, good and bad, with references inside the document. */
export const anySchema: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>(
      {},
      true,
      false,
      null,
      { type: 'string' },
      { type: null },
      { type: 'any' },
      { type: ['integer', 'null'] },
      { enum: ['x', 'x', 1] },
      { enum: [] },
      { $ref: '#/$defs/a' },
      { $ref: '#/$defs/b', description: 'beside' },
      { $ref: '#/definitions/a' },
      { $ref: '#/properties/b' },
      { $ref: '#/anyOf/0' },
      { $ref: '#' },
      { $ref: 'https://example.com/x' },
    ),
    few({
      $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b'),
      type: fc.constantFrom<unknown>('object', 'array', ['object', null], null, 'string'),
      properties: fc.dictionary(
        fc.constantFrom('a', 'b', 'c', 'type', 'properties', '$ref', '__proto__'),
        tie('schema'),
      ),
      items: fc.oneof(tie('schema'), fc.array(tie('schema'), { maxLength: 2 })),
      anyOf: fc.array(tie('schema'), { maxLength: 3 }),
      oneOf: fc.array(tie('schema'), { maxLength: 2 }),
      allOf: fc.array(tie('schema'), { maxLength: 3 }),
      if: tie('schema'),
      then: tie('schema'),
      required: fc.constantFrom<unknown>(['a'], true, null, ['a', 'a', 1], ['z', 'b']),
      additionalProperties: fc.oneof(fc.boolean(), tie('schema')),
      exclusiveMinimum: fc.constantFrom<unknown>(true, 3, '3'),
      default: fc.constantFrom<unknown>(null, { $ref: '#/$defs/a' }, undefined),
      $defs: fc.dictionary(fc.constantFrom('a', 'b', 'x y'), tie('schema')),
      definitions: fc.dictionary(fc.constantFrom('a', 'b'), tie('schema')),
    }),
  ),
})).schema;

/** An object with a handful of these members: small values find the same faults sooner. */
export function few(members: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<object> {
  const entries = Object.entries(members).map(([name, member]) => fc.tuple(fc.constant(name), member));
  return fc
    .uniqueArray(fc.oneof(...entries), { maxLength: 6, selector: ([name]) => name })
    .map((chosen) => Object.fromEntries(chosen));
}
