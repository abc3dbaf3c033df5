import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkAnswer, type Field, readFields } from '../form-fields.js';

const form = (properties: object, required: string[] = []): object => ({ type: 'object', properties, required });
const fieldsOf = (properties: object, required?: string[]): readonly Field[] =>
  readFields(form(properties, required)) ?? [];

describe('the fields of a form', () => {
  it('are those of the protocol, old and new', () => {
    const fields = fieldsOf({
      text: { type: 'string', title: 'Text', format: 'email', maxLength: 5 },
      whole: { type: 'integer', default: 3 },
      yes: { type: 'boolean' },
      old: { type: 'string', enum: ['a', 'b'], enumNames: ['A'] },
      titled: { type: 'string', oneOf: [{ const: 'c', title: 'C' }] },
      many: { type: 'array', items: { type: 'string', enum: ['d'] } },
    });
    expect(fields.map(({ key, kind, title }) => [key, kind, title])).toEqual([
      ['text', 'text', 'Text'],
      ['whole', 'number', 'whole'],
      ['yes', 'boolean', 'yes'],
      ['old', 'choice', 'old'],
      ['titled', 'choice', 'titled'],
      ['many', 'choices', 'many'],
    ]);
    expect(fields[3]).toMatchObject({
      options: [
        { value: 'a', title: 'A' },
        { value: 'b', title: 'b' },
      ],
    });
  });

  it.each([
    ['an object in an object', form({ a: { type: 'object', properties: {} } })],
    ['a type that nobody knows', form({ a: { type: 'file' } })],
    ['a list of anything', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['a choice without options', form({ a: { type: 'string', enum: [] } })],
    ['a required field that is not there', form({}, ['a'])],
    [
      'more fields than a person reads',
      form(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, { type: 'boolean' }]))),
    ],
    ['a pattern that is none', form({ a: { type: 'string', pattern: '(' } })],
    ['a pattern that is too long', form({ a: { type: 'string', pattern: 'a'.repeat(1_001) } })],
    ['no form at all', 'form'],
  ])('cannot be shown with %s', (_name, schema) => {
    expect(readFields(schema)).toBeUndefined();
  });
});

const KINDS = [
  { type: 'string' },
  { type: 'string', minLength: 2, maxLength: 3 },
  { type: 'string', format: 'date' },
  { type: 'string', format: 'uri' },
  { type: 'integer', minimum: 0, maximum: 9 },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'string', enum: ['a', 'b'] },
  { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1, maxItems: 1 },
];
const VALUES = fc.oneof(
  fc.constantFrom<unknown>(
    '',
    'a',
    'ab',
    'abcd',
    '2026-01-31',
    '2026-02-31',
    'https://a.example/',
    'javascript:1',
    null,
  ),
  fc.constantFrom<unknown>(-1, 0, 0.5, 9, 10, NaN, Infinity, true, false, [], ['a'], ['a', 'a'], ['c'], {}),
  fc.string(),
);

describe('an answer to a form', () => {
  it('holds only fields of the form, with values that fit, or names what is wrong', () => {
    const keys = fc.constantFrom('x', 'y', 'constructor', '__proto__', 'other');
    const answers = fc.array(fc.tuple(keys, VALUES)).map((pairs) => Object.fromEntries(pairs));
    fc.assert(
      fc.property(
        fc.constantFrom(...KINDS),
        fc.constantFrom(...KINDS),
        fc.boolean(),
        answers,
        (x, y, isRequired, given) => {
          const fields = fieldsOf({ x, y, constructor: { type: 'boolean' } }, isRequired ? ['x'] : []);
          const checked = checkAnswer(fields, given);
          if ('problems' in checked) {
            expect(Object.keys(checked.problems)).not.toEqual([]);
            return;
          }
          const { content } = checked;
          expect(Object.keys(content).every((key) => ['x', 'y', 'constructor'].includes(key))).toBe(true);
          for (const [key, value] of Object.entries(content)) expect(value).toBe(given[key]);
          expect(isRequired && !Object.hasOwn(content, 'x')).toBe(false);
          for (const [key, kind] of [['x', x] as const, ['y', y] as const]) {
            if (Object.hasOwn(content, key)) expect(fits(kind, content[key])).toBe(true);
          }
        },
      ),
    );
  });
});

/** Written anew, from the words of the protocol. */
function fits({ type, ...rest }: { readonly type: string; readonly [rule: string]: unknown }, value: unknown): boolean {
  const all = (rest['enum'] ?? (rest['items'] as { enum?: string[] } | undefined)?.enum) as string[] | undefined;
  if (type === 'array') return Array.isArray(value) && value.length === 1 && all?.includes(String(value[0])) === true;
  if (type === 'boolean') return typeof value === 'boolean';
  if (type === 'number') return Number.isFinite(value);
  if (type === 'integer') return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 9;
  if (typeof value !== 'string') return false;
  if (all !== undefined) return all.includes(value);
  if (rest['format'] === 'date') return value === '2026-01-31' || /^\d{4}-\d\d-\d\d$/.test(value);
  if (rest['format'] === 'uri') return URL.canParse(value);
  const length = [...value].length;
  return rest['minLength'] === undefined || (length >= 2 && length <= 3);
}
