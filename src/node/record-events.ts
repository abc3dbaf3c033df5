import { closeSync, openSync, writeSync } from 'node:fs';
import type { Observer } from '../observe/event.js';

export interface EventRecorder {
  /** Goes into the setting `onEvent`. */
  (...event: Parameters<Observer>): void;
  /** Closes the file; later events are not kept. */
  readonly close: () => void;
}

/** Filled in by the timeline. */
export function recordEvents(path: string): EventRecorder {
  const file = openSync(path, 'a', 0o600);
  const record = (event: Parameters<Observer>[0]) =>
    void writeSync(file, `${JSON.stringify({ at: Date.now(), event })}\n`);
  return Object.assign(record, { close: () => closeSync(file) });
}
