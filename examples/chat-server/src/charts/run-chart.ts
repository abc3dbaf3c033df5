import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('chart-process.mjs', import.meta.url));
const TIMEOUT_MS = 20_000;
const MAX_HEAP_MB = 512;

type Answer = { readonly svg: string } | { readonly error: string; readonly isBroken: boolean };

/**
 * Draws a Vega-Lite specification in a process that ends with it. A thread is not enough: a table that grows beyond what V8
 * has room for ends the whole process.
 *
 * @throws Error for the model.
 */
export function runChart(spec: object, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, [], {
      env: {},
      execArgv: [`--max-old-space-size=${MAX_HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    let end = new Error(`It needs more than ${MAX_HEAP_MB} MB: sum the data up first.`);
    const stop = (reason: string): void => {
      end = new Error(reason);
      child.kill('SIGKILL');
    };
    const onAbort = (): void => stop('It was stopped.');
    const timer = setTimeout(
      () => stop(`It took longer than ${TIMEOUT_MS / 1000} s: sum the data up first.`),
      TIMEOUT_MS,
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    child.once('message', (answer: Answer) => {
      if ('svg' in answer) resolve(answer.svg);
      else reject(new Error(textOf(answer)));
    });
    child.once('error', (error) => (end = error));
    child.once('close', () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      // Without an answer; a second end changes nothing.
      reject(end);
    });
    child.send(spec);
  });
}

/** A library that breaks at a wrong specification tells little about it. */
function textOf({ error, isBroken }: Extract<Answer, { error: string }>): string {
  return isBroken ? `This is no chart of Vega-Lite; the library broke at it: ${error}.` : error;
}
