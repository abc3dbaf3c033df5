import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { AgentError } from '../core/agent-error.js';

/** The statements of each version, in their order. */
export function migrationsOf(database: 'sqlite' | 'postgres'): readonly string[] {
  const folder = new URL(`./migrations/${database}/`, import.meta.url);
  return readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

export function tooNew(database: string, version: number, known: number): AgentError {
  return new AgentError(
    'schema_too_new',
    `The database ${database} was written by a newer program (schema ${version}; this one knows ${known}). Update this program.`,
  );
}

export function ofOthers(database: string): AgentError {
  return new AgentError('database_unreadable', `The database ${database} contains tables of another program.`);
}
