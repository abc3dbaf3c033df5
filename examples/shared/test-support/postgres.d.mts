export interface TestPostgres {
  /** Of the database `postgres`, which each server has. */
  readonly url: string;
  readonly port: number;
  /** Makes an empty database, and returns its address. */
  createDatabase(): string;
  /** Ends it as a failure of the machine would: every connection breaks. */
  halt(): Promise<void>;
  /** Starts it again, with all that it kept. */
  resume(): Promise<void>;
  /** Ends it and removes its files. */
  stop(): Promise<void>;
}

/** A server with its files in a folder of its own, or why this machine has none. Its server ends with this process. */
export function startPostgres(settings?: Readonly<Record<string, string>>): Promise<TestPostgres | { skipped: string }>;

/** The server, or `undefined` and a word about it. In CI it has to be there. */
export function postgresForTests(): Promise<TestPostgres | undefined>;
