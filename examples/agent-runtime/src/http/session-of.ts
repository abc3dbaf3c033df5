import type { Context } from 'hono';
import type { Agent, Session } from '../types/index.js';
import { HttpError } from './errors.js';

/** Given for one request. */
export interface RequestScope {
  /** A Worker ends what it does for a request with its answer, unless it is asked to wait. */
  waitUntil?(work: Promise<unknown>): void;
  /** Stops the turn of this request while its host still has time to store it. */
  readonly signal?: AbortSignal | undefined;
}

export type AppContext = Context<{ Bindings: RequestScope }>;

export async function sessionOf(agent: Agent, { req }: AppContext): Promise<Session> {
  const session = await agent.getSession(req.param('id') ?? '');
  if (session === null) throw new HttpError(404, 'no_such_session', 'Unknown session.');
  return session;
}
