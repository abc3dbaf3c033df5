import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { FileStorage } from '../../../src/store/file-storage.js';
import { newFolder } from '../../support/start-chat.js';
import { describeStorage } from '../../support/storage-contract.js';

describeStorage('a data folder', async () => {
  const folder = newFolder();
  mkdirSync(join(folder, 'sessions'));
  return { storage: new FileStorage(folder), again: async () => new FileStorage(folder) };
});
