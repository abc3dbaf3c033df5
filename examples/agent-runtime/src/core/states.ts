import type { AgentErrorCode } from '../types/errors.js';
import type { SessionCall, SessionState } from '../types/session.js';
import { AgentError } from './agent-error.js';

/** What a call does to a session: the state it ends in, nothing, or an error of this code. */
export type Transition = SessionState | 'no-op' | { readonly error: AgentErrorCode };

const BUSY = { error: 'session_busy' } as const;
const CLOSED = { error: 'session_closed' } as const;
const DELETED = { error: 'session_deleted' } as const;

const WAITING: Readonly<Record<SessionCall, Transition>> = {
  send: 'active',
  interrupt: 'no-op',
  abort: 'aborted',
  complete: 'completed',
  delete: 'deleted',
};

const OVER: Readonly<Record<SessionCall, Transition>> = {
  send: CLOSED,
  interrupt: 'no-op',
  abort: 'no-op',
  complete: 'no-op',
  delete: 'deleted',
};

/** What each call does in each state. A turn that ends by itself makes an active session idle. */
export const TRANSITIONS: Readonly<Record<SessionState, Readonly<Record<SessionCall, Transition>>>> = {
  created: WAITING,
  idle: WAITING,
  active: { send: BUSY, interrupt: 'idle', abort: 'aborted', complete: BUSY, delete: 'deleted' },
  completed: OVER,
  aborted: OVER,
  deleted: { send: DELETED, interrupt: DELETED, abort: DELETED, complete: DELETED, delete: 'no-op' },
};

/** Another process is in a turn of the session. */
export function sessionBusy(id: string): AgentError {
  return new AgentError('session_busy', `Session ${id} is busy: another process is in a turn of it.`);
}

/** Where a call leads; throws if it is not allowed in this state. */
export function transition(id: string, state: SessionState, call: SessionCall): SessionState | 'no-op' {
  const outcome = TRANSITIONS[state][call];
  if (typeof outcome === 'string') return outcome;
  throw new AgentError(outcome.error, SENTENCES[outcome.error]?.(id, state) ?? `Session ${id} is ${state}.`);
}

const SENTENCES: Partial<Record<AgentErrorCode, (id: string, state: SessionState) => string>> = {
  session_busy: (id) => `Session ${id} is busy: its turn has not ended yet.`,
  session_closed: (id, state) => `Session ${id} is closed: it was ${state}.`,
  session_deleted: (id) => `Session ${id} was deleted.`,
};
