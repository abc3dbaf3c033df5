import { Cancellation } from '../../../util/abort.js';
import { delay } from '../../../util/timers.js';
import { type FetchLike, requestId } from './guard-fetch.js';

/** So many event streams in a row are opened at once: a server may end one to have its client ask for the rest. */
const AT_ONCE = 16;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

interface PaceOptions {
  /** Milliseconds since any moment. */
  readonly now?: () => number;
  readonly pause?: typeof delay;
}

/**
 * Keeps a server from having its event streams opened without end. The clients of the MCP SDK open a stream again whenever it
 * ends, as soon as the server says (`retry: 0`), and never give up. After some in a row the time between two of them grows, up
 * to ten seconds, until a request of ours is sent; answers to requests of the server are none.
 */
export function paceStreams(
  fetch: FetchLike,
  { now = () => performance.now(), pause = delay }: PaceOptions = {},
): FetchLike {
  let inARow = 0;
  let openedAt = 0;
  return async (url, init) => {
    if (requestId(init) !== undefined) inARow = 0;
    else if ((init?.method ?? 'GET').toUpperCase() === 'GET') {
      inARow += 1;
      const ms = openedAt + pauseMs(inARow) - now();
      if (ms > 0) await pause(ms, init?.signal ?? new Cancellation());
      openedAt = now();
    }
    return fetch(url, init);
  };
}

function pauseMs(inARow: number): number {
  return inARow <= AT_ONCE ? 0 : Math.min(FIRST_PAUSE_MS * 2 ** (inARow - AT_ONCE - 1), LONGEST_PAUSE_MS);
}
