import type { BetweenView } from '../loop/between-rounds.js';

/** The state of a call behind a round that called tools. */
export interface LoopState extends Pick<BetweenView, 'roundNumber' | 'modelId' | 'rounds' | 'calls' | 'usage'> {
  /** The cost of all finished rounds, by the setting `price`. Unset if it is unknown. */
  readonly cost?: number;
}

/**
 * Ends the loop: `'now'` or `true` at once, `'answer'` after one more round, in which the model answers without tools. Asked
 * behind each round whose tools have run and that another round would follow.
 */
export type StopCondition = (
  state: LoopState,
) => boolean | 'answer' | 'now' | undefined | PromiseLike<boolean | 'answer' | 'now' | undefined>;

/** Ends the loop as soon as one of these tools has run, as `hasToolCall` does between steps of the AI SDK. */
export function afterTool(...names: readonly string[]): StopCondition {
  return named(`afterTool(${names.join(', ')})`, ({ calls }) => calls.some(({ name }) => names.includes(name)));
}

/** Makes the model answer once all rounds together took so many tokens. A round without a report counts as zero. */
export function tokenBudget(tokens: number): StopCondition {
  return named(`tokenBudget(${tokens})`, ({ usage }) => {
    const { totalTokens, inputTokens = 0, outputTokens = 0 } = usage;
    return (totalTokens ?? inputTokens + outputTokens) >= tokens && 'answer';
  });
}

/** Has the model answer once all rounds together cost so much, by the setting `price`, and also if the cost is unknown. */
export function costBudget(cost: number): StopCondition {
  return named(`costBudget(${cost})`, (state) => (state.cost ?? Infinity) >= cost && 'answer');
}

/** The finish metadata names the condition that ended a loop. */
function named(name: string, condition: StopCondition): StopCondition {
  return Object.defineProperty(condition, 'name', { value: name });
}
