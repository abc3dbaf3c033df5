import type { Between, BetweenView, RoundChange } from '../loop/between-rounds.js';
import { defined } from '../util/defined.js';
import type { Acting } from './acting.js';
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

/** Joins what acts between rounds: the conditions first, so that nothing is prepared for a loop that ends. */
export function betweenOf({ prepareRound, stopWhen, price, steering }: BetweenSettings, use: Between['use']): Between {
  const costs = new Costs(price);
  const cost = ({ rounds, modelId }: BetweenView): number | undefined => costs.of(rounds, modelId);
  const steered = steering && openSteering(steering);
  const all: readonly Acting[] = [
    ...(stopWhen === undefined ? [] : [stopBy([stopWhen].flat(), cost)]),
    ...(prepareRound === undefined ? [] : [prepareWith(prepareRound, cost)]),
    // Last, because a taken text must be sent.
    ...(steered === undefined ? [] : [steered]),
  ];
  return {
    use,
    before: (view) => changeRound(all, view),
    opened() {
      for (const one of all) one.opened?.();
    },
    end() {
      for (const one of all) one.end?.();
    },
  };
}

/** Returns the changes of all together. An end is not taken back, and behind `'now'` no other one is asked. */
async function changeRound(all: readonly Acting[], view: BetweenView): Promise<RoundChange> {
  let change: RoundChange = {};
  for (const one of all) {
    const next = (await one.before(view)) ?? {};
    const texts = [...(change.texts ?? []), ...(next.texts ?? [])];
    const ended = change.stop === undefined ? {} : { stop: change.stop, stoppedBy: change.stoppedBy };
    change = { ...change, ...next, ...(texts.length > 0 && { texts }), ...defined(ended) };
    if (change.stop === 'now') break;
  }
  return change;
}

function stopBy(conditions: readonly StopCondition[], costOfView: (view: BetweenView) => number | undefined): Acting {
  return {
    async before(view) {
      const { tools: _tools, keptBack: _keptBack, ...shown } = view;
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
