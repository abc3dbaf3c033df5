import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { inTransaction } from '../postgres.js';
import { SettingsError } from '../settings-error.js';
import { EngineUnavailable } from './types.js';

/** Everybody who waits for news listens here; the payload is `<application>/<stream>`, or `<application>/` for all. */
export const CHANNEL = 'responses_loop_turns';
const VERSION = 1;
const POLL_MS = 100;

const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS responses_loop;
  CREATE TABLE IF NOT EXISTS responses_loop.version (number integer PRIMARY KEY);
  INSERT INTO responses_loop.version SELECT ${VERSION} WHERE NOT EXISTS (SELECT 1 FROM responses_loop.version);
  CREATE TABLE IF NOT EXISTS responses_loop.instances (
    id text PRIMARY KEY, application text NOT NULL, beat timestamptz NOT NULL DEFAULT now());
  CREATE TABLE IF NOT EXISTS responses_loop.turns (
    id text PRIMARY KEY, application text NOT NULL, stream text NOT NULL, input text NOT NULL,
    before bigint NOT NULL DEFAULT 0, instance text NOT NULL, claimed_at timestamptz NOT NULL DEFAULT now(),
    epoch integer NOT NULL DEFAULT 0, stop text, ended_at timestamptz);
  CREATE UNIQUE INDEX IF NOT EXISTS one_turn_at_a_time
    ON responses_loop.turns (application, stream) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS turns_of_a_stream ON responses_loop.turns (application, stream, ended_at DESC);
  CREATE INDEX IF NOT EXISTS turns_that_run ON responses_loop.turns (application, instance) WHERE ended_at IS NULL;
  CREATE INDEX IF NOT EXISTS turns_that_ended ON responses_loop.turns (application, ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE IF NOT EXISTS responses_loop.events (
    application text, stream text, seq bigint, turn text NOT NULL, body text,
    PRIMARY KEY (application, stream, seq));
  CREATE TABLE IF NOT EXISTS responses_loop.places (
    instance text PRIMARY KEY REFERENCES responses_loop.instances ON DELETE CASCADE, address text NOT NULL);
  CREATE TABLE IF NOT EXISTS responses_loop.owners (
    application text, chat text, instance text NOT NULL, PRIMARY KEY (application, chat));`;

/** Makes the tables, unless they are there. */
export async function makeTables(pool: Pool): Promise<void> {
  const { rows } = await inTransaction(pool, async (client) => {
    // Instances that start at once must not make the tables twice.
    await client.query(`SELECT pg_advisory_xact_lock(hashtext('responses_loop'))`);
    await client.query(SCHEMA);
    return client.query<{ number: number }>('SELECT number FROM responses_loop.version');
  });
  const number = rows[0]?.number;
  if (number === VERSION) return;
  throw new SettingsError(
    `The tables of turns have version ${number}, this program knows ${VERSION}: start the newer program, or use another database.`,
  );
}

/** Runs what only one instance may do at a time. */
export async function oneAtATime<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    // It is asked for again and again: a statement that waits would keep an index from being made meanwhile.
    for (;;) {
      const { rows } = await client.query<{ isFree: boolean }>(
        `SELECT pg_try_advisory_lock(hashtext('responses_loop one at a time')) AS "isFree"`,
      );
      if (rows[0]?.isFree === true) return await work();
      await sleep(POLL_MS);
    }
  } finally {
    // With its connection the lock goes, too.
    client.release(true);
  }
}

/** What the database does not answer is asked of another instance. @throws EngineUnavailable */
export async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (cause) {
    throw new EngineUnavailable({ cause });
  }
}
