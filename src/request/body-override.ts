import { invalidSettings } from '../errors/invalid-settings.js';
import type { JsonObject } from '../core/json.js';
import { errorText } from '../util/error-text.js';
import { isPromiseLike } from '../util/guards.js';
import { mergeOverrides } from './merge-overrides.js';

/** Fields to merge (see `mergeOverrides`), or a function that makes another body of the one it is given. */
export type BodyOverride = JsonObject | ((body: JsonObject, place: BodyPlace) => JsonObject);

export interface BodyPlace {
  readonly modelId: string;
  /** Round of the call, counted from 0. */
  readonly round: number;
}

/** The body as an override leaves it. */
export function override(body: JsonObject, change: BodyOverride, place: BodyPlace): JsonObject {
  if (typeof change !== 'function') return mergeOverrides(body, change);
  // A copy: what is changed in place would stay changed in later rounds.
  const changed: unknown = asked(() => change(structuredClone(body), place));
  if (isPromiseLike(changed)) {
    changed.then(undefined, () => {});
    throw invalidSettings('A function in models[…].body may not be asynchronous: use transformRequest.');
  }
  if (typeof changed !== 'object' || changed === null || Array.isArray(changed))
    throw invalidSettings('A function in models[…].body has to return the whole body: { ...body, … }.');
  // JSON by contract; whatever else it holds, JSON.stringify decides about.
  return changed as JsonObject;
}

function asked(change: () => unknown): unknown {
  try {
    return change();
  } catch (cause) {
    throw invalidSettings(`A function in models[…].body failed: ${errorText(cause)}`, cause);
  }
}

/** A body that was overridden has to be one still. */
export function checkBody(body: JsonObject): JsonObject {
  if (typeof body['model'] !== 'string' || body['model'] === '' || body['input'] === undefined)
    throw invalidSettings(
      'The body has no "model" or no "input": an override in models[…].body or the option "body" took it away.',
    );
  return body;
}
