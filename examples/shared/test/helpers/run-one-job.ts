import { runJob } from '../../run-job.js';

await runJob({ module: new URL('./jobs.ts', import.meta.url).href, name: 'echo', input: 1 }, { timeoutMs: 20_000 });
console.log('done');
