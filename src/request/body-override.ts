import { FailedFunction } from '../errors/failed-function.js';
import { isJsonObject, type JsonObject } from '../core/json.js';
import { invalidSettings } from '../errors/invalid-settings.js';
import { errorText } from '../util/error-text.js';
import { isPromiseLike } from '../util/guards.js';

/** Fields to merge (see `mergeOverrides`), or a function that makes another body of the one it is given. */
export type BodyOverride = JsonObject | ((body: JsonObject, place: RequestPlace) => JsonObject);

/** Which request it is. */
export interface RequestPlace {
  /** The model that the app asked for. */
  readonly modelId: string;
  /** Round of the call, counted from 0. */
  readonly round: number;
}

/** The body as an override leaves it. */
export function override(body: JsonObject, change: BodyOverride, place: RequestPlace): JsonObject {
  if (typeof change !== 'function') return mergeOverrides(body, change);
  // A copy: what is changed in place would stay changed in later rounds.
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
  // JSON by contract; JSON.stringify decides about anything else.
  return withOwnItems(changed as JsonObject);
}

/**
 * Returns a body with its own copies of items: a function may keep one and change it for the next round, and an item is
 * encoded and compared once, as long as it is the same object.
 */
export function withOwnItems(body: JsonObject): JsonObject {
  const { input } = body;
  if (!Array.isArray(input)) return body;
  return { ...body, input: input.map((item) => (isJsonObject(item) ? { ...item } : item)) };
}

/** A body that was overridden has to be one still. */
export function checkBody(body: JsonObject): JsonObject {
  if (typeof body['model'] !== 'string' || body['model'] === '' || body['input'] === undefined)
    throw invalidSettings('The body has no "model" or no "input": an override of the body took it away.');
  return body;
}

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
