import { z } from 'zod';

interface FieldBase {
  readonly key: string;
  readonly title: string;
  readonly description?: string | undefined;
  readonly isRequired: boolean;
}

export interface Option {
  readonly value: string;
  readonly title: string;
}

/** A field of a form that an MCP server asks to be filled in. */
export type Field = FieldBase &
  (
    | {
        readonly kind: 'text';
        readonly format?: Format | undefined;
        readonly minLength?: number | undefined;
        readonly maxLength?: number | undefined;
        /** A regular expression of the MCP server. It is not run here: it may never end. */
        readonly pattern?: string | undefined;
        readonly default?: string | undefined;
      }
    | {
        readonly kind: 'number';
        readonly isInteger: boolean;
        readonly minimum?: number | undefined;
        readonly maximum?: number | undefined;
        readonly default?: number | undefined;
      }
    | { readonly kind: 'boolean'; readonly default?: boolean | undefined }
    | { readonly kind: 'choice'; readonly options: readonly Option[]; readonly default?: string | undefined }
    | {
        readonly kind: 'choices';
        readonly options: readonly Option[];
        readonly minItems?: number | undefined;
        readonly maxItems?: number | undefined;
        readonly default?: readonly string[] | undefined;
      }
  );

const FORMATS = ['email', 'uri', 'date', 'date-time'] as const;
type Format = (typeof FORMATS)[number];
type Value = string | number | boolean | readonly string[];

const MAX_FIELDS = 50;
const MAX_OPTIONS = 500;
const MAX_TEXT = 20_000;
const MAX_PATTERN = 1_000;

const size = z.number().int().nonnegative().optional();
const base = { title: z.string().optional(), description: z.string().optional() };
const consts = z
  .array(z.object({ const: z.string(), title: z.string().optional() }))
  .min(1)
  .max(MAX_OPTIONS);
const values = z.array(z.string()).min(1).max(MAX_OPTIONS);

/** What the protocol knows. A form with anything else is not shown, since its answer could not be right. */
const PROPERTY = z.union([
  z
    .object({
      ...base,
      type: z.literal('string'),
      enum: values,
      enumNames: z.array(z.string()).optional(),
      default: z.string().optional(),
    })
    .transform(({ enum: all, enumNames = [], ...rest }) => ({
      ...rest,
      kind: 'choice' as const,
      options: all.map((value, at) => ({ value, title: enumNames[at] ?? value })),
    })),
  z
    .object({ ...base, type: z.literal('string'), oneOf: consts, default: z.string().optional() })
    .transform(({ oneOf, ...rest }) => ({ ...rest, kind: 'choice' as const, options: oneOf.map(toOption) })),
  z
    .object({
      ...base,
      type: z.literal('string'),
      enum: z.undefined().optional(),
      oneOf: z.undefined().optional(),
      format: z.enum(FORMATS).optional().catch(undefined),
      minLength: size,
      maxLength: size,
      pattern: z.string().max(MAX_PATTERN).refine(isPattern).optional(),
      default: z.string().optional(),
    })
    .transform((rest) => ({ ...rest, kind: 'text' as const })),
  z
    .object({
      ...base,
      type: z.enum(['number', 'integer']),
      minimum: z.number().optional(),
      maximum: z.number().optional(),
      default: z.number().optional(),
    })
    .transform((rest) => ({ ...rest, kind: 'number' as const, isInteger: rest.type === 'integer' })),
  z
    .object({ ...base, type: z.literal('boolean'), default: z.boolean().optional() })
    .transform((rest) => ({ ...rest, kind: 'boolean' as const })),
  z
    .object({
      ...base,
      type: z.literal('array'),
      items: z.union([
        z.object({ enum: values }).transform(({ enum: all }) => all.map((value) => ({ value, title: value }))),
        z.object({ anyOf: consts }).transform(({ anyOf }) => anyOf.map(toOption)),
      ]),
      minItems: size,
      maxItems: size,
      default: z.array(z.string()).optional(),
    })
    .transform(({ items, ...rest }) => ({ ...rest, kind: 'choices' as const, options: items })),
]);

const FORM = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a form; `undefined`, if it has one that cannot be shown, or too many. */
export function readFields(schema: unknown): readonly Field[] | undefined {
  const form = FORM.safeParse(schema);
  if (!form.success) return undefined;
  const { properties, required } = form.data;
  const keys = Object.keys(properties);
  if (keys.length > MAX_FIELDS || required.some((key) => !keys.includes(key))) return undefined;
  const fields: Field[] = [];
  for (const key of keys) {
    const property = PROPERTY.safeParse(properties[key]);
    if (!property.success) return undefined;
    const { title = key, ...rest } = property.data;
    fields.push({ ...rest, key, title, isRequired: required.includes(key) });
  }
  return fields;
}

