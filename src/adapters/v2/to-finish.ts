import type { LanguageModelV2FinishReason, LanguageModelV2Usage } from '@ai-sdk/provider';
import type { FinishReason } from '../../core/finish-reason.js';
import type { Usage } from '../../core/usage.js';
import { defined } from '../../util/defined.js';

/** V2 has the same words, and `unknown` besides. */
export function toFinishReason(reason: FinishReason): LanguageModelV2FinishReason {
  return reason;
}

/** V2 usage is flat; everything else is in the finish metadata. */
export function toUsage(usage: Usage): LanguageModelV2Usage {
  const { inputTokens, outputTokens, reasoningTokens, cachedInputTokens } = usage;
  const sum = inputTokens === undefined || outputTokens === undefined ? undefined : inputTokens + outputTokens;
  return {
    inputTokens,
    outputTokens,
    totalTokens: usage.totalTokens ?? sum,
    ...defined({ reasoningTokens, cachedInputTokens }),
  };
}
