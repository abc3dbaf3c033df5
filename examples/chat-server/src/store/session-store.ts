import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HttpError } from '../errors.js';
import { NO_USAGE, type SessionFile } from '../types.js';
import { checkId, isId, newId } from './ids.js';
import { replaceFile } from './replace-file.js';
import { Serial } from './serial.js';
import { readSessionFile } from './session-file.js';
import { StoreError } from './store-error.js';

export interface SessionStoreOptions {
  readonly dataFolder: string;
  readonly onWarning: (message: string) => void;
  /** ISO 8601. */
  readonly now?: () => string;
}

export interface NewSession {
  readonly id?: string | undefined;
  readonly title?: string | undefined;
  readonly instructions?: string | undefined;
}

export type SessionPatch = Partial<Omit<SessionFile, 'version' | 'id' | 'createdAt'>>;

/** Sessions as folders with a `session.json` each. This process alone writes them, so what was read stays true. */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  readonly #root: string;
  readonly #known = new Map<string, SessionFile>();
  readonly #serial = new Serial();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
    this.#root = join(options.dataFolder, 'sessions');
  }

  /** Where a session is; the id is checked here, before any path is made of it. */
  folderOf(sessionId: string): string {
    return join(this.#root, checkId(sessionId));
  }

  /** @throws HttpError `session_exists`, if the id is taken. */
  async create({ id = newId('chat'), title = '', instructions = '' }: NewSession = {}): Promise<SessionFile> {
    const folder = this.folderOf(id);
    return this.#serial.run(id, async () => {
      const now = this.#now();
      const session: SessionFile = {
        version: 1,
        id,
        title,
        createdAt: now,
        updatedAt: now,
        leafId: null,
        instructions,
        grants: [],
        usage: NO_USAGE,
      };
      try {
        await mkdir(folder, { mode: 0o700 });
      } catch (error) {
        if (Reflect.get(error as Error, 'code') !== 'EEXIST') throw new StoreError(error);
        if ((await this.#read(id)) !== undefined) {
          throw new HttpError(409, 'session_exists', `Chat "${id}" exists already.`);
        }
      }
      await this.#write(session);
      return session;
    });
  }

  async find(sessionId: string): Promise<SessionFile | undefined> {
    checkId(sessionId);
    return this.#known.get(sessionId) ?? this.#serial.run(sessionId, () => this.#read(sessionId));
  }

  /** @throws HttpError `no_such_session`. */
  async get(sessionId: string): Promise<SessionFile> {
    const session = await this.find(sessionId);
    if (session === undefined) throw noSuchSession(sessionId);
    return session;
  }

  /** Changes made at the same time are made one after the other, so `change` sees the session as it is then. */
  async update(
    sessionId: string,
    change: SessionPatch | ((session: SessionFile) => SessionPatch),
  ): Promise<SessionFile> {
    checkId(sessionId);
    return this.#serial.run(sessionId, async () => {
      const session = await this.#read(sessionId);
      if (session === undefined) throw noSuchSession(sessionId);
      const patch = typeof change === 'function' ? change(session) : change;
      const changed: SessionFile = { ...session, updatedAt: this.#now(), ...patch };
      await this.#write(changed);
      return changed;
    });
  }

  async delete(sessionId: string): Promise<void> {
    const folder = this.folderOf(sessionId);
    await this.#serial.run(sessionId, async () => {
      this.#known.delete(sessionId);
      await rm(folder, { recursive: true, force: true });
    });
  }

  /** All of them, the one that changed last first. */
  async list(): Promise<SessionFile[]> {
    const names = await readdir(this.#root);
    const sessions = await Promise.all(names.filter(isId).map((id) => this.find(id)));
    return sessions
      .filter((session) => session !== undefined)
      .toSorted((a, b) => Number(a.updatedAt < b.updatedAt) - Number(a.updatedAt > b.updatedAt));
  }

  /** Until everything is on disk. */
  idle(): Promise<void> {
    return this.#serial.idle();
  }

  /** A session whose file is missing or garbled still has its messages. */
  async #read(sessionId: string): Promise<SessionFile | undefined> {
    const known = this.#known.get(sessionId);
    if (known !== undefined) return known;
    const folder = this.folderOf(sessionId);
    const found = await readSessionFile(join(folder, 'session.json'), sessionId);
    if (found.is === 'there') {
      this.#known.set(sessionId, found.file);
      return found.file;
    }
    const files: string[] = await readdir(folder).catch(() => []);
    if (!files.includes('messages.jsonl')) return undefined;
    const why = found.is === 'broken' ? found.why : 'it is missing';
    this.#options.onWarning(`session.json of ${sessionId} was made anew: ${why}.`);
    const now = this.#now();
    const made = { version: 1, id: sessionId, title: '', createdAt: now, updatedAt: now } as const;
    const session: SessionFile = { ...made, leafId: null, instructions: '', grants: [], usage: NO_USAGE };
    this.#known.set(sessionId, session);
    return session;
  }

  async #write(session: SessionFile): Promise<void> {
    try {
      await replaceFile(join(this.folderOf(session.id), 'session.json'), `${JSON.stringify(session, null, 2)}\n`);
    } catch (error) {
      throw new StoreError(error);
    }
    this.#known.set(session.id, session);
  }

  #now(): string {
    return this.#options.now?.() ?? new Date().toISOString();
  }
}

export function noSuchSession(sessionId: string): HttpError {
  return new HttpError(404, 'no_such_session', `Chat "${sessionId}" not found. It may have been deleted.`);
}
