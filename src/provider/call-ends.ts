import { type AbortLike, Cancellation, onceAborted } from '../util/abort.js';
import { startDeadline } from './deadline.js';

export interface CallEndsOptions {
  readonly abortSignal: AbortSignal | undefined;
  readonly totalMs: number | undefined;
  /** The provider was closed. */
  readonly closed: AbortLike;
}

/** All that may end a call early. */
export interface CallEnds {
  /** Those who no longer want it: the caller's signal, and whoever cancels. */
  readonly unwanted: Cancellation;
  /** The same, or its time is up, or the provider is closed. */
  readonly any: AbortLike;
  release(): void;
}

export function callEnds({ abortSignal, totalMs, closed }: CallEndsOptions): CallEnds {
  const unwanted = new Cancellation();
  const any = new Cancellation();
  const end = (reason: unknown): void => any.cancel(reason);
  const releases = [
    onceAborted(unwanted, end),
    onceAborted(abortSignal, (reason) => unwanted.cancel(reason)),
    onceAborted(closed, end),
    startDeadline(totalMs, end),
  ];
  return {
    unwanted,
    any,
    release() {
      for (const release of releases) release();
    },
  };
}
