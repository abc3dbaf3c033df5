import type { JsonObject, JsonValue } from '../core/json.js';
import { asRecord, asString, isRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';

/** What a member has to be; gives back what may be sent of it, `undefined` if it is something else. */
export type Field = (value: unknown, signed: boolean) => JsonValue | undefined;
export type Fields = Readonly<Record<string, Field>>;

// They come out of JSON: see `isJsonWithin`.
export const text: Field = (value) => asString(value);
/** Servers answer 500 to arguments that are no JSON, on every later turn. */
export const jsonText: Field = (value) =>
  typeof value === 'string' && parseJson(value) !== undefined ? value : undefined;
export const list: Field = (value) => (Array.isArray(value) ? (value as JsonValue) : undefined);
export const object: Field = (value) => (isRecord(value) ? (value as JsonObject) : undefined);
export const textOrList: Field = (value, signed) => text(value, signed) ?? list(value, signed);
export const any: Field = (value) => value as JsonValue;
export const assistant: Field = (value) => (value === 'assistant' ? value : undefined);

/** Text and refusals, and nothing else that a message may hold. */
export const answer: Field = (value) => {
  if (!Array.isArray(value)) return undefined;
  const read = value.map((entry): JsonObject | undefined => {
    const { type, text: said, refusal } = asRecord(entry) ?? {};
    if (type === 'output_text' && typeof said === 'string') return { type, text: said, annotations: [] };
    return type === 'refusal' && typeof refusal === 'string' ? { type, refusal } : undefined;
  });
  return read.includes(undefined) ? undefined : (read as JsonObject[]);
};
