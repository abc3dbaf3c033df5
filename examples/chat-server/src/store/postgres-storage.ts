import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientBase, Pool, PoolClient, QueryResultRow } from 'pg';
import { inTransaction } from 'responses-loop-example-shared/postgres.js';
import {
  type AppendedLine,
  bytesOf,
  type ChatStorage,
  checkPath,
  lineOf,
  type LinesMark,
  type StoredLines,
} from './chat-storage.js';
import { type LineRow, linesOf, markOf, numberIn } from './postgres-lines.js';
import { StoreError } from './store-error.js';

type Content = Uint8Array<ArrayBuffer>;

const FOREIGN_KEY = '23503';
/** Another one was quicker, and the database asks for another try. */
const AGAIN = new Set(['40001', '40P01']);
const TRIES = 5;
const LOST = /Connection terminated|timeout exceeded when trying to connect|Query read timeout|not queryable/;

const CHATS = 'sessions/';

const APPEND = `
  WITH file AS (
    INSERT INTO chat_server.files (folder, name, lines) VALUES ($1, $2, 1)
    ON CONFLICT (folder, name) DO UPDATE SET lines = files.lines + 1 RETURNING id, lines
  )
  INSERT INTO chat_server.lines (file, number, line) SELECT id, lines, $3 FROM file RETURNING file, number`;
const LINES = `
  SELECT files.id, files.lines, lines.number, lines.line FROM chat_server.files
  LEFT JOIN chat_server.lines ON lines.file = files.id AND lines.number > CASE WHEN files.id = $3 THEN $4 ELSE 0 END
  WHERE files.folder = $1 AND files.name = $2 ORDER BY lines.number`;
const REPLACE = `
  INSERT INTO chat_server.files (folder, name, content) VALUES ($1, $2, $3)
  ON CONFLICT (folder, name) DO UPDATE SET content = EXCLUDED.content`;
const SIZES = `
  SELECT name, coalesce(length(content), 0) +
    (SELECT coalesce(sum(length(line) + 1), 0) FROM chat_server.lines WHERE file = files.id) AS bytes
  FROM chat_server.files WHERE folder = $1`;

/** Of several servers, the one that has a chat writes it. */
export interface ChatFence {
  /** For a chat that is being made here. */
  claim(chat: string): Promise<boolean>;
  /** Keeps the chat from being taken until the transaction of the client ends; false if another server may have it. */
  hold(client: ClientBase, chat: string): Promise<boolean>;
}

/** Rows of Postgres: what one server wrote is what all read. */
export class PostgresStorage implements ChatStorage {
  // Without a fence one server at a time holds a lock. One that lost it, as when it was frozen, may write until it notices.
  readonly isOwn = false;
  readonly #pool: Pool;
  readonly #close: () => Promise<void>;
  readonly #fence: ChatFence | undefined;

  /** @param pool of a database with the tables. */
  constructor(pool: Pool, close: () => Promise<void>, fence?: ChatFence) {
    this.#pool = pool;
    this.#close = close;
    this.#fence = fence;
  }

  nameOf(path: string): string {
    return `${checkPath(path)} in the database`;
  }

  async read(path: string): Promise<Content | undefined> {
    return (await this.readEach([path]))[0];
  }

