import type { Field } from 'responses-loop-example-shared/form-fields.js';

/** What stands in the inputs of a form, by field. */
export type Values = Readonly<Record<string, string | boolean | readonly string[]>>;

export function firstValues(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.map((field) => [field.key, firstValue(field)]));
}

function firstValue(field: Field): Values[string] {
  if (field.kind === 'boolean') return field.default ?? false;
  if (field.kind === 'choices') return field.default ?? [];
  if (field.kind === 'text' && field.format === 'date-time') return localTime(field.default);
  return field.default === undefined ? '' : String(field.default);
}

/** For the server, which checks them. What was left empty is left out. */
export function contentOf(fields: readonly Field[], values: Values): Record<string, unknown> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = valueOf(field, values[field.key]);
      return value === undefined ? [] : [[field.key, value]];
    }),
  );
}

function valueOf(field: Field, value: Values[string] | undefined): unknown {
  if (field.kind === 'choices')
    return Array.isArray(value) && value.length === 0 && !field.isRequired ? undefined : value;
  if (typeof value !== 'string') return value;
  if (value === '') return undefined;
  // What is no number is refused there, in words.
  if (field.kind === 'number') return Number.isNaN(Number(value)) ? value : Number(value);
  if (field.kind === 'text' && field.format === 'date-time') return new Date(value).toISOString();
  return value;
}

/** As an input of the browser has it: in the time of this place, without a zone. */
function localTime(text: string | undefined): string {
  const at = new Date(text ?? '');
  if (Number.isNaN(at.getTime())) return '';
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
