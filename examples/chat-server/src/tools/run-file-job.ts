import { runJob } from 'responses-loop-example-shared/run-job.js';
import { runProcessJob } from 'responses-loop-example-shared/run-process-job.js';
import { documentKindOf } from '../documents/document-kinds.js';
import type * as jobs from './file-jobs.js';

type Jobs = typeof jobs;

const MODULE = new URL('./file-jobs.ts', import.meta.url).href;
const TIMEOUT_MS = 30_000;

/**
 * Reads files in a thread that ends at the time limit and at Stop, so that the server answers meanwhile; documents in a
 * process, which their libraries may end.
 */
export async function runFileJob<Name extends keyof Jobs>(
  name: Name,
  input: Parameters<Jobs[Name]>[0],
  signal: AbortSignal,
): Promise<Awaited<ReturnType<Jobs[Name]>>> {
  const run = opensDocument(name, input) ? runProcessJob : runJob;
  const output = await run({ module: MODULE, name, input }, { timeoutMs: TIMEOUT_MS, signal });
  return output as Awaited<ReturnType<Jobs[Name]>>;
}

function opensDocument(name: keyof Jobs, input: Parameters<Jobs[keyof Jobs]>[0]): boolean {
  return 'kind' in input || (name === 'readLines' && documentKindOf(input.path) !== undefined);
}
