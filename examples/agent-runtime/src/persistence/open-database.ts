import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { type Client, createClient } from '@libsql/client';

import { AgentError } from '../core/agent-error.js';
import { isBusy, withBusyRetries } from './busy.js';

const FOLDER = '.agentx';
const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));

/**
 * The client is synchronous underneath: while it waits for a lock, nothing else runs in this process. So it waits for
 * moments only, and `withBusyRetries` does the rest of the waiting.
 */
const BLOCKING_WAIT_MS = 20;

/** Opens the database of a workspace, and makes or brings up to date what it holds. A file of others is not touched. */
export async function openDatabase(workspace: string): Promise<Client> {
  const path = join(workspace, FOLDER, 'data', 'agent.db');
  try {
    makeFolder(join(workspace, FOLDER));
    return await withBusyRetries(() => open(path));
  } catch (error) {
    if (error instanceof AgentError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const code = isBusy(error) ? 'persist_failed' : 'database_unreadable';
    throw new AgentError(code, `The database ${path} cannot be opened: ${reason}`, { cause: error });
  }
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
export async function renewConnection(client: Client): Promise<void> {
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
  const files = readdirSync(MIGRATIONS)
    .filter((name) => name.endsWith('.sql'))
    .toSorted();
  if ((await versionOf(client)) === files.length) return;
  const transaction = await client.transaction('write');
  try {
    const version = await versionOf(transaction);
    if (version > files.length) throw tooNew(path, version, files.length);
    if (version === 0 && (await hasTables(transaction))) {
      throw new AgentError('database_unreadable', `The database ${path} holds tables of another program.`);
    }
    for (const name of files.slice(version)) {
      await transaction.executeMultiple(readFileSync(join(MIGRATIONS, name), 'utf8'));
    }
    await transaction.execute(`PRAGMA user_version=${files.length}`);
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

function tooNew(path: string, version: number, known: number): AgentError {
  return new AgentError(
    'schema_too_new',
    `The database ${path} was written by a newer program (schema ${version}; this one knows ${known}). Update this program.`,
  );
}
