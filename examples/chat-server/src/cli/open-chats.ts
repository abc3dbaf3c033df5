import { join } from 'node:path';
import type { ChatStorage } from '../store/chat-storage.js';
import { keptSecret, keptSecretIn } from '../store/data-folder.js';
import { FileStorage } from '../store/file-storage.js';

/** Where chats are kept. */
export interface KeptChats {
  readonly storage: ChatStorage;
  /** Signs what people are asked; it is where the chats are. */
  readonly secret: string;
  /** Settles with a sentence if this server can no longer be sure that it is the only one. */
  readonly lost: Promise<string>;
}

/** @throws SettingsError, if the database cannot be used. */
export async function openChats(dataFolder: string, database: string | undefined): Promise<KeptChats> {
  if (database === undefined) {
    const secret = await keptSecret(join(dataFolder, 'secret'));
    return { storage: new FileStorage(dataFolder), secret, lost: new Promise(() => {}) };
  }
  // What talks to Postgres is loaded for those who have one.
  const { openPostgres } = await import('../store/open-postgres.js');
  let onLost: (reason: string) => void = () => {};
  const lost = new Promise<string>((resolve) => (onLost = resolve));
  const storage = await openPostgres({ database, onLost });
  return { storage, secret: await keptSecretIn(storage, 'secret'), lost };
}

/** What of the address nobody is shown. */
export function secretsIn(database: string | undefined): readonly string[] {
  if (database === undefined || !URL.canParse(database)) return [];
  const { password } = new URL(database);
  return [database, password, decodeURIComponent(password)];
}
