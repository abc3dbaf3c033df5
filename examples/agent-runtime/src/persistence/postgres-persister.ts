import { problemOfAddress } from 'responses-loop-example-shared/postgres-address.js';

import { AgentError } from '../core/agent-error.js';
import type { AgentPersister } from '../types/persister.js';
import { StorePersister } from './store-persister.js';

/**
 * Keeps sessions in a Postgres database, in a schema of its own. Several machines may use it at once.
 *
 * @throws AgentError `bad_settings`, if the address is not one of Postgres
 */
export function createPostgresPersister({ url }: { readonly url: string }): AgentPersister {
  const problem = problemOfAddress(url);
  if (problem !== undefined)
    throw new AgentError('bad_settings', `The database: ${problem}. Without a database, sessions are kept in SQLite.`);
  return new StorePersister({
    isSerial: false,
    open: async () => (await import('./postgres-database.js')).openPostgres(url),
  });
}
