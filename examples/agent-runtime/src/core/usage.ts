import type { EventUsage } from '../types/events.js';
import type { TokenUsage } from '../types/messages.js';

export const NO_USAGE: TokenUsage = {
  used: 0,
  breakdown: { input: 0, output: 0, cacheRead: 0, cacheCreation: 0, reasoning: 0 },
};

/** A session's tokens after one more turn. */
export function addUsage({ breakdown }: TokenUsage, turn: EventUsage): TokenUsage {
  const input = breakdown.input + turn.inputTokens;
  const output = breakdown.output + turn.outputTokens;
  return {
    used: input + output,
    breakdown: {
      input,
      output,
      cacheRead: breakdown.cacheRead + turn.cachedInputTokens,
      cacheCreation: breakdown.cacheCreation + (turn.cacheCreationTokens ?? 0),
      reasoning: breakdown.reasoning + turn.reasoningTokens,
    },
  };
}
