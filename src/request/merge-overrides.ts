import { isJsonObject, type JsonObject } from '../core/json.js';

/** Deep merge: objects are merged, everything else is replaced, `null` takes the field away. */
export function mergeOverrides(body: JsonObject, overrides: JsonObject): JsonObject {
  const changes = Object.entries(overrides);
  if (changes.length === 0) return body;
  // Not an object, since a field may be called `__proto__`.
  const merged = new Map(Object.entries(body));
  for (const [name, value] of changes) {
    if (value === undefined) continue;
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isJsonObject(value) ? mergeOverrides(isJsonObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}
