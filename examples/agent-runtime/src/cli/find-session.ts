import type { Agent, Session, SessionData } from '../types/index.js';
import { CommandError, EXIT } from './exit-codes.js';
import type { SessionChoice } from './options.js';

const SHORTEST_PREFIX = 4;

/** The one session whose id begins so. */
export async function findSession(agent: Agent, prefix: string): Promise<SessionData> {
  const { items: exact } = await agent.listSessions({ idPrefix: prefix, limit: 1 });
  if (exact[0]?.id === prefix) return exact[0];
  if (prefix.length < SHORTEST_PREFIX) {
    throw new CommandError(
      EXIT.noSession,
      `No session is called "${prefix}"; a beginning needs ${SHORTEST_PREFIX} characters.`,
    );
  }
  const { items } = await agent.listSessions({ idPrefix: prefix.toLowerCase(), limit: 2 });
  const [found, another] = items;
  if (found === undefined) throw new CommandError(EXIT.noSession, `There is no session ${prefix}.`);
  if (another !== undefined) {
    throw new CommandError(
      EXIT.noSession,
      `More than one session begins with ${prefix}: ${found.id}, ${another.id}, …`,
    );
  }
  return found;
}

/** With its messages. */
export async function loadSession(agent: Agent, prefix: string): Promise<Session> {
  const { id } = await findSession(agent, prefix);
  const session = await agent.getSession(id);
  // Deleted by another process just now.
  if (session === null) throw new CommandError(EXIT.noSession, `There is no session ${prefix}.`);
  return session;
}

/** The session that is to go on, or none: then a new one is wanted. */
export async function chosenSession(agent: Agent, { session, last }: SessionChoice): Promise<Session | undefined> {
  if (session !== undefined) return loadSession(agent, session);
  if (last !== true) return undefined;
  const [newest] = await agent.getSessions(1);
  if (newest === undefined) throw new CommandError(EXIT.noSession, 'This workspace has no sessions yet.');
  return loadSession(agent, newest.id);
}
