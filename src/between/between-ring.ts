import type { BetweenRounds, BetweenView } from '../loop/between-rounds.js';
import { defined } from '../util/defined.js';
import { prepareWith, type PrepareRound } from './prepare-round.js';
import { Costs, type Price } from './price.js';
import { openSteering, type Steering } from './steering.js';
import type { StopCondition } from './stop-when.js';

/** Settings that act between the rounds of a call. */
export interface BetweenSettings {
  readonly prepareRound?: PrepareRound | undefined;
  readonly stopWhen?: StopCondition | readonly StopCondition[] | undefined;
  readonly price?: Price | undefined;
  readonly steering?: Steering | undefined;
}

/** Returns what acts between rounds, in order: the conditions first, so that nothing is prepared for a loop that ends. */
export function betweenOf({ prepareRound, stopWhen, price, steering }: BetweenSettings): readonly BetweenRounds[] {
  const costs = new Costs(price);
  const cost = ({ rounds, modelId }: BetweenView): number | undefined => costs.of(rounds, modelId);
  const steered = steering && openSteering(steering);
  return [
    ...(stopWhen === undefined ? [] : [stopBy([stopWhen].flat(), cost)]),
    ...(steered === undefined ? [] : [steered]),
    ...(prepareRound === undefined ? [] : [prepareWith(prepareRound, cost)]),
  ];
}

function stopBy(
  conditions: readonly StopCondition[],
  costOfView: (view: BetweenView) => number | undefined,
): BetweenRounds {
  return {
    async before(view) {
      const { tools: _tools, ...shown } = view;
      const state = { ...shown, ...defined({ cost: costOfView(view) }) };
      for (const condition of conditions) {
        const answer = await condition(state);
        if (answer === true || answer === 'now' || answer === 'answer')
          return { stop: answer === true ? 'now' : answer, stoppedBy: condition.name || 'stopWhen' };
      }
      return undefined;
    },
  };
}
