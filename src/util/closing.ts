/** What `followAbort` can follow: a signal, or something like one. */
export type AbortLike = Pick<AbortSignal, 'aborted' | 'reason' | 'addEventListener' | 'removeEventListener'>;

/**
 * The end of a provider, for all its calls. Like an `AbortController` with its signal, but made of nothing that belongs to
 * a request: Workers refuse a signal made outside of one, or in another.
 */
export class Closing extends EventTarget implements AbortLike {
  aborted = false;
  reason: unknown;

  close(reason: Error): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    this.dispatchEvent(new Event('abort'));
  }
}
