import { describe, expect, it } from 'vitest';
import { JobError, JobLimitError } from '../run-job.js';
import { runProcessJob } from '../run-process-job.js';

const module = new URL('./helpers/jobs.ts', import.meta.url).href;
const run = (name: string, input?: unknown, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  runProcessJob({ module, name, input }, { timeoutMs: 20_000, ...more });

describe('a job in a process', () => {
  it('gives back what its function does, bytes too, and throws what it throws', async () => {
    expect(await run('echo', new Uint8Array([2]))).toMatchObject({ input: new Uint8Array([2]) });
    const error = await run('fail').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({ message: 'too far', kind: 'RangeError', code: 'FAR' });
  });

  it('ends alone if its process aborts', async () => {
    await expect(run('abort')).rejects.toThrow(new JobLimitError('It needs more than 512 MB: ask for less at once.'));
  });

  it('is ended at its limit and by its signal, also while it waits for a place', async () => {
    await expect(run('spin', undefined, { timeoutMs: 700 })).rejects.toThrow('It took longer than 700 ms');
    const stop = new AbortController();
    const all = Array.from({ length: 6 }, () => run('spin', undefined, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 300);
    const ended = await Promise.allSettled(all);
    expect(ended.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
      all.map(() => 'Error: It was stopped.'),
    );
  });
});
