import type { JsonObject } from '../../core/json.js';
import type { Profile } from '../../core/profile.js';
import type { CallWarning } from '../../core/warning.js';
import { vendorOf } from '../../request/vendors.js';

const LEVELS: readonly string[] = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'];

/**
 * The level of reasoning of `ai` 7, as the option it is elsewhere; `provider-default` is the way to say nothing. Where it is
 * known what a model takes, the nearest lower level that it has stands in, else the nearest higher one.
 */
export function readEffort(
  level: unknown,
  modelId: string,
  profile: Pick<Profile, 'vendor'>,
): { readonly options: JsonObject; readonly warnings: readonly CallWarning[] } {
  if (typeof level !== 'string' || level === 'provider-default') return { options: {}, warnings: [] };
  const takes = vendorOf(profile).efforts?.find(({ models }) => models.test(modelId))?.takes;
  const effort = takes === undefined || takes.includes(level) ? level : nearest(level, takes);
  if (effort === level) return { options: { reasoningEffort: level }, warnings: [] };
  if (effort === undefined)
    return {
      options: {},
      warnings: [{ feature: 'reasoning', details: `The level of reasoning was not sent: ${modelId} takes none.` }],
    };
  return {
    options: { reasoningEffort: effort },
    warnings: [`${modelId} has no "${level}" reasoning; "${effort}" was sent.`],
  };
}

function nearest(level: string, takes: readonly string[]): string | undefined {
  const at = LEVELS.indexOf(level);
  const known = LEVELS.filter((name) => takes.includes(name) && name !== 'none');
  return known.findLast((name) => LEVELS.indexOf(name) <= at) ?? known[0];
}
