import { JobError, JobLimitError } from 'responses-loop-example-shared/run-job.js';
import { runProcessJob } from 'responses-loop-example-shared/run-process-job.js';

const MODULE = new URL('./draw-chart.ts', import.meta.url).href;
const TIMEOUT_MS = 20_000;

/**
 * Draws a Vega-Lite specification in a process that ends with it.
 *
 * @throws Error for the model.
 */
export async function runChart(spec: object, signal: AbortSignal): Promise<string> {
  try {
    const job = { module: MODULE, name: 'drawChart', input: spec };
    return (await runProcessJob(job, { timeoutMs: TIMEOUT_MS, signal })) as string;
  } catch (error) {
    if (error instanceof JobLimitError) {
      throw new Error(error.message.replace('ask for less at once', 'sum the data up first'), { cause: error });
    }
    // A library that breaks at a wrong specification tells little about it.
    if (error instanceof JobError && error.kind === 'TypeError') {
      throw new Error(`This is not a Vega-Lite chart; the library failed: ${error.message}.`, { cause: error });
    }
    throw error;
  }
}
