import type { JsonObject, JsonValue } from '../core/json.js';

/** Deep merge: objects are merged, everything else is replaced, `null` takes the field away. */
export function mergeOverrides(body: JsonObject, overrides: JsonObject): JsonObject {
  const merged: JsonObject = { ...body };
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    if (value === null) delete merged[name];
    else if (isObject(value)) merged[name] = mergeOverrides(isObject(merged[name]) ? merged[name] : {}, value);
    else merged[name] = value;
  }
  return merged;
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
