import { AsyncLocalStorage } from 'node:async_hooks';
import type { Journal } from 'responses-loop/v3';

/** The journal of the turn that asks: the provider is one for all turns, a journal belongs to one attempt at one turn. */
export const journalOfTurn = new AsyncLocalStorage<Journal>();
