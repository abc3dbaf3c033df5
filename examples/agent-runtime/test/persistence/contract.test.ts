import { createMemoryPersister, createSqlitePersister } from '../../src/index.js';
import { describeStore } from '../support/store-contract.js';
import type { Place } from '../support/stored-rows.js';
import { describeUnchanged } from '../support/unchanged-contract.js';
import { makeWorkspace } from '../support/workspace.js';

function inMemory(): Place {
  const persister = createMemoryPersister();
  return { open: () => persister };
}

function inSqlite(): Place {
  const workspace = makeWorkspace();
  return { open: () => createSqlitePersister({ workspace }) };
}

describeStore('memory', inMemory);
describeUnchanged('memory', inMemory);
describeStore('sqlite', inSqlite);
describeUnchanged('sqlite', inSqlite);
