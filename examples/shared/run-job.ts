import { Worker } from 'node:worker_threads';

/** A function of a module, which takes and gives what can be copied to another thread. */
export interface Job {
  /** The address of the module. */
  readonly module: string;
  readonly name: string;
  readonly input: unknown;
}

export interface JobLimits {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** What a job threw. `kind`: the name of its class. */
export class JobError extends Error {
  readonly kind: string;
  readonly code: string | undefined;

  constructor({ kind, message, code }: Thrown) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** A job that was ended before it was done. */
export class JobLimitError extends Error {}

interface Thrown {
  readonly kind: string;
  readonly message: string;
  readonly code?: string;
}

export type JobAnswer = { readonly output: unknown } | { readonly error: Thrown };

const SCRIPT = new URL('./job-worker.mjs', import.meta.url);
const MAX_THREADS = 4;
const IDLE_MS = 30_000;
const MAX_HEAP_MB = 512;

/**
 * Runs a job in a thread of its own, which is ended with it at the time limit and by the signal: whatever a file or a
 * pattern makes of it, this thread goes on. Threads are started when they are needed, kept for a while, and hold up nothing.
 *
 * @throws JobError for what the job threw, JobLimitError if it was ended.
 */
export async function runJob(job: Job, { timeoutMs, signal }: JobLimits): Promise<unknown> {
  const thread = await takeThread(signal);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let onAbort: (() => void) | undefined;
  const ended = new Promise<never>((_, reject) => {
    const end = (error: Error): void => {
      thread.isOver = true;
      void thread.worker.terminate();
      reject(error);
    };
    onAbort = () => end(new JobLimitError('It was stopped.'));
    timer = setTimeout(
      () => end(new JobLimitError(`It took longer than ${timeoutMs} ms and was ended: ask for less at once.`)),
      timeoutMs,
    );
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
  });
  try {
    const answer = await Promise.race([thread.ask(job), ended]);
    if ('error' in answer) throw new JobError(answer.error);
    return answer.output;
  } finally {
    clearTimeout(timer);
    if (onAbort !== undefined) signal?.removeEventListener('abort', onAbort);
    giveBack(thread);
  }
}

class Thread {
  readonly worker = new Worker(SCRIPT, { resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB } });
  isOver = false;
  idle: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    this.worker.once('exit', () => (this.isOver = true));
    // What went wrong is told to the job that runs.
    this.worker.on('error', () => (this.isOver = true));
  }

  ask(job: Job): Promise<JobAnswer> {
    const { worker } = this;
    return new Promise((resolve, reject) => {
      const onError = (error: Error & { code?: string }): void => {
        const isFull = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
        reject(isFull ? new JobLimitError(`It needs more than ${MAX_HEAP_MB} MB: ask for less at once.`) : error);
      };
      const onExit = (): void => reject(new JobLimitError('Its thread has ended.'));
      worker.once('error', onError).once('exit', onExit);
      worker.once('message', (answer: JobAnswer) => {
        worker.off('error', onError).off('exit', onExit);
        resolve(answer);
      });
      worker.ref();
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(job);
    });
  }
}

const idle: Thread[] = [];
const waiting: (() => void)[] = [];
let running = 0;

async function takeThread(signal: AbortSignal | undefined): Promise<Thread> {
  if (running >= MAX_THREADS) {
    await new Promise<void>((resolve, reject) => {
      const onFree = (): void => {
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(onFree), 1);
        reject(new JobLimitError('It was stopped.'));
      };
      waiting.push(onFree);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
    });
  } else running += 1;
  for (let thread = idle.pop(); thread !== undefined; thread = idle.pop()) {
    clearTimeout(thread.idle);
    if (!thread.isOver) return thread;
  }
  return new Thread();
}

/** One that was ended is not used again; whoever waits gets the place, with another thread if need be. */
function giveBack(thread: Thread): void {
  thread.worker.unref();
  if (!thread.isOver) {
    idle.push(thread);
    thread.idle = setTimeout(() => void endIdle(thread), IDLE_MS).unref();
  }
  const next = waiting.shift();
  if (next === undefined) running -= 1;
  else next();
}

async function endIdle(thread: Thread): Promise<void> {
  idle.splice(idle.indexOf(thread), 1);
  await thread.worker.terminate();
}
