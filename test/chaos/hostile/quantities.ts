import type { Dice } from '../dice.js';
import { says } from './answers.js';
import { user } from './histories.js';
import type { Crowd, FloodAnswer, FloodKind, HostileScenario, HostileSettings } from './scenario.js';

type Plan = Partial<Omit<HostileScenario, 'settings'>> & { readonly settings?: Partial<HostileSettings> };

/** Limits that would end it earlier are raised: what is looked at is what it costs. */
const RAISED: Partial<HostileSettings> = {
  limits: { callsPerRound: 100_000, jsonDepth: 1_000 },
  json: false,
  keys: { count: 1, prefix: 'sk-', given: 'list' },
};
const TEN_THOUSAND = 10_000;

const flood = (of: FloodKind, count = TEN_THOUSAND, settings: Partial<HostileSettings> = {}) => ({
  of,
  count,
  settings,
});

/** Things a server may send many of. Deltas are cheap, so there are more of them. */
const FLOODS: readonly ReturnType<typeof flood>[] = [
  flood('deltas', 40_000),
  flood('deltas', 40_000, { json: true }),
  // A good stream of any length is read, however little a message may hold.
  flood('deltas', 20_000, { limits: { messageBytes: 20_000 } }),
  flood('blank-deltas', 40_000, { json: true }),
  flood('argument-deltas', 40_000),
  flood('calls-read', 5_000),
  flood('calls-write', 5_000),
  flood('calls-client', 5_000),
  flood('calls-open', 5_000),
  flood('same-ids', 5_000),
  flood('big-arguments', 30_000),
  flood('items'),
  flood('unknown-items'),
  flood('same-index'),
  flood('never-announced'),
  flood('annotations'),
  flood('contents'),
  flood('reasoning-sections'),
  flood('no-json', 40_000),
  flood('comments', 40_000),
  flood('blank-lines', 100_000),
  flood('nesting'),
];

const CROWDS: readonly Crowd[] = [
  { of: 'turns', count: TEN_THOUSAND },
  { of: 'turns-one-id', count: 5_000 },
  { of: 'carried-one-id', count: 5_000 },
  { of: 'denials', count: 5_000 },
  { of: 'reason', count: 100_000 },
  { of: 'same-words', count: TEN_THOUSAND },
  { of: 'deep-metadata', count: 3_000 },
];

export function generateQuantity(dice: Dice): Plan {
  const make = dice.weighted<(dice: Dice) => Plan>([
    [6, planFlood],
    [3, planCrowd],
    [1, planOther],
  ]);
  const plan = make(dice);
  return { isHeavy: true, ...plan, settings: { ...RAISED, ...plan.settings } };
}

function planFlood(dice: Dice): Plan {
  const { of, count, settings } = dice.pick(FLOODS);
  const pieces = dice.weighted<FloodAnswer['pieces']>([
    [3, 'kilobytes'],
    [3, 'one'],
    [1, 'each'],
  ]);
  return { answers: [{ kind: 'flood', of, count, pieces }], settings: { ...settings, carrier: 'metadata' } };
}

function planCrowd(dice: Dice): Plan {
  return { crowd: dice.pick(CROWDS), posted: [user('Hello.')], answers: [says('answer')] };
}

const OTHERS: readonly Plan[] = [
  { tools: TEN_THOUSAND, answers: [says('answer')] },
  { modelId: '/'.repeat(4_000), answers: [says('answer')] },
  { modelId: `${'a'.repeat(60)}!`, answers: [says('answer')] },
  {
    posted: Array.from({ length: 200 }, () => user('Hello. '.repeat(200))),
    answers: [says('answer')],
    settings: { keys: { count: 500, prefix: 'sk-', given: 'list' } },
  },
];

function planOther(dice: Dice): Plan {
  return dice.pick(OTHERS);
}
