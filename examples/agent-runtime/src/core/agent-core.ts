import type { Agent, ChatOptions, ForkOptions, Pruned, PruneOptions } from '../types/agent.js';
import type { NewSession } from '../types/factory.js';
import type { ContentBlock, StoredMessage } from '../types/messages.js';
import type { SessionData, SessionPage, SessionQuery } from '../types/persister.js';
import type { Session, Turn } from '../types/session.js';
import { AgentError } from './agent-error.js';
import { endCutOffTurn } from './cut-off.js';
import { SessionManager, type SessionManagerParts } from './session-manager.js';
import { TurnStream } from './turn-stream.js';

const ID_NEEDS_SESSION = 'A message with an `id` needs the `sessionId` of the session that takes it once.';

/** Sessions, those who answer them, and where they are kept, as one thing that is started and ended. */
export class AgentCore implements Agent {
  readonly #parts: SessionManagerParts;
  readonly #sessions: SessionManager;
  #state: 'new' | 'starting' | 'ready' | 'destroyed' = 'new';

  constructor(parts: SessionManagerParts) {
    this.#parts = parts;
    this.#sessions = new SessionManager(parts);
  }

  async initialize(): Promise<void> {
    if (this.#state === 'destroyed') throw new AgentError('disposed', 'The agent was destroyed.');
    if (this.#state !== 'new') throw new AgentError('already_initialized', 'initialize() was called already.');
    this.#state = 'starting';
    const { persister } = this.#parts;
    try {
      await persister.open?.();
      const { items: active } = await persister.listSessions({ state: 'active' });
      // One after the other: a database takes one writer at a time.
      for (const session of active) await endCutOffTurn(persister, session);
      const { resumeSessionId } = this.#parts.config;
      if (resumeSessionId !== undefined) await this.#sessionFor(resumeSessionId);
    } catch (error) {
      this.#state = 'new';
      throw error;
    }
    this.#state = 'ready';
  }

  async createSession(options: NewSession = {}): Promise<Session> {
    this.#check('createSession');
    return this.#sessions.create(options);
  }

  async getSession(id: string): Promise<Session | null> {
    this.#check('getSession');
    return this.#sessions.get(id);
  }

  async getSessions(limit?: number, offset?: number): Promise<SessionData[]> {
    return (await this.listSessions({ limit, offset })).items;
  }

  async listSessions(query: SessionQuery = {}): Promise<SessionPage> {
    this.#check('listSessions');
    return this.#parts.persister.listSessions(checked(query));
  }

  async loadHistoricalSessions(limit?: number, offset?: number): Promise<Session[]> {
    const loaded: Session[] = [];
    // One after the other: a database in this process answers one question at a time.
    for (const { id } of await this.getSessions(limit, offset)) {
      const session = await this.#sessions.get(id);
      if (session !== null) loaded.push(session);
    }
    return loaded;
  }

  async forkSession(id: string, options: ForkOptions = {}): Promise<Session> {
    this.#check('forkSession');
    return this.#sessions.fork(await this.#sessionFor(id), options);
  }

  async prune({ olderThanMs, keep, isDryRun = false }: PruneOptions): Promise<Pruned> {
    this.#check('prune');
    checkNumbers({ olderThanMs, keep });
    if (olderThanMs === undefined && keep === undefined) {
      throw new AgentError(
        'bad_settings',
        'prune() needs `olderThanMs`, `keep`, or both: it would delete every session.',
      );
    }
    const before = Date.now() - (olderThanMs ?? 0);
    const { items } = await this.#parts.persister.listSessions({ offset: keep ?? 0 });
    const old = items.filter(({ lastActivity }) => olderThanMs === undefined || Date.parse(lastActivity) < before);
    const pruned = { deleted: [] as string[], busy: [] as string[] };
    // One after the other: a database takes one writer at a time.
    for (const data of old) pruned[isDryRun ? 'deleted' : await this.#sessions.prune(data)].push(data.id);
    return pruned;
  }

  async deleteSession(id: string): Promise<void> {
    this.#check('deleteSession');
    await this.#sessions.delete(id);
  }

  chat(content: string | readonly ContentBlock[], { sessionId, ...options }: ChatOptions = {}): Turn {
    const known = sessionId ?? this.#parts.config.resumeSessionId;
    const id = known ?? crypto.randomUUID();
    const turn = new TurnStream(id);
    const answer = async (): Promise<void> => {
      this.#check('chat');
      if (known === undefined && options.id !== undefined) throw new AgentError('bad_message', ID_NEEDS_SESSION);
      const session = known === undefined ? await this.#sessions.create({}, id) : await this.#sessionFor(id);
      const inner = session.send(content, options);
      for await (const event of inner) turn.push(event);
      await inner;
    };
    answer().then(
      () => turn.end(),
      (error: unknown) => turn.fail(error),
    );
    return turn;
  }

  async destroy(): Promise<void> {
    if (this.#state === 'destroyed') return;
    this.#check('destroy');
    this.#state = 'destroyed';
    const { adapter, persister } = this.#parts;
    const unkept: StoredMessage[] = [];
    const errors: unknown[] = [];
    const attempt = async (step: Promise<unknown> | undefined): Promise<void> => {
      try {
        await step;
      } catch (error) {
        errors.push(error);
        if (error instanceof AgentError) unkept.push(...error.messages);
      }
    };
    await Promise.all(
      this.#sessions.live.map(async (session) => {
        if (session.state === 'active') await attempt(session.interrupt());
        await attempt(session.flush?.());
      }),
    );
    await attempt(adapter.close?.());
    await attempt(persister.flush());
    await attempt(persister.close());
    if (errors.length > 0) throw asOneError(errors, unkept);
  }

  async #sessionFor(id: string): Promise<Session> {
    const session = await this.#sessions.get(id);
    if (session === null) throw new AgentError('no_such_session', `There is no session ${id}.`);
    return session;
  }

  #check(call: string): void {
    if (this.#state === 'ready') return;
    if (this.#state === 'destroyed') throw new AgentError('disposed', `${call}(): the agent was destroyed.`);
    throw new AgentError('not_initialized', `${call}(): call initialize() first, and wait for it.`);
  }
}

function checked(query: SessionQuery): SessionQuery {
  const { limit, offset } = query;
  checkNumbers({ limit, offset });
  return query;
}

/** @throws AgentError `bad_settings`, if a number is not a whole one from 0 on */
function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers)) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue;
    throw new AgentError('bad_settings', `\`${name}\` is ${value}; it must be a whole number from 0 on.`);
  }
}

/** A row that both the session and the persister could not keep counts once. */
function asOneError(errors: readonly unknown[], unkept: readonly StoredMessage[]): unknown {
  const rows = [...new Map(unkept.map((row) => [row.id, row])).values()];
  const [first] = errors;
  if (rows.length === 0) return first;
  return new AgentError('persist_failed', `Could not keep ${rows.length} rows: ${reasonOf(first)}`, {
    cause: first,
    messages: rows,
  });
}

/** What went wrong at the bottom of it. */
function reasonOf(error: unknown): string {
  let reason = error;
  while (reason instanceof Error && reason.cause !== undefined) reason = reason.cause;
  return reason instanceof Error ? reason.message : String(reason);
}
