import { ignoreErrors } from './error-text.js';

/** A signal that code can follow and await: an `AbortSignal`, or a `Cancellation`. */
export interface AbortLike {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/**
 * A cheap `AbortController` for internal use, which no `fetch` and no tool sees. Node takes tens of microseconds for a
 * signal. It belongs to no request, so that a provider can have one: Workers refuse signals from outside a request, or
 * from another.
 */
export class Cancellation implements AbortLike {
  aborted = false;
  reason: unknown;
  #listeners: Set<(reason: unknown) => void> | undefined;

  cancel(reason?: unknown): void {
    if (this.aborted) return;
    this.aborted = true;
    this.reason = reason;
    // A failed listener stops neither the others nor the caller.
    for (const listener of this.#listeners ?? []) ignoreErrors(() => listener(reason));
    this.#listeners = undefined;
  }

  /** A signal fires only once. */
  addEventListener(_type: 'abort', listener: (reason: unknown) => void): void {
    this.#listeners ??= new Set();
    this.#listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: (reason: unknown) => void): void {
    this.#listeners?.delete(listener);
  }
}

/** The reason a signal was aborted with, always as an error that the AI SDK takes for an abort. */
export function abortError({ reason }: Pick<AbortLike, 'reason'>): Error {
  return reason instanceof Error ? reason : new DOMException('The call was aborted.', 'AbortError');
}

/**
 * Settles with the promise or rejects as soon as the signal fires, whichever is first; leaves no listener behind. The
 * promise continues; its outcome is ignored.
 */
export function raceAbort<T>(promise: PromiseLike<T>, signal: AbortLike | undefined): Promise<T> {
  if (signal === undefined) return Promise.resolve(promise);
  return new Promise<T>((resolve, reject) => {
    const release = onceAborted(signal, () => reject(abortError(signal)));
    // Also after an abort: a late rejection would surface as unhandled.
    promise.then(
      (value) => {
        release();
        resolve(value);
      },
      (error: unknown) => {
        release();
        reject(error);
      },
    );
  });
}

/** A controller that follows its parents, whichever fires first, until it is released. */
export function followAbort(...parents: readonly (AbortLike | undefined)[]): {
  controller: AbortController;
  release: () => void;
} {
  const controller = new AbortController();
  const releases: (() => void)[] = [];
  for (const parent of parents) releases.push(onceAborted(parent, (reason) => controller.abort(reason)));
  const release = (): void => {
    for (const stop of releases) stop();
  };
  return { controller, release };
}

/** Runs something with a signal that fires with its parents, or at a time limit; leaves no listener and no timer behind. */
export async function withSignal<T>(
  parents: readonly (AbortLike | undefined)[],
  run: (signal: AbortSignal) => Promise<T>,
  limit?: { readonly ms: number; readonly error: Error },
): Promise<T> {
  const { controller, release } = followAbort(...parents);
  const timer = limit && setTimeout(() => controller.abort(limit.error), limit.ms);
  try {
    return await run(controller.signal);
  } finally {
    clearTimeout(timer);
    release();
  }
}

interface Followers {
  readonly all: Set<(reason: unknown) => void>;
  readonly listener: () => void;
}

/** One listener per signal for all that follow it: Node warns of more than ten, and a caller may use one for many calls. */
const FOLLOWERS = new WeakMap<AbortLike, Followers>();

const NOTHING = (): void => {};

/** Calls back at an abort, or at once if it has been, until it is released. */
export function onceAborted(parent: AbortLike | undefined, onAbort: (reason: unknown) => void): () => void {
  if (parent === undefined) return NOTHING;
  if (parent.aborted) {
    onAbort(parent.reason);
    return NOTHING;
  }
  // Not `instanceof`: an entry and what it loads later each have a copy of the class.
  const own = 'cancel' in parent ? (parent as Cancellation) : undefined;
  if (own !== undefined) {
    own.addEventListener('abort', onAbort);
    return () => own.removeEventListener('abort', onAbort);
  }
  const followers = FOLLOWERS.get(parent) ?? listenTo(parent);
  followers.all.add(onAbort);
  return () => {
    followers.all.delete(onAbort);
    if (followers.all.size > 0 || FOLLOWERS.get(parent) !== followers) return;
    FOLLOWERS.delete(parent);
    parent.removeEventListener('abort', followers.listener);
  };
}

function listenTo(parent: AbortLike): Followers {
  const all: Followers['all'] = new Set();
  const listener = (): void => {
    FOLLOWERS.delete(parent);
    for (const follower of all) ignoreErrors(() => follower(parent.reason));
  };
  parent.addEventListener('abort', listener, { once: true });
  const followers = { all, listener };
  FOLLOWERS.set(parent, followers);
  return followers;
}
