import type { AbortLike } from '../util/closing.js';
import { followAbort } from '../util/abort.js';
import { createDeadline } from './deadline.js';

export interface CallEndsOptions {
  readonly abortSignal: AbortSignal | undefined;
  readonly totalMs: number | undefined;
  /** The provider was closed. */
  readonly closed: AbortLike;
}

/** All that may end a call early. */
export interface CallEnds {
  /** Of those who no longer want it: the caller's signal, and `cancel()`. */
  readonly controller: AbortController;
  /** The same, or its time is up, or the provider is closed. */
  readonly signal: AbortSignal;
  release(): void;
}

export function callEnds({ abortSignal, totalMs, closed }: CallEndsOptions): CallEnds {
  const { controller, release: stopFollowing } = followAbort(abortSignal);
  const deadline = createDeadline(totalMs);
  const all = followAbort(controller.signal, deadline.signal, closed);
  return {
    controller,
    signal: all.controller.signal,
    release() {
      stopFollowing();
      deadline.release();
      all.release();
    },
  };
}
