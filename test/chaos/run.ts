import { parseArgs } from 'node:util';

import { describeFailure, summarise } from './report.js';
import { runMany } from './run-many.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '300' },
    width: { type: 'string', default: '16' },
    batch: { type: 'string', default: '250' },
    'max-failures': { type: 'string', default: '20' },
    quiet: { type: 'boolean', default: false },
  },
});
const runs = Number(values.runs);
const startedAt = performance.now();
const campaign = await runMany({
  seed: Number(values.seed),
  runs,
  width: Number(values.width),
  batch: Number(values.batch),
  maxFailures: Number(values['max-failures']),
  onFailure: (failure) => console.log(describeFailure(failure)),
  onBatch: (done) => {
    if (!values.quiet && done % 1_000 === 0) console.log(`${done} of ${runs}`);
  },
});
console.log(summarise(campaign, runs, (performance.now() - startedAt) / 1_000));
process.exitCode = campaign.failures.length === 0 ? 0 : 1;
