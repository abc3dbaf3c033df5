import type { ReachedLimit } from '../core/limits.js';
import type { LoopLimits } from './loop-options.js';

type ClosingLimit = 'maxRounds' | 'maxToolCalls' | 'maxRepeatedRounds';

/** The first limit that makes the model answer without further tools. */
export function reachedLimit(
  limits: Pick<LoopLimits, ClosingLimit>,
  counts: Readonly<Record<ClosingLimit, number>>,
): ReachedLimit | undefined {
  const name = (Object.keys(counts) as ClosingLimit[]).find((key) => counts[key] >= limits[key]);
  return name === undefined ? undefined : { name, value: limits[name] };
}

/** What the caller is told of it. */
export function limitWarning({ name, value }: ReachedLimit): string {
  return `The call reached ${name} (${value}); the model was asked to answer without further tools.`;
}
