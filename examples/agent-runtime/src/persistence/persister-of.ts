import type { AgentPersister } from '../types/persister.js';
import { createPostgresPersister } from './postgres-persister.js';
import { createSqlitePersister } from './sqlite-persister.js';

export interface Place {
  readonly workspace: string;
  /** `postgres://…`; default: SQLite in the workspace. */
  readonly database?: string | undefined;
}

/** Where the settings want sessions to be kept. */
export function persisterOf({ workspace, database }: Place): AgentPersister {
  return database === undefined ? createSqlitePersister({ workspace }) : createPostgresPersister({ url: database });
}
