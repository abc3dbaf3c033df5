import { createDice, type Dice } from '../dice.js';

/** A conversation whose model reads long outputs, looks for tools, and leaves calls open; as plain data. */
export interface LongRun {
  readonly seed: number;
  readonly version: 'v2' | 'v3' | 'v4';
  readonly method: 'doStream' | 'doGenerate';
  /** Async calls need OpenAI; at any other server we search for tools. */
  readonly backend: 'openai' | 'generic';
  readonly maxToolOutputChars: number;
  readonly maxContinuations: 0 | 1 | 2;
  /** A call that waits for nothing leaves the results of open calls to the next turn. */
  readonly asyncToolWaitMs?: 0;
  /** How texts are kept: in memory, by functions of the app, or by functions that fail. */
  readonly store: 'memory' | 'app' | 'fails';
  /** One list of rounds for each turn of the user. */
  readonly turns: readonly (readonly Round[])[];
}

/** One answer of the model. */
export type Round =
  | { readonly kind: 'calls'; readonly calls: readonly Move[] }
  /** The connection ends after so many characters of a text. */
  | { readonly kind: 'breaks'; readonly after: number }
  | { readonly kind: 'fails'; readonly status: 429 | 500 };

export type Move =
  /** A tool with an output of so many characters. */
  | { readonly call: 'log'; readonly chars: number; readonly isError: boolean }
  /** A range of one of the outputs that were cut; shares are of its length. */
  | {
      readonly call: 'read';
      readonly which: number;
      readonly from: number;
      readonly to: number;
      readonly forged: boolean;
    }
  | { readonly call: 'search'; readonly word: number }
  | { readonly call: 'kept'; readonly number: number }
  /** Ends with the request that comes so many later. */
  | { readonly call: 'slow'; readonly requests: number }
  | { readonly call: 'quick' };

/** Tools that are kept back until the model has searched for them. */
export const KEPT_BACK = 6;

export function generateLongRun(seed: number): LongRun {
  const dice = createDice(seed);
  const backend = dice.pick(['openai', 'generic'] as const);
  return {
    seed,
    version: dice.pick(['v2', 'v3', 'v4'] as const),
    method: dice.pick(['doStream', 'doStream', 'doGenerate'] as const),
    backend,
    maxToolOutputChars: dice.pick([300, 1_000, 5_000]),
    maxContinuations: dice.pick([0, 1, 2] as const),
    ...(dice.chance(0.3) ? { asyncToolWaitMs: 0 } : {}),
    store: dice.weighted([
      [5, 'memory'],
      [3, 'app'],
      [1, 'fails'],
    ]),
    turns: Array.from({ length: dice.between(1, 3) }, () =>
      Array.from({ length: dice.between(1, 5) }, () => generateRound(dice, backend)),
    ),
  };
}

function generateRound(dice: Dice, backend: LongRun['backend']): Round {
  if (dice.chance(0.08)) return { kind: 'breaks', after: dice.between(1, 40) };
  if (dice.chance(0.06)) return { kind: 'fails', status: dice.pick([429, 500] as const) };
  return { kind: 'calls', calls: Array.from({ length: dice.between(1, 3) }, () => generateMove(dice, backend)) };
}

function generateMove(dice: Dice, backend: LongRun['backend']): Move {
  const kind = dice.weighted<Move['call']>([
    [4, 'log'],
    [5, 'read'],
    [2, 'quick'],
    ...(backend === 'openai' ? [[4, 'slow'] as const] : [[3, 'search'] as const, [3, 'kept'] as const]),
  ]);
  if (kind === 'log') return { call: kind, chars: dice.pick([50, 400, 2_000, 20_000]), isError: dice.chance(0.2) };
  if (kind === 'search') return { call: kind, word: dice.below(KEPT_BACK + 1) };
  if (kind === 'kept') return { call: kind, number: dice.below(KEPT_BACK) };
  if (kind === 'slow') return { call: kind, requests: dice.below(4) };
  if (kind === 'quick') return { call: kind };
  const from = dice.below(100);
  return { call: 'read', which: dice.below(5), from, to: dice.between(from, 110), forged: dice.chance(0.1) };
}
