import type { JsonObject, JsonValue } from '../core/json.js';
import type { RoundPart } from '../core/part.js';

/**
 * Parts as JSON, for `parts.json` and for comparing: batches joined, members that are `undefined` left out, an error as its
 * name, code and message.
 */
export function plainParts(parts: readonly RoundPart[]): JsonValue[] {
  return parts.map((part) => plain(part) ?? null);
}

function plain(value: unknown): JsonValue | undefined {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value;
  }
  if (Array.isArray(value)) return value.map((member) => plain(member) ?? null);
  if (value instanceof Error) return plainError(value);
  return typeof value === 'object' ? plainObject(value) : undefined;
}

function plainObject(value: object): JsonObject {
  const copy: JsonObject = {};
  for (const [key, member] of Object.entries(value)) {
    const plainMember = plain(member);
    if (plainMember !== undefined) copy[key] = plainMember;
  }
  return copy;
}

const ERROR_FACTS = ['code', 'serverCode', 'statusCode', 'isRetryable'] as const;

function plainError(error: Error & Partial<Record<(typeof ERROR_FACTS)[number], unknown>>): JsonObject {
  const facts = Object.fromEntries(ERROR_FACTS.map((key) => [key, error[key]]));
  return { name: error.name, message: error.message, ...plainObject(facts) };
}
