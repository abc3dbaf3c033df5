// Node, Bun and Deno: the settings come as an argument, and the process has to end by itself after its report.
import { runJob } from './job.mjs';

console.log(JSON.stringify(await runJob(JSON.parse(process.argv[2]))));
