import { HttpError } from '../errors.js';
import { NO_USAGE, type SessionFile } from '../types.js';
import type { ChatStorage } from './chat-storage.js';
import { checkId, isId, newId } from './ids.js';
import { Serial } from './serial.js';
import { readSessionFile } from './session-file.js';
import { StoreError } from './store-error.js';

export interface SessionStoreOptions {
  readonly storage: ChatStorage;
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

const ROOT = 'sessions';

/** Sessions as folders with a `session.json` each. */
export class SessionStore {
  readonly #options: SessionStoreOptions;
  /** Only where this process alone writes. */
  readonly #known = new Map<string, SessionFile>();
  readonly #serial = new Serial();

  constructor(options: SessionStoreOptions) {
    this.#options = options;
  }

  /** Where a session is in the storage; the id is checked here, before any path is made of it. */
  folderOf(sessionId: string): string {
    return `${ROOT}/${checkId(sessionId)}`;
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
      const isNew = await this.#options.storage.makeFolder(folder).catch((error: unknown) => {
        throw new StoreError(error);
      });
      if (!isNew && (await this.#read(id)) !== undefined) throw sessionExists(id);
      return this.#write(id, (current) => {
        // Made by another server meanwhile.
        if (current !== undefined) throw sessionExists(id);
        return session;
      });
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
      return this.#write(sessionId, (current = session) => {
        const patch = typeof change === 'function' ? change(current) : change;
        return { ...current, updatedAt: this.#now(), ...patch };
      });
    });
  }

  async delete(sessionId: string): Promise<void> {
    const folder = this.folderOf(sessionId);
    await this.#serial.run(sessionId, async () => {
      this.#known.delete(sessionId);
      await this.#options.storage.removeFolder(folder);
    });
  }

  /** All of them, the one that changed last first. */
  async list(): Promise<SessionFile[]> {
    const { storage } = this.#options;
    const ids = (await storage.folders(ROOT)).filter(isId);
    const sessions = await (storage.isOwn ? Promise.all(ids.map((id) => this.find(id))) : this.#readAll(ids));
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
    const { storage } = this.#options;
    const found = readSessionFile(await storage.read(this.#pathOf(sessionId)), sessionId);
    if (found.is === 'there') {
      this.#keep(found.file);
      return found.file;
    }
    const files = await storage.sizes(this.folderOf(sessionId));
    if (!files.has('messages.jsonl')) return undefined;
    const why = found.is === 'broken' ? found.why : 'it is missing';
    this.#options.onWarning(`session.json of ${sessionId} was rebuilt: ${why}.`);
    const now = this.#now();
    const made = { version: 1, id: sessionId, title: '', createdAt: now, updatedAt: now } as const;
    const session: SessionFile = { ...made, leafId: null, instructions: '', grants: [], usage: NO_USAGE };
    this.#keep(session);
    return session;
  }

  /** In one go, which a database is quicker at. */
  async #readAll(ids: readonly string[]): Promise<(SessionFile | undefined)[]> {
    const contents = await this.#options.storage.readEach(ids.map((id) => this.#pathOf(id)));
    return Promise.all(
      ids.map(async (id, at) => {
        const found = readSessionFile(contents[at], id);
        return found.is === 'there' ? found.file : this.find(id);
      }),
    );
  }

  /** A file that is garbled is made anew. */
  async #write(sessionId: string, change: (current: SessionFile | undefined) => SessionFile): Promise<SessionFile> {
    let refusal: unknown;
    let changed: SessionFile | undefined;
    try {
      await this.#options.storage.update(this.#pathOf(sessionId), (content) => {
        const found = readSessionFile(content, sessionId);
        try {
          changed = change(found.is === 'there' ? found.file : undefined);
        } catch (error) {
          refusal = error;
          throw error;
        }
        return `${JSON.stringify(changed, null, 2)}\n`;
      });
    } catch (error) {
      throw refusal !== undefined && error === refusal ? error : new StoreError(error);
    }
    const session = changed as unknown as SessionFile;
    this.#keep(session);
    return session;
  }

  #keep(session: SessionFile): void {
    if (this.#options.storage.isOwn) this.#known.set(session.id, session);
  }

  #pathOf(sessionId: string): string {
    return `${this.folderOf(sessionId)}/session.json`;
  }

  #now(): string {
    return this.#options.now?.() ?? new Date().toISOString();
  }
}

export function noSuchSession(sessionId: string): HttpError {
  return new HttpError(404, 'no_such_session', `Chat "${sessionId}" not found. It may have been deleted.`);
}

function sessionExists(id: string): HttpError {
  return new HttpError(409, 'session_exists', `Chat "${id}" exists already.`);
}
