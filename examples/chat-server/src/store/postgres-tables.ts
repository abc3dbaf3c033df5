import type { ClientBase } from 'pg';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';

const VERSION = 1;

const TABLES = `
  CREATE SCHEMA IF NOT EXISTS chat_server;
  CREATE TABLE IF NOT EXISTS chat_server.version (number integer PRIMARY KEY);
  INSERT INTO chat_server.version SELECT ${VERSION} WHERE NOT EXISTS (SELECT FROM chat_server.version);
  CREATE TABLE IF NOT EXISTS chat_server.folders (
    path text COLLATE "C" PRIMARY KEY,
    parent text COLLATE "C" REFERENCES chat_server.folders ON DELETE CASCADE
  );
  CREATE INDEX IF NOT EXISTS folders_of_parent ON chat_server.folders (parent);
  CREATE TABLE IF NOT EXISTS chat_server.files (
    folder text COLLATE "C" NOT NULL REFERENCES chat_server.folders ON DELETE CASCADE,
    name text COLLATE "C" NOT NULL,
    id bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
    content bytea,
    lines bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (folder, name)
  );
  CREATE TABLE IF NOT EXISTS chat_server.lines (
    file bigint REFERENCES chat_server.files (id) ON DELETE CASCADE,
    number bigint,
    line bytea NOT NULL,
    PRIMARY KEY (file, number)
  );
  INSERT INTO chat_server.folders (path, parent) VALUES ('', NULL), ('sessions', '') ON CONFLICT DO NOTHING`;

/** Makes the tables, unless they are there. @throws SettingsError, if a newer program made them. */
export async function prepareTables(client: ClientBase): Promise<void> {
  await client.query('BEGIN');
  try {
    // Servers that start at once must not make the tables twice.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('chat_server'))`);
    await client.query(TABLES);
    const { rows } = await client.query<{ readonly number: number }>('SELECT number FROM chat_server.version');
    await client.query('COMMIT');
    const number = rows[0]?.number;
    if (number === VERSION) return;
    throw new SettingsError(
      `The tables of chats have version ${number}; this program knows ${VERSION}. Start the newer program, or name another database.`,
    );
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  }
}
