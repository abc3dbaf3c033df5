import { join } from 'node:path';
import type { Owners } from 'responses-loop-example-shared/engine/owners.js';
import { SettingsError } from 'responses-loop-example-shared/settings-error.js';
import type { ChatEngine } from '../engine/open-chat-engine.js';
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
  /** Absent: this server is the only one. */
  readonly shared?: SharedTurns | undefined;
  close(): Promise<void>;
}

/** What several servers share. */
export interface SharedTurns {
  readonly engine: ChatEngine;
  readonly owners: Owners;
}

export interface KeptChatsOptions {
  readonly dataFolder: string;
  readonly database: string | undefined;
  /** Several servers share the database, and go on with each other's turns. */
  readonly isShared: boolean;
  readonly onWarning: (message: string) => void;
}

/** @throws SettingsError, if the database cannot be used. */
export async function openChats({ dataFolder, database, isShared, onWarning }: KeptChatsOptions): Promise<KeptChats> {
  if (database === undefined) {
    if (isShared) throw new SettingsError('--engine needs --database postgres://…, which all instances share.');
    const secret = await keptSecret(join(dataFolder, 'secret'));
    const storage = new FileStorage(dataFolder);
    return { storage, secret, lost: new Promise(() => {}), close: () => storage.close() };
  }
  return isShared ? openShared(database, onWarning) : openOwn(database);
}

async function openOwn(database: string): Promise<KeptChats> {
  // What talks to Postgres is loaded for those who have one.
  const { openPostgres } = await import('../store/open-postgres.js');
  let onLost: (reason: string) => void = () => {};
  const lost = new Promise<string>((resolve) => (onLost = resolve));
  const storage = await openPostgres({ database, onLost });
  return { storage, secret: await keptSecretIn(storage, 'secret'), lost, close: () => storage.close() };
}

async function openShared(database: string, onWarning: (message: string) => void): Promise<KeptChats> {
  const { openSharedPostgres } = await import('../store/open-postgres.js');
  const { APPLICATION, openChatEngine } = await import('../engine/open-chat-engine.js');
  const engine = await openChatEngine({ database, onWarning });
  try {
    const { member } = engine.engine;
    const { storage, owners } = await openSharedPostgres({ database, application: APPLICATION, member });
    const close = async (): Promise<void> => {
      await engine.engine.close();
      await storage.close();
    };
    const secret = await keptSecretIn(storage, 'secret');
    return { storage, secret, lost: new Promise(() => {}), shared: { engine, owners }, close };
  } catch (error) {
    await engine.engine.close(0);
    throw error;
  }
}

/** What of the address nobody is shown. */
export function secretsIn(database: string | undefined): readonly string[] {
  if (database === undefined || !URL.canParse(database)) return [];
  const { password } = new URL(database);
  return [database, password, decodeURIComponent(password)];
}
