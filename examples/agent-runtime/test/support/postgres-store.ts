import { onTestFinished } from 'vitest';

import { type AgentPersister, createPostgresPersister } from '../../src/index.js';

/** A store on Postgres that ends with the test. */
export function openAt(url: string): AgentPersister {
  const persister = createPostgresPersister({ url });
  onTestFinished(() => persister.close().catch(() => {}));
  return persister;
}
