import type { ModelOverrides } from './settings.js';

/** The overrides whose pattern fits a model id, in the order they were written. `*` matches anything. */
export function overridesFor(modelId: string, models: Readonly<Record<string, ModelOverrides>> = {}): ModelOverrides[] {
  return Object.entries(models)
    .filter(([pattern]) => matches(pattern, modelId))
    .map(([, overrides]) => overrides);
}

function matches(pattern: string, modelId: string): boolean {
  const source = pattern.split('*').map(escapeRegExp).join('.*');
  return new RegExp(`^${source}$`, 'i').test(modelId);
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
