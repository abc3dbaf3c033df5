import type { LanguageModelUsage } from 'ai';
import type { UsageData } from '../types.js';

export function addUsage(one: UsageData, other: UsageData): UsageData {
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    reasoning: one.reasoning + other.reasoning,
    rounds: one.rounds + other.rounds,
  };
}

/** Of a step; the provider's own rounds are in its metadata. */
export function usageOfStep(usage: LanguageModelUsage, metadata: unknown): UsageData {
  const own = (metadata as { readonly 'responses-loop'?: { readonly rounds?: unknown } } | undefined)?.[
    'responses-loop'
  ];
  return {
    input: usage.inputTokens ?? 0,
    output: usage.outputTokens ?? 0,
    cached: usage.inputTokenDetails.cacheReadTokens ?? 0,
    reasoning: usage.outputTokenDetails.reasoningTokens ?? 0,
    rounds: Array.isArray(own?.rounds) ? own.rounds.length : 1,
  };
}
