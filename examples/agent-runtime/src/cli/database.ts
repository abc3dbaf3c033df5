import { readConfigFile } from './config-file.js';
import type { GlobalOptions } from './options.js';

/** The database that the settings name; none: SQLite in the workspace. */
export function databaseOf({ database }: GlobalOptions): string | undefined {
  return database ?? (process.env['AGENT_DATABASE'] || readConfigFile(process.env).database);
}
