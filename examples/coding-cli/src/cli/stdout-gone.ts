import { stdout } from 'node:process';

export interface PipeWatch {
  /** Fires when nobody reads stdout any more. */
  readonly signal: AbortSignal;
  end(): void;
}

/** `coder … | head` has read enough. */
export function onPipeClosed(stop: () => void): PipeWatch {
  const controller = new AbortController();
  const listener = (error: NodeJS.ErrnoException): void => {
    if (error.code !== 'EPIPE') throw error;
    if (controller.signal.aborted) return;
    controller.abort();
    stop();
  };
  stdout.on('error', listener);
  return { signal: controller.signal, end: () => void stdout.off('error', listener) };
}
