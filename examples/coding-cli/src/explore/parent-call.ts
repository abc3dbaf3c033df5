import { AsyncLocalStorage } from 'node:async_hooks';

/** The id of the call that a sub-agent works for, seen by all that happens for it. */
export const parentCall = new AsyncLocalStorage<string>();
