// Browsers: the page's own script.
import { runJob } from './job.mjs';

globalThis.runJob = runJob;
