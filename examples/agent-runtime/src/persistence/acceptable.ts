import { AgentError } from '../core/agent-error.js';
import { isKeepable } from '../core/plain-json.js';
import type { StoredMessage } from '../types/messages.js';
import type { SessionData } from '../types/persister.js';
import { jsonProblem } from './json-problem.js';

/** Characters: an index of Postgres takes 2,704 bytes. */
const LONGEST_ID = 500;
/** Characters of one row in all: what is escaped as JSON grows to six times that, and no text may have over 512 million. */
const LONGEST = 50_000_000;

type Check = (value: unknown) => string | undefined;

const id: Check = (value) =>
  typeof value === 'string' && value.length > LONGEST_ID ? `is longer than ${LONGEST_ID} characters` : text(value);

const text: Check = (value) => {
  if (typeof value !== 'string') return 'is not a text';
  return isKeepable(value) ? undefined : 'contains a null character or half of a surrogate pair';
};
const whole: Check = (value) =>
  Number.isSafeInteger(value) && !Object.is(value, -0) ? undefined : 'is not a whole number';
const boolean: Check = (value) => (typeof value === 'boolean' ? undefined : 'is not true or false');
const oneOf =
  (...values: readonly string[]): Check =>
  (value) =>
    values.includes(value as string) ? undefined : `is ${JSON.stringify(value)}`;
const object: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? jsonProblem(value) : 'is not an object';
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined ? undefined : check(value);
const nullable =
  (check: Check): Check =>
  (value) =>
    value === null ? undefined : check(value);

const OF_ROW: Readonly<Record<keyof StoredMessage, Check>> = {
  id,
  type: oneOf('user', 'agent', 'tool', 'system'),
  content: text,
  timestamp: text,
  seq: whole,
  turn: whole,
  isToolUse: optional(boolean),
  toolName: optional(text),
  toolInput: optional(jsonProblem),
  toolId: optional(text),
  toolResult: optional(jsonProblem),
  metadata: optional(object),
};

const OF_SESSION: Readonly<Record<keyof SessionData, Check>> = {
  id,
  summary: nullable(text),
  createdAt: text,
  lastActivity: text,
  cwd: nullable(text),
  state: text,
  model: nullable(text),
  usage: nullable(object),
  owner: optional(nullable(text)),
  heartbeat: optional(nullable(text)),
  // Given with sessions that are read.
  messageCount: optional(whole),
};

/**
 * Refuses what could not be read back as it was, the same wherever it is kept. The session's own rows are made so that they
 * pass.
 *
 * @throws AgentError `persist_failed`, which names the row and the member
 */
export function checkRows(sessionId: string, rows: readonly StoredMessage[]): void {
  for (const row of rows) {
    const problem = problemOf(row, OF_ROW);
    if (problem !== undefined) throw refused(`Session ${sessionId}: the row "${row.id}" cannot be kept: ${problem}.`);
  }
}

export function checkSession(session: SessionData): void {
  const problem = problemOf(session, OF_SESSION);
  if (problem !== undefined) throw refused(`The session "${session.id}" cannot be kept: ${problem}.`);
}

/** A row that is given twice is written once, as it was given first. */
export function withoutRepeats(rows: readonly StoredMessage[]): StoredMessage[] {
  const byId = new Map<string, StoredMessage>();
  for (const row of rows) if (!byId.has(row.id)) byId.set(row.id, row);
  return [...byId.values()];
}

/** The places of rows are taken once, in every store. */
export function placeTaken(sessionId: string, { id: rowId, seq }: StoredMessage, of: 'id' | 'seq'): AgentError {
  const what = of === 'id' ? 'another session has a row of that id' : `another row has its place (seq ${seq})`;
  return refused(`Session ${sessionId}: the row "${rowId}" cannot be kept: ${what}.`);
}

export function idTaken(sessionId: string): AgentError {
  return refused(`The session "${sessionId}" cannot be made: there is one of that id, or there was.`);
}

export function sessionLost(sessionId: string): AgentError {
  return new AgentError(
    'session_lost',
    `Session ${sessionId} belongs to another process now, which took it over after this one gave no sign of life. This turn ends here: read the session again before you go on.`,
  );
}

export function sessionGone(sessionId: string): AgentError {
  return new AgentError('session_deleted', `Session ${sessionId} was deleted.`);
}

function problemOf<T extends object>(holder: T, checks: Readonly<Record<keyof T, Check>>): string | undefined {
  for (const name of Object.keys(holder)) {
    if (!Object.hasOwn(checks, name)) return `"${name}" is not a stored member`;
  }
  for (const name of Object.keys(checks) as (keyof T & string)[]) {
    const problem = checks[name](holder[name]);
    if (problem !== undefined) return `"${name}" ${problem}`;
  }
  return lengthOf(holder) > LONGEST ? `it is longer than ${LONGEST} characters` : undefined;
}

/** Of its texts, however deep; they are known to end. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let length = 0;
  for (const [name, member] of Object.entries(value)) length += name.length + lengthOf(member);
  return length;
}

function refused(message: string): AgentError {
  return new AgentError('persist_failed', message);
}
