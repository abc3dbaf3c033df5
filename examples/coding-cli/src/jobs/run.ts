import { JobError, JobLimitError, runJob } from 'responses-loop-example-shared/run-job.js';
import { ToolError } from '../tools/context.js';
import type * as jobs from './jobs.js';

type Jobs = typeof jobs;

export interface JobContext {
  readonly signal?: AbortSignal | undefined;
  readonly extra: { readonly fileToolMs: number };
}

const MODULE = new URL('./jobs.ts', import.meta.url).href;

/**
 * Does the part of a file tool that goes through files and texts of others: in a thread that ends at the time limit, so that
 * signals, the screen and other tools go on.
 *
 * @throws ToolError
 */
export async function runFileJob<Name extends keyof Jobs>(
  name: Name,
  input: Parameters<Jobs[Name]>[0],
  { signal, extra }: JobContext,
): Promise<Awaited<ReturnType<Jobs[Name]>>> {
  try {
    const output = await runJob({ module: MODULE, name, input }, { timeoutMs: extra.fileToolMs, signal });
    return output as Awaited<ReturnType<Jobs[Name]>>;
  } catch (error) {
    const isKnown = error instanceof JobLimitError || (error instanceof JobError && error.kind === 'ToolError');
    throw isKnown ? new ToolError(error.message) : error;
  }
}
