import type { AgentAdapter } from '../types/adapter.js';
import type { CoreConfig, ForkOptions } from '../types/agent.js';
import type { NewSession, SessionFactory } from '../types/factory.js';
import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, SessionData } from '../types/persister.js';
import type { Session } from '../types/session.js';
import { checkOwnTalk } from './compaction.js';
import { LiveSessions } from './live-sessions.js';
import { keepable } from './plain-json.js';
import { Transcript } from './transcript.js';

export interface SessionManagerParts {
  readonly config: CoreConfig;
  readonly adapter: AgentAdapter;
  readonly persister: AgentPersister;
  readonly factory: SessionFactory;
}

/** The sessions that live in this process. */
export class SessionManager {
  readonly #parts: SessionManagerParts;
  readonly #live = new LiveSessions();
  /** Loads under way, so that two that ask for a session get the same one. */
  readonly #loading = new Map<string, Promise<Session | null>>();

  constructor(parts: SessionManagerParts) {
    this.#parts = parts;
  }

  get live(): readonly Session[] {
    return this.#live.all;
  }

  /** The session is kept before anyone is given it. */
  async create(options: NewSession, id?: string): Promise<Session> {
    const { persister } = this.#parts;
    const { systemPrompt } = options;
    const data = this.#newData(options, id);
    const messages = systemPrompt === undefined ? [] : [promptRow(systemPrompt)];
    await persister.createSession(data, messages);
    return this.#bring(data, messages);
  }

  /** A new session with the rows of another, up to a turn. */
  async fork(source: Session, { turn, summary = source.summary ?? undefined }: ForkOptions): Promise<Session> {
    const rows = await source.snapshot(turn);
    checkOwnTalk(source.id, rows);
    const data = this.#newData({ summary, model: source.model ?? undefined });
    const messages = rows.map((row, index) => ({ ...row, id: crypto.randomUUID(), seq: index + 1 }));
    await this.#parts.persister.createSession(data, messages);
    return this.#bring(data, messages);
  }

  /** Deletes a session that nobody has used since it was listed, unless a turn of it runs. */
  async prune(data: SessionData): Promise<'deleted' | 'busy'> {
    const { id, lastActivity, state } = data;
    const { persister } = this.#parts;
    const live = this.#live.peek(id);
    if (live?.state === 'active') return 'busy';
    const claim = await persister.claimSession?.(id);
    if (claim?.outcome === 'busy' || (claim === undefined && state === 'active')) return 'busy';
    const now = await persister.getSession(id);
    if (now !== null && now.lastActivity !== lastActivity) {
      await persister.saveSession({ ...now, state, owner: null, heartbeat: null });
      return 'busy';
    }
    // It needs no rows to be deleted; a kind of session may keep more than the persister knows.
    await (live ?? this.#make(now ?? data, [])).delete();
    this.#live.delete(id);
    return 'deleted';
  }

  #newData({ summary, model }: NewSession, id: string = crypto.randomUUID()): SessionData {
    const { config } = this.#parts;
    const now = new Date().toISOString();
    return {
      id,
      summary: summary === undefined ? null : keepable(summary),
      createdAt: now,
      lastActivity: now,
      cwd: config.workspace,
      state: 'created',
      model: model ?? config.model ?? null,
      usage: null,
    };
  }

  async get(id: string): Promise<Session | null> {
    const live = this.#live.peek(id);
    if (live !== undefined) {
      await live.refresh?.();
      this.#live.use(live);
      if (live.state !== 'deleted') return live;
      this.#live.delete(id);
      return null;
    }
    const loading = this.#loading.get(id) ?? this.#load(id);
    this.#loading.set(id, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(id);
    }
  }

  async delete(id: string): Promise<void> {
    const session = await this.get(id);
    if (session === null) return;
    await session.delete();
    this.#live.delete(id);
  }

  async #load(id: string): Promise<Session | null> {
    const { persister } = this.#parts;
    const data = await persister.getSession(id);
    return data === null ? null : this.#bring(data, await persister.getMessages(id));
  }

  #bring(data: SessionData, messages: readonly StoredMessage[]): Session {
    const session: Session = this.#make(data, messages, () => this.#live.use(session));
    this.#live.add(session);
    return session;
  }

  #make(data: SessionData, messages: readonly StoredMessage[], onBegin?: () => void): Session {
    const { config, adapter, persister, factory } = this.#parts;
    const { id, usage, owner: _owner, heartbeat: _heartbeat, messageCount: _count, ...metadata } = data;
    const { onPersistError, onWarning, isLong } = config;
    const options = { onPersistError, onWarning, isLong, onBegin };
    return factory.createSession(id, metadata, adapter, options, persister, messages, usage);
  }
}

function promptRow(systemPrompt: string): StoredMessage {
  const draft = { type: 'system', content: systemPrompt, metadata: { kind: 'prompt' } } as const;
  return new Transcript([]).append(draft, 0, crypto.randomUUID());
}