  async readEach(paths: readonly string[]): Promise<(Content | undefined)[]> {
    const places = paths.map(placeOf);
    const rows = await this.#select<{ readonly at: string; readonly content: Buffer }>(
      `SELECT wanted.at, files.content FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS wanted (folder, name, at)
       JOIN chat_server.files USING (folder, name) WHERE content IS NOT NULL`,
      [places.map(([folder]) => folder), places.map(([, name]) => name)],
    );
    const found = new Map(rows.map(({ at, content }) => [Number(at), new Uint8Array(content)]));
    return paths.map((_, at) => found.get(at + 1));
  }

  async replace(path: string, content: string | Uint8Array): Promise<void> {
    await this.#inFolder(path, REPLACE, [...placeOf(path), bytesOf(content)]);
  }

  async update(path: string, change: (current: Content | undefined) => string | Uint8Array): Promise<void> {
    const [folder, name] = placeOf(path);
    await this.#transaction(path, async (client) => {
      // The file may not be there yet, so its folder is what others wait for.
      const found = await client.query('SELECT FROM chat_server.folders WHERE path = $1 FOR NO KEY UPDATE', [folder]);
      if (found.rowCount === 0) throw noFolder(path);
      const { rows } = await client.query<{ readonly content: Buffer | null }>(
        'SELECT content FROM chat_server.files WHERE folder = $1 AND name = $2',
        [folder, name],
      );
      const current = rows[0]?.content ?? undefined;
      await client.query(REPLACE, [folder, name, bytesOf(change(current && new Uint8Array(current)))]);
    });
  }

  async append(path: string, value: unknown): Promise<AppendedLine> {
    const line = Buffer.from(lineOf(value));
    const rows = await this.#inFolder<{ readonly file: string; readonly number: string }>(path, APPEND, [
      ...placeOf(path),
      line,
    ]);
    const [{ file, number } = { file: '0', number: '0' }] = rows;
    return { before: markOf(file, BigInt(number) - 1n), after: markOf(file, BigInt(number)) };
  }

  async lines(path: string, since?: LinesMark): Promise<StoredLines> {
    return linesOf(await this.#select<LineRow>(LINES, [...placeOf(path), ...numberIn(since)]), since);
  }

  async rewrite(path: string, arrange: (values: readonly unknown[]) => readonly unknown[]): Promise<void> {
    const [folder, name] = placeOf(path);
    await this.#transaction(path, async (client) => {
      // Whoever appends waits here, too.
      const file = await client.query<{ readonly id: string }>(
        'SELECT id FROM chat_server.files WHERE folder = $1 AND name = $2 FOR UPDATE',
        [folder, name],
      );
      if (file.rowCount === 0) throw noFolder(path);
      const { lines } = linesOf((await client.query(LINES, [folder, name, ...numberIn(undefined)])).rows, undefined);
      const arranged = arrange(lines.map(({ value }) => value)).map((value) => Buffer.from(lineOf(value)));
      await client.query('DELETE FROM chat_server.lines WHERE file = $1', [file.rows[0]?.id]);
      // Numbers go on, so that whoever has read the old lines reads these as new ones.
      await client.query(
        `WITH file AS (UPDATE chat_server.files SET lines = lines + cardinality($2::bytea[]) WHERE id = $1 RETURNING id, lines)
         INSERT INTO chat_server.lines (file, number, line)
         SELECT file.id, file.lines - cardinality($2::bytea[]) + made.at, made.line
         FROM file, unnest($2::bytea[]) WITH ORDINALITY AS made (line, at)`,
        [file.rows[0]?.id, arranged],
      );
    });
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#transaction(from, async (client) => {
      await client.query('DELETE FROM chat_server.files WHERE folder = $1 AND name = $2', placeOf(to));
      const moved = await client.query(
        'UPDATE chat_server.files SET folder = $3, name = $4 WHERE folder = $1 AND name = $2',
        [...placeOf(from), ...placeOf(to)],
      );
      if (moved.rowCount === 0) throw noFolder(from);
    });
  }

  async sizes(folder: string): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#select<{ readonly name: string; readonly bytes: string }>(SIZES, [checkPath(folder)]);
    return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
  }

  async folders(folder: string): Promise<string[]> {
    const rows = await this.#select<{ readonly path: string }>(
      'SELECT path FROM chat_server.folders WHERE parent = $1',
      [checkPath(folder)],
    );
    return rows.map(({ path }) => placeOf(path)[1]);
  }

  async makeFolder(folder: string): Promise<boolean> {
    const chat = chatOf(folder);
    if (chat !== undefined && folder === `${CHATS}${chat}`) await this.#fence?.claim(chat);
    const rows = await this.#inFolder(
      folder,
      'INSERT INTO chat_server.folders (path, parent) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING path',
      [folder, placeOf(folder)[0]],
    );
    return rows.length > 0;
  }

  async removeFolder(folder: string): Promise<void> {
    await this.#inFolder(folder, 'DELETE FROM chat_server.folders WHERE path = $1', [checkPath(folder)]);
  }

  close(): Promise<void> {
    return this.#close();
  }

  async #select<T extends QueryResultRow>(text: string, values: readonly unknown[]): Promise<T[]> {
    try {
      return (await this.#pool.query<T>(text, [...values])).rows;
    } catch (error) {
      throw new StoreError(withCode(error), 'read');
    }
  }

  /** A statement that needs the folder of a path. */
  async #inFolder<T extends QueryResultRow>(path: string, text: string, values: readonly unknown[]): Promise<T[]> {
    try {
      const write = (client: Pool | PoolClient) => client.query<T>(text, [...values]);
      // One statement needs no transaction of its own.
      return (await (this.#fence === undefined ? write(this.#pool) : this.#fenced(path, write))).rows;
    } catch (error) {
      throw codeOf(error) === FOREIGN_KEY ? noFolder(path) : withCode(error);
    }
  }

  /** What is written for a chat and what holds it end together. */
  #fenced<T>(path: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
    const chat = chatOf(path);
    return inTransaction(this.#pool, async (client) => {
      if (chat !== undefined && this.#fence !== undefined && !(await this.#fence.hold(client, chat))) throw notOwner();
      return work(client);
    });
  }

  async #transaction(path: string, work: (client: PoolClient) => Promise<void>): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.#fenced(path, work);
        return;
      } catch (error) {
        if (codeOf(error) === FOREIGN_KEY) throw noFolder('The file');
        if (tries === TRIES || !AGAIN.has(codeOf(error))) throw withCode(error);
      }
      await sleep(tries * 10);
    }
  }
}

/** A path as its folder and its name. The folder around all is named by the empty text. */
function placeOf(path: string): [folder: string, name: string] {
  const at = checkPath(path).lastIndexOf('/');
  return [path.slice(0, Math.max(at, 0)), path.slice(at + 1)];
}

/** The chat that a path belongs to. */
function chatOf(path: string): string | undefined {
  return checkPath(path).startsWith(CHATS) ? path.slice(CHATS.length).split('/')[0] : undefined;
}

function notOwner(): Error {
  return Object.assign(new Error('Another server has this chat now.'), { code: 'ENOTOWNER' });
}

function codeOf(error: unknown): string {
  return String(Reflect.get(Object(error), 'code'));
}

/** What the client of Postgres finds out by itself has none. What `change` threw is not touched. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || 'code' in error || !LOST.test(error.message)) return error;
  return Object.assign(error, { code: 'ECONNRESET' });
}

function noFolder(path: string): Error {
  return Object.assign(new Error(`${path}: there is no such file or folder in the database.`), { code: 'ENOENT' });
}
