import { FailedFunction } from '../errors/failed-function.js';
import { isJsonObject, type JsonObject } from '../core/json.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { errorText } from '../util/error-text.js';
import { isPromiseLike } from '../util/guards.js';

/** Fields to merge (see `mergeOverrides`), or a function that returns another body for the given one. */
export type BodyOverride = JsonObject | ((body: JsonObject, place: RequestPlace) => JsonObject);

/** Which request it is. */
export interface RequestPlace {
  /** The model that the app requested. */
  readonly modelId: string;
  /** Round of the call, counted from 0. */
  readonly round: number;
}

/** Returns the overridden body. */
export function override(body: JsonObject, change: BodyOverride, place: RequestPlace): JsonObject {
  if (typeof change !== 'function') return mergeOverrides(body, change);
  // A copy, because changes in place would persist in later rounds.
  let changed: unknown;
  try {
    changed = change(structuredClone(body), place);
  } catch (cause) {
    throw new FailedFunction('invalid-settings', `A function in models[…].body failed: ${errorText(cause)}`, cause);
  }
  if (isPromiseLike(changed)) {
    changed.then(undefined, () => {});
    throw invalidSettings('A function in models[…].body may not be asynchronous: use transformRequest.');
  }
  if (typeof changed !== 'object' || changed === null || Array.isArray(changed))
    throw invalidSettings('A function in models[…].body must return the whole body: { ...body, … }.');
  // JSON by contract; JSON.stringify handles anything else.
  return withOwnItems(changed as JsonObject);
}

/**
 * Returns a body with its own copies of items: a function may later change an item that it kept, but each object is
 * encoded and compared only once.
 */
export function withOwnItems(body: JsonObject): JsonObject {
  const { input } = body;
  if (!Array.isArray(input)) return body;
  return { ...body, input: input.map((item) => (isJsonObject(item) ? { ...item } : item)) };
}

/** Checks that an override returned a valid body. */
export function checkBody(body: JsonObject): JsonObject {
  if (typeof body['model'] !== 'string' || body['model'] === '' || body['input'] === undefined)
    throw invalidSettings('The body has no "model" or no "input": an override of the body took it away.');
  return body;
}

/** Deep merge: objects are merged, everything else is replaced, `null` removes the field. */
export function mergeOverrides(body: JsonObject, overrides: JsonObject): JsonObject {
  const changes = Object.entries(overrides);
  if (changes.length === 0) return body;
  // Not an object, because a field may have the name `__proto__`.
  const merged = new Map(Object.entries(body));
  for (const [name, value] of changes) {
    if (value === undefined) continue;
    const before = merged.get(name);
    if (value === null) merged.delete(name);
    else merged.set(name, isJsonObject(value) ? mergeOverrides(isJsonObject(before) ? before : {}, value) : value);
  }
  return Object.fromEntries(merged);
}
