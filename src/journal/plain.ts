import type { JsonObject } from '../core/json.js';

/** The same as JSON: what is not defined is left out, so that a record is read back as it was written. */
export function toPlain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
