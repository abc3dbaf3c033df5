import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { type Client, createClient } from '@libsql/client';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/libsql';
import { hasCode, messagesOf, withoutValues } from 'responses-loop-example-shared/error-chain.js';

import { AgentError } from '../core/agent-error.js';
import { migrationsOf, ofOthers, tooNew } from './migration-files.js';
import { withRetries } from './retries.js';
import type { Dialect } from './sql-dialect.js';
import { SqlStore } from './sql-store.js';
import { messages, sessions } from './sqlite-schema.js';
import type { SessionStore } from './store.js';

const FOLDER = '.agentx';

/**
 * The client is synchronous underneath: while it waits for a lock, nothing else runs in this process. So it waits for
 * moments only, and `withRetries` does the rest of the waiting.
 */
const BLOCKING_WAIT_MS = 20;

/** Opens the database of a workspace, and makes or brings up to date what it holds. A file of others is not touched. */
export async function openSqlite(workspace: string): Promise<SessionStore> {
  const path = join(workspace, FOLDER, 'data', 'agent.db');
  try {
    makeFolder(join(workspace, FOLDER));
    return new SqlStore(dialectOf(await withRetries(() => open(path), { isPassing: isBusy })));
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const code = isBusy(error) ? 'persist_failed' : 'database_unreadable';
    throw new AgentError(code, `The database ${path} cannot be opened: ${reason}`, { cause: error });
  }
}

function dialectOf(client: Client): Dialect {
  return {
    db: drizzle(client),
    sessions,
    messages,
    position: sql`sessions.rowid`,
    // SQLite takes 32,766 values, and a row has 13.
    rowsPerInsert: 1000,
    now: () => sql`${Date.now()}`.mapWith(Number),
    heartbeat: () => sql`${new Date().toISOString()}`,
    contains: (text, wanted) => sql`instr(lower(${text}), ${wanted}) > 0`,
    beginsWith: (text, start) => sql`substr(${text}, 1, length(${start})) = ${start}`,
    isLazy: undefined,
    // Whoever writes is alone.
    isAsAtStart: () => undefined,
    isNestable: false,
    locked: sql``,
    write: async (statements) => {
      const results = await client.batch(
        statements.map(({ sql: text, params }) => ({ sql: text, args: params as never })),
        'write',
      );
      return results.at(-1)?.rowsAffected ?? 0;
    },
    brokenRule,
    isPassing: isBusy,
    renew: () => renewConnection(client),
    explain: withoutValues,
    close: async () => client.close(),
  };
}

function isBusy(error: unknown): boolean {
  return hasCode(error, /^SQLITE_(BUSY|LOCKED)/);
}

function brokenRule(error: unknown): ReturnType<Dialect['brokenRule']> {
  if (!hasCode(error, /^SQLITE_CONSTRAINT/)) return undefined;
  const message = messagesOf(error);
  if (/FOREIGN KEY constraint/.test(message)) return 'session_gone';
  if (/NOT NULL constraint failed: messages\.session_id/.test(message)) return 'no_session';
  return /(UNIQUE|CHECK|NOT NULL) constraint/.test(message) ? 'refused' : undefined;
}

/** The folder is for its owner alone, and no repository takes it in. */
function makeFolder(root: string): void {
  const data = join(root, 'data');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  mkdirSync(data, { recursive: true, mode: 0o700 });
  const ignore = join(root, '.gitignore');
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
}

async function open(path: string): Promise<Client> {
  const client = createClient({ url: pathToFileURL(path).href, timeout: BLOCKING_WAIT_MS, concurrency: 1 });
  try {
    await migrate(client, path);
    await client.execute('PRAGMA journal_mode=WAL');
    await setUp(client);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

/**
 * A new connection for the client. One that found the database locked cannot be used again: its statement counts as running
 * until it is collected, and every later commit fails with "SQL statements in progress" (seen with @libsql/client 0.18).
 */
async function renewConnection(client: Client): Promise<void> {
  client.reconnect();
  await setUp(client);
}

/** The settings that each connection has for itself. */
async function setUp(client: Client): Promise<void> {
  await client.execute('PRAGMA synchronous=NORMAL');
  await client.execute('PRAGMA foreign_keys=ON');
}

/** Applies the migrations that are missing, all or none, while no other process does. */
async function migrate(client: Client, path: string): Promise<void> {
  const migrations = migrationsOf('sqlite');
  if ((await versionOf(client)) === migrations.length) return;
  const transaction = await client.transaction('write');
  try {
    const version = await versionOf(transaction);
    if (version > migrations.length) throw tooNew(path, version, migrations.length);
    if (version === 0 && (await hasTables(transaction))) throw ofOthers(path);
    for (const statements of migrations.slice(version)) await transaction.executeMultiple(statements);
    await transaction.execute(`PRAGMA user_version=${migrations.length}`);
    await transaction.commit();
  } finally {
    transaction.close();
  }
}

type Executor = Pick<Client, 'execute'>;

async function versionOf(executor: Executor): Promise<number> {
  const { rows } = await executor.execute('PRAGMA user_version');
  return Number(rows[0]?.[0] ?? 0);
}

async function hasTables(executor: Executor): Promise<boolean> {
  const { rows } = await executor.execute("SELECT 1 FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' LIMIT 1");
  return rows.length > 0;
}
