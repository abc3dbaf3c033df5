import { readLedger, repeated } from './ledger.js';
import type { Outcome } from './target.js';

/** How long half of the moved turns may take to go on, beside what a busy machine adds. */
const MOVED_MS = 10_000;
const BUSY_MS = 5_000;

export type Counts = ReturnType<typeof countsOf>;

export function countsOf(outcomes: readonly Outcome[], ledger: string, asked: ReadonlyMap<string, number>) {
  const effects = readLedger(ledger);
  const again = repeated(effects);
  const named = new Set(outcomes.flatMap(({ calls }) => calls));
  const moved = outcomes.filter(({ lost }) => lost > 0);
  const sum = (count: (outcome: Outcome) => number): number => outcomes.reduce((all, one) => all + count(one), 0);
  return {
    turns: outcomes.length,
    'ended well': outcomes.filter((outcome) => outcome.broken.length === 0).length,
    'lost connections': sum(({ lost }) => lost),
    'moved turns': moved.length,
    // The longest wait is a matter of luck: instances die before they go on, too.
    'went on within (s), half of them': (median(moved.map(({ silenceMs }) => silenceMs)) / 1000).toFixed(1),
    requests: outcomes.reduce((all, { turn }) => all + (asked.get(turn) ?? 0), 0),
    'tool runs': effects.length,
    'second runs': again.length,
    'writes twice': again.filter(({ tool }) => tool === 'put').length,
    lost: sum(({ missing }) => missing),
    doubled: sum(({ doubled }) => doubled),
    orphans: effects.filter(({ callId }) => !named.has(callId)).length,
  };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

export function problemsOf(row: Counts, outcomes: readonly Outcome[]): string[] {
  const zero = (['writes twice', 'lost', 'doubled', 'orphans'] as const).filter((name) => row[name] > 0);
  const { 'went on within (s), half of them': wait } = row;
  const isLate = Number(wait) * 1000 > MOVED_MS + BUSY_MS;
  return [
    ...outcomes.flatMap((outcome) => outcome.broken),
    ...zero.map((name) => `${name}: ${row[name]}`),
    ...(isLate ? [`half of the turns that moved went on after ${wait} s or later`] : []),
  ];
}

export function tableOf(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, names.map(() => '---'), ...rows.map((row) => names.map((name) => String(row[name])))];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
