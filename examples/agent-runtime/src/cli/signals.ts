import { EXIT } from './exit-codes.js';

const STOP = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Stops in good order at the first signal, and at once at the second. Answers what takes the listeners away again. */
export function onStopSignals(stop: () => void): () => void {
  let isStopping = false;
  const listener = (): void => {
    if (isStopping) process.exit(EXIT.interrupted);
    isStopping = true;
    stop();
  };
  for (const signal of STOP) process.on(signal, listener);
  return () => {
    for (const signal of STOP) process.off(signal, listener);
  };
}
