// A thread of `run-job.ts`, or a process of `run-process-job.ts`: it runs functions of the modules that it is told, one after
// the other.
import { parentPort } from 'node:worker_threads';
import { loadProgram } from './load-program.mjs';

/* oxlint-disable unicorn/require-post-message-target-origin -- a thread, not a window */
const answer = parentPort === null ? (told) => process.send(told) : (told) => parentPort.postMessage(told);
(parentPort ?? process).on('message', (job) => void run(job));

async function run({ module, name, input }) {
  try {
    const jobs = await loadProgram(module);
    answer({ output: await jobs[name](input) });
  } catch (error) {
    // Errors lose what they are on the way.
    const { name: kind = 'Error', message = String(error), code } = error ?? {};
    answer({ error: { kind, message, ...(typeof code === 'string' ? { code } : {}) } });
  }
}
