import type { AgentPersister } from '../types/persister.js';
import { checkAddress } from './postgres-address.js';
import { StorePersister } from './store-persister.js';

/**
 * Keeps sessions in a Postgres database, in a schema of its own. Several machines may use it at once.
 *
 * @throws AgentError `bad_settings`, if the address is not one of Postgres
 */
export function createPostgresPersister({ url }: { readonly url: string }): AgentPersister {
  checkAddress(url);
  return new StorePersister({
    isSerial: false,
    open: async () => (await import('./postgres-database.js')).openPostgres(url),
  });
}
