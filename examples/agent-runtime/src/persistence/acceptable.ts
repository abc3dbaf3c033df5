import { AgentError } from '../core/agent-error.js';
import { isDeeperThan, isKeepable, MAX_LEVELS } from '../core/plain-json.js';
import type { StoredMessage } from '../types/messages.js';
import type { SessionData } from '../types/persister.js';

const TYPES: ReadonlySet<unknown> = new Set(['user', 'agent', 'tool', 'system']);

/** Levels of a row that hold its members. */
const OWN_LEVELS = 8;

/**
 * Refuses what could not be read back as it was, the same wherever it is kept. The session's own rows are made so that they
 * pass.
 *
 * @throws AgentError `persist_failed`, which names the row and the member
 */
export function checkRows(sessionId: string, rows: readonly StoredMessage[]): void {
  for (const row of rows) {
    const problem = rowProblem(row) ?? unkeepable(row);
    if (problem !== undefined) throw refused(`Session ${sessionId}: the row "${row.id}" cannot be kept: ${problem}`);
  }
}

export function checkSession(session: SessionData): void {
  const problem = unkeepable(session);
  if (problem !== undefined) throw refused(`The session "${session.id}" cannot be kept: ${problem}`);
}

/** The places of rows are taken once, in both persisters. */
export function placeTaken(sessionId: string, { id, seq }: StoredMessage, of: 'id' | 'seq'): AgentError {
  const what = of === 'id' ? 'another session has a row of that id' : `another row has its place (seq ${seq})`;
  return refused(`Session ${sessionId}: the row "${id}" cannot be kept: ${what}.`);
}

function rowProblem({ type, seq, turn, content }: StoredMessage): string | undefined {
  if (!TYPES.has(type)) return `"type" is ${JSON.stringify(type)}.`;
  if (typeof content !== 'string') return '"content" is not a text.';
  return Number.isSafeInteger(seq) && Number.isSafeInteger(turn)
    ? undefined
    : '"seq" and "turn" have to be whole numbers.';
}

function unkeepable(holder: object): string | undefined {
  for (const [name, value] of Object.entries(holder)) {
    // Members that are kept as JSON may hold any text: JSON escapes it.
    if (typeof value === 'string' && !KEPT_AS_JSON.has(name) && !isKeepable(value))
      return `"${name}" holds a zero character or half of a surrogate pair.`;
    if (isDeeperThan(value, MAX_LEVELS + OWN_LEVELS)) return `"${name}" is nested more than ${MAX_LEVELS} levels deep.`;
  }
  return undefined;
}

const KEPT_AS_JSON: ReadonlySet<string> = new Set(['toolInput', 'toolResult', 'metadata', 'usage']);

function refused(message: string): AgentError {
  return new AgentError('persist_failed', message);
}
