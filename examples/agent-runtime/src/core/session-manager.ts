import type { AgentAdapter } from '../types/adapter.js';
import type { CoreConfig } from '../types/agent.js';
import type { NewSession, SessionFactory } from '../types/factory.js';
import type { StoredMessage } from '../types/messages.js';
import type { AgentPersister, SessionData } from '../types/persister.js';
import type { Session } from '../types/session.js';
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
  readonly #live = new Map<string, Session>();
  /** Loads under way, so that two that ask for a session get the same one. */
  readonly #loading = new Map<string, Promise<Session | null>>();

  constructor(parts: SessionManagerParts) {
    this.#parts = parts;
  }

  get live(): readonly Session[] {
    return [...this.#live.values()];
  }

  /** The session is kept before anyone is given it. */
  async create({ summary, model, systemPrompt }: NewSession, id: string = crypto.randomUUID()): Promise<Session> {
    const { config, persister } = this.#parts;
    const now = new Date().toISOString();
    const data: SessionData = {
      id,
      summary: summary === undefined ? null : keepable(summary),
      createdAt: now,
      lastActivity: now,
      cwd: config.workspace,
      state: 'created',
      model: model ?? config.model ?? null,
      usage: null,
    };
    await persister.saveSession(data);
    const messages = systemPrompt === undefined ? [] : [promptRow(systemPrompt)];
    if (messages.length > 0) await persister.saveMessages(data.id, messages);
    return this.#bring(data, messages);
  }

  async get(id: string): Promise<Session | null> {
    const live = this.#live.get(id);
    if (live !== undefined) {
      await live.refresh?.();
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
    const { config, adapter, persister, factory } = this.#parts;
    const { id, usage, owner: _owner, heartbeat: _heartbeat, messageCount: _count, ...metadata } = data;
    const options = { onPersistError: config.onPersistError, onWarning: config.onWarning };
    const session = factory.createSession(id, metadata, adapter, options, persister, messages, usage);
    this.#live.set(id, session);
    return session;
  }
}

function promptRow(systemPrompt: string): StoredMessage {
  const draft = { type: 'system', content: systemPrompt, metadata: { kind: 'prompt' } } as const;
  return new Transcript([]).append(draft, 0, crypto.randomUUID());
}
