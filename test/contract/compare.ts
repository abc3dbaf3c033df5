import { differences } from '../../src/testing/replay/differences.js';
import { asString, isRecord } from '../../src/util/guards.js';
import type { Facts } from './facts.js';

export const LEVELS = [
  'doStream',
  'doGenerate',
  'streamText',
  'generateText',
  'request',
  'streamedTurns',
  'generatedTurns',
  'history',
] as const;
/**
 * Where the two are looked at: the model itself, the SDK above it, or what they send: for one call, for a turn and the next
 * one, and for the turn behind one that the stock provider answered.
 */
export type Level = (typeof LEVELS)[number];

/** One fact in which they differ. */
export interface Found {
  readonly level: Level;
  readonly scenario: string;
  /** Where in the facts; of several steps and of several requests each is looked at alike. */
  readonly field: string;
  readonly stock: unknown;
  readonly ours: unknown;
}

/** Facts of two calls that ended in different ways have nothing in common to compare. */
export function compareFacts(level: Level, scenario: string, [stock, ours]: readonly [Facts, Facts]): Found[] {
  const sameEnd = endOf(stock) === endOf(ours);
  const [a, b] = sameEnd ? [stock, ours] : [{ outcome: outcomeOf(stock) }, { outcome: outcomeOf(ours) }];
  return differences(a, b, () => false).map(({ path, expected, got }) => ({
    level,
    scenario,
    field: path.replace(/^(steps|requests)\[\d+\]\./, ''),
    stock: expected,
    ours: got,
  }));
}

function endOf(facts: Facts): 'rejects' | 'breaks' | 'answers' {
  if (facts['rejects'] !== undefined) return 'rejects';
  return facts['breaks'] === undefined ? 'answers' : 'breaks';
}

/** One line that says how a call ended. */
function outcomeOf(facts: Facts): string {
  const end = endOf(facts);
  if (end === 'answers')
    return ['answers', reasonOf(facts), asString(facts['order'])].filter((word) => word !== undefined).join(' ');
  const [told] = Array.isArray(facts['onError']) ? facts['onError'] : [];
  const error = told ?? facts[end];
  return isRecord(error) ? `${end} ${String(error['name'])}: ${String(error['message'])}` : `${end} ${String(error)}`;
}

function reasonOf(facts: Facts): string | undefined {
  const { steps } = facts;
  const last: unknown = Array.isArray(steps) ? steps.at(-1) : facts;
  return isRecord(last) ? asString(last['finishReason']) : undefined;
}
