import type { ObserverEvent } from 'responses-loop/v3';
import type { Usage } from '../protocol/events.js';

export const NO_USAGE: Usage = { input: 0, output: 0, cached_input: 0, reasoning: 0, total: 0 };

type RoundUsage = Extract<ObserverEvent, { type: 'round-end' }>['usage'];

/** What a round cost, as the server counted it. */
export function usageOf(usage: RoundUsage): Usage {
  const { inputTokens: input = 0, outputTokens: output = 0 } = usage;
  return {
    input,
    output,
    cached_input: usage.cachedInputTokens ?? 0,
    reasoning: usage.reasoningTokens ?? 0,
    total: usage.totalTokens ?? input + output,
  };
}

export function addUsage(one: Usage, other: Usage): Usage {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached_input: one.cached_input + other.cached_input,
    reasoning: one.reasoning + other.reasoning,
    total: one.total + other.total,
  };
}

export function sumUsage(usages: readonly Usage[]): Usage {
  return usages.reduce(addUsage, NO_USAGE);
}
