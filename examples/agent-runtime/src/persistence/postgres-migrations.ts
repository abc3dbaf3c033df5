import type pg from 'pg';

import { migrationsOf, ofOthers, tooNew } from './migration-files.js';

/** One program at a time, of all that use the server and know this number. */
const LOCK = 4_310_000_001;

/** Applies the migrations that are missing, in the transaction that is open. */
export async function migratePostgres(client: pg.PoolClient, name: string): Promise<void> {
  const migrations = migrationsOf('postgres');
  if ((await versionOf(client)) === migrations.length) return;
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
  const version = await versionOf(client);
  if (version > migrations.length) throw tooNew(name, version, migrations.length);
  if (version === migrations.length) return;
  if (version === 0) await makeSchema(client, name);
  for (const statements of migrations.slice(version)) await client.query(statements);
  await client.query('UPDATE agentx.schema_version SET version = $1', [migrations.length]);
}

async function versionOf(client: pg.PoolClient): Promise<number> {
  // A look at the tables is as new as they are: a look at a name may be as old as the transaction.
  const { rows } = await client.query(
    `SELECT 1 FROM pg_tables WHERE schemaname = 'agentx' AND tablename = 'schema_version'`,
  );
  if (rows.length === 0) return 0;
  const { rows: versions } = await client.query<{ version: number }>('SELECT version FROM agentx.schema_version');
  return versions[0]?.version ?? 0;
}

async function makeSchema(client: pg.PoolClient, name: string): Promise<void> {
  await client.query('CREATE SCHEMA IF NOT EXISTS agentx');
  const { rows } = await client.query(`SELECT 1 FROM pg_tables WHERE schemaname = 'agentx' LIMIT 1`);
  if (rows.length > 0) throw ofOthers(name);
  await client.query('CREATE TABLE agentx.schema_version (version integer NOT NULL)');
  await client.query('INSERT INTO agentx.schema_version VALUES (0)');
}
