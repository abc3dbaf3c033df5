import { createMemoryPersister, createSqlitePersister } from '../../src/index.js';
import { describeStore } from '../support/store-contract.js';
import { makeWorkspace } from '../support/workspace.js';

describeStore('memory', () => {
  const persister = createMemoryPersister();
  return { open: () => persister };
});

describeStore('sqlite', () => {
  const workspace = makeWorkspace();
  return { open: () => createSqlitePersister({ workspace }) };
});
