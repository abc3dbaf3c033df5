import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.js';

/** Adds numbers, and objects member by member; later values replace all others. */
export function addUp(sum: JsonObject | undefined, next: JsonObject | undefined): JsonObject | undefined {
  if (sum === undefined || next === undefined) return sum ?? next;
  const added = Object.entries(next).map(([key, value]) => [key, addValue(sum[key], value)] as const);
  return { ...sum, ...Object.fromEntries(added) };
}

function addValue(sum: JsonValue | undefined, next: JsonValue | undefined): JsonValue | undefined {
  if (typeof sum === 'number' && typeof next === 'number') return sum + next;
  if (isJsonObject(sum) && isJsonObject(next)) return addUp(sum, next);
  return next ?? sum;
}
