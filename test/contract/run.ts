import { compareFacts, type Found, type Level } from './compare.js';
import type { Facts } from './facts.js';
import { observeGenerate, observeStream } from './observe-model.js';
import { observeRequest } from './observe-request.js';
import { observeTurns } from './observe-turns.js';
import { observeGenerateText, observeStreamText } from './observe-sdk.js';
import { FAILED } from './scenarios/failures.js';
import { FROM_FAMILIES } from './scenarios/from-families.js';
import { FROM_TABLES } from './scenarios/from-tables.js';
import { CONVERSATIONS, CONVERSATIONS_UNKEPT, ROUNDS } from './scenarios/recorded.js';
import { REQUESTS, type RequestScenario } from './scenarios/requests.js';
import type { Scenario } from './scenarios/scenario.js';
import { BY_DEFAULT, WRITTEN } from './scenarios/written.js';
import { declared, inWordsOf, type Major, type Side, type Sides } from './sides.js';

/** One thing both are asked, at one level. */
export interface Trial {
  readonly level: Level;
  readonly scenario: string;
  /** The facts in which they differ. */
  run(): Promise<Found[]>;
}

const PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'Ducks?' }] }];
const callOf = (scenario: Scenario, sides: Sides): object => ({
  ...inWordsOf(sides, { prompt: PROMPT, providerOptions: scenario.options ?? {}, ...scenario.call }),
  tools: declared(scenario, sides),
});

/** What both are asked, and where they are looked at. */
export interface Scenarios {
  readonly models: readonly Scenario[];
  readonly sdk: readonly Scenario[];
  readonly requests: readonly RequestScenario[];
  readonly turns: readonly Scenario[];
}

const WRITTEN_ALL = [...WRITTEN, ...BY_DEFAULT, ...FAILED, ...FROM_FAMILIES];

/** Everything that `@ai-sdk/openai` can be asked. */
export const OPENAI_SCENARIOS: Scenarios = {
  models: [...ROUNDS, ...WRITTEN_ALL],
  sdk: [...CONVERSATIONS, ...WRITTEN_ALL],
  requests: [...REQUESTS, ...FROM_TABLES],
  turns: [...FROM_FAMILIES, ...CONVERSATIONS_UNKEPT],
};

interface Row {
  readonly level: Level;
  readonly streaming: boolean;
  readonly of: 'models' | 'sdk';
  readonly observe: (model: ReturnType<Side>, scenario: Scenario, sides: Sides) => Promise<Facts>;
}

const ROWS: readonly Row[] = [
  {
    level: 'doStream',
    streaming: true,
    of: 'models',
    observe: (model, scenario, sides) => observeStream(model, callOf(scenario, sides)),
  },
  {
    level: 'doGenerate',
    streaming: false,
    of: 'models',
    observe: (model, scenario, sides) => observeGenerate(model, callOf(scenario, sides)),
  },
  { level: 'streamText', streaming: true, of: 'sdk', observe: observeStreamText },
  { level: 'generateText', streaming: false, of: 'sdk', observe: observeGenerateText },
];

/** Everything there is to compare. */
export function trialsOf(sides: Sides, all: Scenarios = OPENAI_SCENARIOS): Trial[] {
  const asked = all.requests.filter((scenario) => isFor(scenario, sides));
  const requests = asked.map((scenario) =>
    trial(
      'request',
      scenario.name,
      (side) => observeRequest(side, scenario, sides),
      scenario.vendor === 'azure' ? { ...sides, ...sides.azure } : sides,
    ),
  );
  return [...ROWS.flatMap((row) => answersOf(row, all[row.of], sides)), ...requests, ...turnsOf(all.turns, sides)];
}

/** A turn and the next one, by one provider, and by both after the stock provider's. */
function turnsOf(scenarios: readonly Scenario[], sides: Sides): Trial[] {
  const { stock } = sides;
  return scenarios
    .filter((scenario) => isFor(scenario, sides))
    .flatMap((scenario) => {
      const of = (level: Level, streaming: boolean): Trial =>
        trial(
          level,
          scenario.name,
          (side) => observeTurns({ first: side, next: side, streaming }, scenario, sides),
          sides,
        );
      const behindStock = (side: Side): Promise<Facts> =>
        observeTurns({ first: stock, next: side, streaming: true, onlyNext: true }, scenario, sides);
      const whole = scenario.answer(false) === undefined ? [] : [of('generatedTurns', false)];
      return [of('streamedTurns', true), ...whole, trial('history', scenario.name, behindStock, sides)];
    });
}

const isFor = ({ only }: { readonly only?: readonly Major[] | undefined }, { major }: Sides): boolean =>
  only === undefined || only.includes(major);

function answersOf({ level, streaming, observe }: Row, scenarios: readonly Scenario[], sides: Sides): Trial[] {
  const answered = scenarios.filter((scenario) => isFor(scenario, sides) && scenario.answer(streaming) !== undefined);
  const ask: (scenario: Scenario) => (side: Side) => Promise<Facts> = (scenario) => async (side) => {
    const fetch = scenario.answer(streaming);
    if (fetch === undefined) throw new Error(`${scenario.name} has no such answer.`);
    return observe(side(fetch), scenario, sides);
  };
  return answered.map((scenario) => trial(level, scenario.name, ask(scenario), sides));
}

/** Run once, however often it is asked for. */
function trial(level: Level, scenario: string, observe: (side: Side) => Promise<Facts>, sides: Sides): Trial {
  let found: Promise<Found[]> | undefined;
  const compare = async (): Promise<Found[]> =>
    compareFacts(level, scenario, [await observe(sides.stock), await observe(sides.ours)]);
  return { level, scenario, run: () => (found ??= compare()) };
}
