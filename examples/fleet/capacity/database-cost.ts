import { poolOf, settingsOf } from 'responses-loop-example-shared/postgres.js';

/** For the server of a measured database. */
export const MEASURED_POSTGRES = {
  ...{ fsync: 'on', shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.max': '10000' },
  // Numbers that are read behind a turn have to contain it.
  stats_fetch_consistency: 'none',
};

export interface DatabaseCost {
  readonly statements: number;
  readonly transactions: number;
  /** Rows that were written, changed or deleted. */
  readonly written: number;
  /** Rows that are there. */
  readonly rows: number;
  readonly bytes: number;
  /** Of the log that a database writes ahead, and sends to its copies. */
  readonly logBytes: number;
}

/** What a database has done so far. */
export class DatabaseMeter {
  readonly #pool;
  readonly #name: string;

  constructor(database: string) {
    this.#pool = poolOf(settingsOf(`${database}?max=1`, 'the meter of a fleet'));
    this.#name = new URL(database).pathname.slice(1);
  }

  async open(): Promise<void> {
    await this.#pool.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  }

  async read(): Promise<DatabaseCost> {
    await this.#pool.query('CHECKPOINT');
    const { rows } = await this.#pool.query<Record<keyof DatabaseCost, string>>(
      `SELECT (SELECT coalesce(sum(calls), 0) FROM pg_stat_statements
               WHERE dbid = datid AND query NOT LIKE '%pg_stat_statements%' AND query <> 'CHECKPOINT') AS statements,
         xact_commit AS transactions, tup_inserted + tup_updated + tup_deleted AS written,
         pg_database_size(datid) AS bytes, pg_current_wal_insert_lsn() - '0/0'::pg_lsn AS "logBytes",
         (SELECT sum((xpath('/row/count/text()', query_to_xml(
            format('SELECT count(*) FROM %I.%I', schemaname, relname), false, true, '')))[1]::text::bigint)
          FROM pg_stat_user_tables) AS rows
       FROM pg_stat_database WHERE datname = $1`,
      [this.#name],
    );
    const [row] = rows;
    const entries = Object.entries(row ?? {}).map(([name, value]) => [name, Number(value)] as const);
    return Object.fromEntries(entries) as unknown as DatabaseCost;
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
