import { parseArgs } from 'node:util';

import { divide, type Job, runJobs } from './jobs.js';
import { summarise } from './report.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '300' },
    width: { type: 'string', default: '16' },
    batch: { type: 'string', default: '250' },
    jobs: { type: 'string', default: '1' },
    'max-failures': { type: 'string', default: '20' },
    quiet: { type: 'boolean', default: false },
    sockets: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const whole: Job = {
  seed: Number(values.seed),
  runs,
  width: Number(values.width),
  batch: Number(values.batch),
  maxFailures: Number(values['max-failures']),
  quiet: values.quiet,
  onlySockets: values.sockets,
};
const startedAt = performance.now();
const outcome = await runJobs(divide(whole, Number(values.jobs)));
console.log(summarise(outcome, runs, (performance.now() - startedAt) / 1_000));
process.exitCode = outcome.failures === 0 ? 0 : 1;
