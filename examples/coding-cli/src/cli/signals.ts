import { EXIT, type ExitCode } from './exit-codes.js';

export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

const CODES: Readonly<Record<StopSignal, ExitCode>> = {
  SIGINT: EXIT.interrupted,
  SIGTERM: EXIT.terminated,
  SIGHUP: EXIT.hangup,
};

export interface StopWatch {
  /** What the program ends with, once a signal came. */
  readonly code: ExitCode | undefined;
  /** Takes the listeners away again. */
  end(): void;
}

/** Stops in good order at the first signal, and at once at the second. */
export function onStopSignals(stop: (signal: StopSignal) => void): StopWatch {
  let code: ExitCode | undefined;
  const listener = (signal: NodeJS.Signals): void => {
    if (code !== undefined) process.exit(code);
    code = CODES[signal as StopSignal];
    stop(signal as StopSignal);
  };
  const signals = Object.keys(CODES) as StopSignal[];
  for (const signal of signals) process.on(signal, listener);
  return {
    get code() {
      return code;
    },
    end: () => {
      for (const signal of signals) process.off(signal, listener);
    },
  };
}