/** Values that the form has for fields that were left out. */
export function defaultsOf(fields: readonly Field[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(fields.flatMap(({ key, default: value }) => (value === undefined ? [] : [[key, value]])));
}

export type CheckedAnswer =
  | { readonly content: Readonly<Record<string, Value>> }
  /** What is wrong, by field. */
  | { readonly problems: Readonly<Record<string, string>> };

/** Takes values of the form's fields alone. One that is not required may be left out. */
export function checkAnswer(fields: readonly Field[], given: Readonly<Record<string, unknown>>): CheckedAnswer {
  const known = new Set(fields.map(({ key }) => key));
  const unknown = Object.keys(given).filter((key) => !known.has(key));
  const problems = new Map(unknown.map((key) => [key, 'The form has no such field.']));
  const content = new Map<string, Value>();
  for (const field of fields) {
    const value = Object.hasOwn(given, field.key) ? given[field.key] : undefined;
    if (value === undefined && !field.isRequired) continue;
    const problem = value === undefined ? 'Required.' : problemOf(field, value);
    if (problem === undefined) content.set(field.key, value as Value);
    else problems.set(field.key, problem);
  }
  return problems.size === 0 ? { content: Object.fromEntries(content) } : { problems: Object.fromEntries(problems) };
}

function problemOf(field: Field, value: unknown): string | undefined {
  switch (field.kind) {
    case 'text':
      return typeof value === 'string' ? problemOfText(field, value) : 'Expected a text.';
    case 'number':
      return typeof value === 'number' ? problemOfNumber(field, value) : 'Expected a number.';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'Expected yes or no.';
    case 'choice':
      return field.options.some((option) => option.value === value) ? undefined : 'Choose one of the options.';
    case 'choices':
      return problemOfChoices(field, value);
  }
}

type Of<Kind extends Field['kind']> = Extract<Field, { readonly kind: Kind }>;

const FORMAT_CHECKS: Readonly<Record<Format, { readonly schema: z.ZodType; readonly problem: string }>> = {
  email: { schema: z.email(), problem: 'Expected an email address.' },
  uri: { schema: z.url(), problem: 'Expected a whole address, such as https://example.com/.' },
  date: { schema: z.iso.date(), problem: 'Expected a date, such as 2026-01-31.' },
  'date-time': {
    schema: z.iso.datetime({ offset: true }),
    problem: 'Expected a date and a time, such as 2026-01-31T12:00:00Z.',
  },
};

function problemOfText({ isRequired, minLength = 0, maxLength = MAX_TEXT, format }: Of<'text'>, value: string) {
  const least = isRequired ? Math.max(minLength, 1) : minLength;
  // As the protocol counts: characters, not halves of them.
  const length = [...value].length;
  if (length < least) return least === 1 ? 'Required.' : `Expected ${least} characters or more.`;
  if (length > Math.min(maxLength, MAX_TEXT)) return `Expected ${Math.min(maxLength, MAX_TEXT)} characters or fewer.`;
  if (format === undefined) return undefined;
  const { schema, problem } = FORMAT_CHECKS[format];
  return schema.safeParse(value).success ? undefined : problem;
}

function problemOfNumber({ isInteger, minimum, maximum }: Of<'number'>, value: number): string | undefined {
  if (isInteger && !Number.isSafeInteger(value)) return 'Expected a whole number.';
  if (minimum !== undefined && value < minimum) return `Expected ${minimum} or more.`;
  return maximum !== undefined && value > maximum ? `Expected ${maximum} or less.` : undefined;
}

function problemOfChoices(
  { options, minItems = 0, maxItems = MAX_OPTIONS, isRequired }: Of<'choices'>,
  value: unknown,
) {
  const chosen = z.array(z.string()).safeParse(value);
  if (!chosen.success || new Set(chosen.data).size !== chosen.data.length) return 'Expected a list of options.';
  if (chosen.data.some((one) => !options.some((option) => option.value === one))) return 'Choose among the options.';
  const least = isRequired ? Math.max(minItems, 1) : minItems;
  if (chosen.data.length < least) return `Choose ${least} or more.`;
  return chosen.data.length > maxItems ? `Choose ${maxItems} or fewer.` : undefined;
}

/** Parses it only. */
function isPattern(text: string): boolean {
  try {
    void new RegExp(text, 'u');
    return true;
  } catch {
    return false;
  }
}

function toOption({ const: value, title = value }: { readonly const: string; readonly title?: string | undefined }) {
  return { value, title };
}
