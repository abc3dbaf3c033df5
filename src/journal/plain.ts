import type { JsonObject } from '../core/json.js';

/** The same as JSON, without undefined members, so that a record is read back as written. */
export function toPlain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
