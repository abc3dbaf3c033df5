import type { JsonObject, JsonValue } from '../core/json.js';
import { asRecord, asString, isRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';

/** Checks a member of a posted item. Returns what may be sent, or `undefined` for a wrong value. */
export type Field = (value: unknown, signed: boolean) => JsonValue | undefined;
export type Fields = Readonly<Record<string, Field>>;

// `isJsonWithin` has checked that values are JSON.
export const text: Field = (value) => asString(value);
/** Certain servers answer 500 to broken arguments, on every later turn. */
export const jsonText: Field = (value) =>
  typeof value === 'string' && parseJson(value) !== undefined ? value : undefined;
export const list: Field = (value) => (Array.isArray(value) ? (value as JsonValue) : undefined);
export const object: Field = (value) => (isRecord(value) ? (value as JsonObject) : undefined);
export const textOrList: Field = (value, signed) => text(value, signed) ?? list(value, signed);
export const any: Field = (value) => value as JsonValue;
export const assistant: Field = (value) => (value === 'assistant' ? value : undefined);

/** Text and refusals. Any other content of a message is wrong. */
export const answer: Field = (value) => {
  if (!Array.isArray(value)) return undefined;
  const read = value.map((entry): JsonObject | undefined => {
    const { type, text: words, refusal } = asRecord(entry) ?? {};
    if (type === 'output_text' && typeof words === 'string') return { type, text: words, annotations: [] };
    return type === 'refusal' && typeof refusal === 'string' ? { type, refusal } : undefined;
  });
  return read.includes(undefined) ? undefined : (read as JsonObject[]);
};
