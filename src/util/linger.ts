import { raceAbort } from './abort.js';
import type { AbortLike } from './cancellation.js';
import { withTimeout } from './timeout.js';

/** How long the end of a stream may take once nobody needs it, in milliseconds, and in how many pieces it may come. */
const LINGER_MS = 250;
const LINGER_PIECES = 16;

/** Reads what is left of a stream, which is mostly a moment away; rejects where it is not. */
export function linger(read: () => PromiseLike<{ readonly done?: boolean }>, signal: AbortLike): Promise<void> {
  const drain = async (): Promise<void> => {
    for (let pieces = 0; pieces < LINGER_PIECES; pieces += 1) if ((await read()).done === true) return;
    throw goesOn();
  };
  return withTimeout(raceAbort(drain(), signal), LINGER_MS, goesOn);
}

function goesOn(): Error {
  return new Error('The stream goes on.');
}
