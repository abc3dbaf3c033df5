import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import { describeFailure } from './report.js';
import { runMany } from './run-many.js';
import { addCount, createTally, type Tally } from './tally.js';

/** Seeds in a row that one process plays. */
export interface Job {
  readonly seed: number;
  readonly runs: number;
  readonly width: number;
  readonly batch: number;
  readonly maxFailures: number;
  readonly quiet: boolean;
  readonly onlySockets: boolean;
}

export interface JobOutcome {
  readonly failures: number;
  readonly tally: Tally;
}

/** Splits the seeds among so many processes. */
export function divide(job: Job, count: number): Job[] {
  const share = Math.ceil(job.runs / Math.max(1, count));
  const jobs: Job[] = [];
  for (let from = 0; from < job.runs; from += share)
    jobs.push({ ...job, seed: job.seed + from, runs: Math.min(share, job.runs - from) });
  return jobs;
}

/** One job runs in this process, several each in one of their own. */
export async function runJobs(jobs: readonly Job[]): Promise<JobOutcome> {
  const [only] = jobs;
  const outcomes = await Promise.all(jobs.length === 1 && only !== undefined ? [runJob(only)] : jobs.map(forkJob));
  const tally = createTally();
  for (const outcome of outcomes) for (const [name, number] of outcome.tally) addCount(tally, name, number);
  return { failures: outcomes.reduce((sum, { failures }) => sum + failures, 0), tally };
}

export async function runJob({ quiet, ...job }: Job): Promise<JobOutcome> {
  const { failures, tally } = await runMany({
    ...job,
    onFailure: (failure) => console.log(describeFailure(failure)),
    onBatch: (done) => {
      if (!quiet && done % 1_000 === 0) console.log(`${done} of ${job.runs} from seed ${job.seed}`);
    },
  });
  return { failures: failures.length, tally };
}

async function forkJob(job: Job): Promise<JobOutcome> {
  const child = fork(fileURLToPath(new URL('job.ts', import.meta.url)), [JSON.stringify(job)]);
  let outcome: JobOutcome | undefined;
  // The child sends one message: its outcome, with the tally as a list.
  child.on('message', (message: { failures: number; tally: [string, number][] }) => {
    outcome = { failures: message.failures, tally: new Map(message.tally) };
  });
  await once(child, 'exit');
  // A process that ended without a word is a failure of its own.
  return outcome ?? { failures: 1, tally: new Map([[`job of seed ${job.seed} died`, 1]]) };
}
