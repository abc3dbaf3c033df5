import type { AgentPersister } from '../types/persister.js';
import { StorePersister } from './store-persister.js';

/** Keeps sessions in `<workspace>/.agentx/data/agent.db`. Several processes may use it at once. */
export function createSqlitePersister({ workspace }: { readonly workspace: string }): AgentPersister {
  // The client does one thing at a time.
  return new StorePersister({
    isSerial: true,
    open: async () => (await import('./sqlite-database.js')).openSqlite(workspace),
  });
}
