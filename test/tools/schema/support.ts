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

/** What may stand beside structure in a schema that looks strict already, most of it outside of the subset. */
const decoration = fc.record(
  {
    description: fc.constant('words'),
    default: fc.constant('x'),
    minLength: fc.constant(1),
    format: fc.constantFrom('uri', 'date'),
    pattern: fc.constantFrom('^a$', '(?<!a)b', '(a)\\1'),
    uniqueItems: fc.boolean(),
    minItems: fc.constant(1),
    not: fc.constant({ type: 'null' }),
    examples: fc.constant([1]),
    nullable: fc.boolean(),
    readOnly: fc.constant(true),
    'x-own': fc.constant({}),
    propertyNames: fc.constant({ type: 'string' }),
  },
  { requiredKeys: [] },
);
const obstacle = fc.constantFrom(
  { patternProperties: { a: { type: 'string' } } },
  { prefixItems: [{ type: 'string' }] },
  { allOf: [{ type: 'string' }] },
  { dependentSchemas: { a: {} } },
  { if: { type: 'string' }, then: { type: 'string' } },
);

/** Objects that are closed and require everything, as zod writes them, with keywords a strict schema may not have. */
export const closedSchema: fc.Arbitrary<object> = fc.letrec<{ object: object; any: object }>((tie) => {
  const closed = fc
    .dictionary(fc.constantFrom('a', 'b', 'type', 'default', 'not', '$ref'), tie('any'), { maxKeys: 3 })
    .map((properties) => ({
      type: 'object',
      properties,
      required: Object.keys(properties),
      additionalProperties: false,
    }));
  const plain = fc.oneof(
    { maxDepth: 2 },
    fc.constantFrom<object>({ type: 'string' }, { type: 'integer' }, { enum: ['x'] }, { const: null }, { $ref: '#' }),
    closed,
    tie('any').map((items) => ({ type: 'array', items })),
    fc.array(tie('any'), { minLength: 1, maxLength: 2 }).map((anyOf) => ({ anyOf })),
    tie('any').map((inner) => ({ oneOf: [inner] })),
  );
  const extra = fc.oneof({ weight: 9, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: obstacle });
  const decorated = (schema: fc.Arbitrary<object>): fc.Arbitrary<object> =>
    fc
      .tuple(fc.oneof(fc.constant({}), decoration), extra, schema)
      .map((all) => all.reduce<object>((joined, one) => ({ ...joined, ...one }), {}));
  return { any: decorated(plain), object: decorated(closed) };
}).object;

/** What OpenAI's guide lets a strict schema say about values; written down once more, so that the source is not its own judge. */
const SAYS =
  'title description enum const pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems';
const STRICT_FORMATS = 'date-time time date duration email hostname ipv4 ipv6 uuid';

/** What a strict host would refuse, walking by keyword position; `undefined` if nothing. */
export function strictProblem(schema: unknown, path = '#'): string | undefined {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return `${path} is no schema`;
  const {
    $ref,
    $defs = {},
    properties,
    items,
    anyOf,
    type,
    required,
    additionalProperties,
    ...rest
  } = schema as Record<string, object | undefined>;
  if ($ref !== undefined) return Object.keys(schema).length === 1 ? undefined : `${path} has words beside $ref`;
  if ($defs !== undefined && '$defs' in schema && path !== '#') return `${path} has $defs`;
  const foreign = Object.keys(rest).find((key) => !SAYS.split(' ').includes(key));
  if (foreign !== undefined) return `${path} has ${foreign}`;
  const { format, pattern = '' } = rest as unknown as Record<string, string | undefined>;
  if (format !== undefined && !STRICT_FORMATS.split(' ').includes(format)) return `${path} has ${format}`;
  if (/\(\?<?[=!]|\\[1-9k]/.test(pattern)) return `${path} has a pattern no grammar can follow`;
  const types: unknown[] = [type].flat();
  const isObject = types.includes('object');
  const names = JSON.stringify(Object.keys(properties ?? {}).toSorted());
  if (isObject ? additionalProperties !== (false as unknown) : (properties ?? required ?? additionalProperties))
    return `${path} is not closed`;
  if (isObject && JSON.stringify([...((required ?? []) as string[])].toSorted()) !== names)
    return `${path} is optional`;
  if (types.includes('array') !== (items !== undefined)) return `${path} is a list of anything`;
  if (type === undefined && anyOf === undefined && rest['enum'] === undefined && !('const' in rest))
    return `${path} takes anything`;
  const inner = [
    ...Object.entries(properties ?? {}).map(([name, member]) => [`properties/${name}`, member] as const),
    ...Object.entries($defs).map(([name, member]) => [`$defs/${name}`, member] as const),
    ...(items === undefined ? [] : [['items', items] as const]),
    ...Object.entries(anyOf ?? {}).map(([index, member]) => [`anyOf/${index}`, member] as const),
  ];
  return inner
    .map(([step, member]) => strictProblem(member, `${path}/${step}`))
    .find((problem) => problem !== undefined);
}
