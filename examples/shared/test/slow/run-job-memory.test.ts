import { expect, it } from 'vitest';
import { runJob } from '../../run-job.js';

const module = new URL('../helpers/jobs.ts', import.meta.url).href;

it('a job that needs too much memory ends alone', async () => {
  const filling = runJob({ module, name: 'fill', input: undefined }, { timeoutMs: 100_000 });
  await expect(filling).rejects.toThrow('It needs more than 512 MB: ask for less at once.');
  expect(await runJob({ module, name: 'echo', input: 3 }, { timeoutMs: 20_000 })).toMatchObject({ input: 3 });
});
