import { type Job, runJob } from './jobs.js';

// Started by `run.ts` with a job as its argument.
const job = JSON.parse(process.argv[2] ?? '') as Job;
const { failures, tally } = await runJob(job);
process.send?.({ failures, tally: [...tally] }, () => process.disconnect());
