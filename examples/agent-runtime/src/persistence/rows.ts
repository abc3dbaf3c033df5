import type { StoredMessage } from '../types/messages.js';
import type { SessionData } from '../types/persister.js';
import type { messages, sessions } from './sqlite-schema.js';

type SessionRow = typeof sessions.$inferSelect;
type MessageRow = typeof messages.$inferSelect;
export type NewMessageRow = typeof messages.$inferInsert;

export function toSessionData(row: SessionRow, messageCount: number): SessionData {
  return { ...row, messageCount };
}

/** What is kept of a session, but who owns it. */
export function toSessionRow(session: SessionData): Omit<SessionRow, 'owner' | 'heartbeat'> {
  const { id, summary, createdAt, lastActivity, cwd, state, model, usage } = session;
  return { id, summary, createdAt, lastActivity, cwd, state, model, usage };
}

export function toMessageRow(sessionId: string, { toolInput, toolResult, ...rest }: StoredMessage): NewMessageRow {
  return { ...rest, sessionId, toolInput: toJson(toolInput), toolResult: toJson(toolResult) };
}

/** Members without a value are left out, so that a row that was read equals the one that was written. */
export function toMessage({ sessionId: _sessionId, toolInput, toolResult, ...row }: MessageRow): StoredMessage {
  return {
    ...(Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as StoredMessage),
    ...(toolInput === null ? {} : { toolInput: JSON.parse(toolInput) as unknown }),
    ...(toolResult === null ? {} : { toolResult: JSON.parse(toolResult) as unknown }),
  };
}

function toJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}
