import type { CallView, RoundView, Totals } from './model.js';

/** Adds up the rounds of calls. Those out of a journal were counted when they ran. */
export function totalsOf(...calls: readonly CallView[]): Totals {
  const rounds = calls.flatMap((call) => call.rounds).filter(({ replayed }) => replayed !== true);
  const sum = (of: (round: RoundView) => number | undefined): number | undefined => {
    const counts = rounds.flatMap((round) => of(round) ?? []);
    return counts.length === 0 ? undefined : counts.reduce((total, count) => total + count, 0);
  };
  return {
    input: sum(({ input }) => input),
    cached: sum(({ cached }) => cached),
    output: sum(({ output }) => output),
    reasoning: sum(({ reasoning }) => reasoning),
    cost: rounds.every(({ cost }) => cost !== undefined) ? sum(({ cost }) => cost) : undefined,
  };
}

/** Without a currency, which only the app knows. */
export function money(cost: number | undefined): string | undefined {
  const digits = cost !== undefined && cost < 1 ? { maximumSignificantDigits: 4 } : { maximumFractionDigits: 2 };
  return cost?.toLocaleString('en', digits);
}
