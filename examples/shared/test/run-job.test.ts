import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { JobError, JobLimitError, runJob } from '../run-job.js';

const module = new URL('./helpers/jobs.ts', import.meta.url).href;
const run = (name: string, input?: unknown, more: { timeoutMs?: number; signal?: AbortSignal } = {}) =>
  runJob({ module, name, input }, { timeoutMs: 20_000, ...more });

describe('a job in a thread', () => {
  it('gives back what its function does, and the thread is used again', async () => {
    const first = await run('echo', { a: [1, new Uint8Array([2])] });
    expect(first).toMatchObject({ input: { a: [1, new Uint8Array([2])] } });
    expect(await run('echo')).toMatchObject({ threadId: (first as { threadId: number }).threadId });
  });

  it('throws what its function does, with kind and code', async () => {
    const error = await run('fail').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(JobError);
    expect(error).toMatchObject({ message: 'too far', kind: 'RangeError', code: 'FAR' });
  });

  it('that never ends is ended at its limit, and this thread goes on meanwhile', async () => {
    let ticks = 0;
    const timer = setInterval(() => (ticks += 1), 10);
    await expect(run('spin', undefined, { timeoutMs: 700 })).rejects.toThrow(
      new JobLimitError('It took longer than 700 ms and was ended: ask for less at once.'),
    );
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(20);
    expect(await run('echo', 1)).toMatchObject({ input: 1 });
  });

  it('is ended by its signal, also while it waits for a thread, and before it began', async () => {
    const stop = new AbortController();
    const all = Array.from({ length: 7 }, () => run('spin', undefined, { signal: stop.signal }));
    setTimeout(() => stop.abort(), 500);
    const ended = await Promise.allSettled(all);
    expect(ended.map((each) => each.status === 'rejected' && String(each.reason))).toEqual(
      all.map(() => 'Error: It was stopped.'),
    );
    await expect(run('echo', 1, { signal: stop.signal })).rejects.toThrow('It was stopped.');
    expect(await run('echo', 2)).toMatchObject({ input: 2 });
  });

  it('waits for a thread where four run, and all get one', async () => {
    const threads = await Promise.all(Array.from({ length: 12 }, () => run('wait', 50)));
    expect(new Set(threads).size).toBeLessThanOrEqual(4);
  });

  it('holds up no program: idle threads end with it', () => {
    const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const args = ['--import', path('../../use-package.mjs'), path('./helpers/run-one-job.ts')];
    const { stdout, status } = spawnSync(process.execPath, args, { timeout: 15_000, encoding: 'utf8' });
    expect({ stdout, status }).toEqual({ stdout: 'done\n', status: 0 });
  });
});
