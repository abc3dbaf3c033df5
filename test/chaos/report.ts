import type { JobOutcome } from './jobs.js';
import type { Failure } from './run-many.js';

/** What is needed to understand a failure and to see it again. */
export function describeFailure({ seed, scenario, findings, failsAlone }: Failure): string {
  return [
    `seed ${seed} failed${failsAlone ? '' : ' (not again when played alone)'}:`,
    ...findings.map(({ invariant, problem }) => `  ${invariant}: ${problem}`),
    `  again: npm run chaos -- --seed ${seed} --runs 1`,
    `  scenario: ${JSON.stringify(scenario)}`,
  ].join('\n');
}

/** One line: runs, seconds, what was met how often. */
export function summarise({ failures, tally }: JobOutcome, runs: number, seconds: number): string {
  const counts = [...tally].toSorted(([, a], [, b]) => b - a).map(([name, count]) => `${name} ${count}`);
  const rate = (runs / seconds).toFixed(0);
  return `${runs} runs, ${seconds.toFixed(1)} s (${rate}/s), ${failures} failures; ${counts.join(', ')}`;
}
