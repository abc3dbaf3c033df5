import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type Job, type JobAnswer, JobError, JobLimitError, type JobLimits } from './run-job.js';
import { Slots } from './slots.js';

const PROGRAM = fileURLToPath(new URL('./job-worker.mjs', import.meta.url));
const MAX_HEAP_MB = 512;
const MAX_PROCESSES = 4;
const NEVER = new AbortController().signal;
const places = new Slots(MAX_PROCESSES);

/**
 * Runs a job in a process that ends with it and has no environment. For what strangers wrote: a table that grows beyond what
 * V8 has room for ends the whole process, whichever thread it grows in.
 *
 * @throws JobError for what the job threw, JobLimitError if it was ended.
 */
export async function runProcessJob(job: Job, { timeoutMs, signal = NEVER }: JobLimits): Promise<unknown> {
  await places.take(signal).catch(() => {
    throw new JobLimitError('It was stopped.');
  });
  try {
    const answer = await ask(job, timeoutMs, signal);
    if ('error' in answer) throw new JobError(answer.error);
    return answer.output;
  } finally {
    places.give();
  }
}

function ask(job: Job, timeoutMs: number, signal: AbortSignal): Promise<JobAnswer> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [], {
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let answer: JobAnswer | undefined;
    let end: Error = new JobLimitError(`It needs more than ${MAX_HEAP_MB} MB: ask for less at once.`);
    const stop = (reason: string): void => {
      end = new JobLimitError(reason);
      child.kill('SIGKILL');
    };
    const onAbort = (): void => stop('It was stopped.');
    const timer = setTimeout(
      () => stop(`It took longer than ${timeoutMs} ms and was ended: ask for less at once.`),
      timeoutMs,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    child.once('message', (told: JobAnswer) => {
      answer = told;
      child.kill('SIGKILL');
    });
    child.on('error', (error) => (end = error));
    child.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (answer === undefined) reject(end);
      else resolve(answer);
    });
    // A process that cannot be told has ended, which is heard there.
    child.send(job, () => {});
  });
}
