import { Cancellation } from '../../../util/abort.js';
import { delay } from '../../../util/timers.js';
import { type FetchLike, requestId } from './guard-fetch.js';

/** Event streams opened in a row without a pause: a server may end one so that its client asks for the rest. */
const AT_ONCE = 16;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 10_000;

interface PaceOptions {
  /** Milliseconds since any moment. */
  readonly now?: () => number;
  readonly pause?: typeof delay;
}

/**
 * Slows down a server that has its event streams reopened without end. The MCP SDK's clients reopen a stream as soon as
 * the server wants (`retry: 0`) and never give up. After some in a row the pause grows, up to ten seconds, until we
 * send a request; answers to the server's requests do not count.
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
