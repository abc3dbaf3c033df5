import { createGlob } from '../util/glob.js';
import type { ModelOverrides } from './settings.js';

/** The overrides whose pattern fits a model id, in the order they were written. `*` matches anything, case does not count. */
export function overridesFor(modelId: string, models: Readonly<Record<string, ModelOverrides>> = {}): ModelOverrides[] {
  return Object.entries(models)
    .filter(([pattern]) => createGlob(pattern, { ignoreCase: true })(modelId))
    .map(([, overrides]) => overrides);
}
