import { quietly } from './quietly.js';

/** What can be followed and waited for: an `AbortSignal`, or a `Cancellation`. */
export interface AbortLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * What an `AbortController` and its signal are for others, for ourselves: where no `fetch` and no tool gets to see it. It
 * costs a call next to nothing (Node takes tens of microseconds for a signal), and belongs to no request, so that a
 * provider can have one too: Workers refuse signals made outside of a request, or in another.
 */
export class Cancellation implements AbortLike {
  aborted = false;
  reason: unknown;
  #listeners: Set<() => void> | undefined;

  cancel(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    // One that fails keeps none of the others from hearing it, nor whoever cancels from going on.
    for (const listener of this.#listeners ?? []) quietly(listener);
    this.#listeners = undefined;
  }

  /** It never comes twice. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.#listeners?.delete(listener);
  }
}
