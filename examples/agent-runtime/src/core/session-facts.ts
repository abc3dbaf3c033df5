import type { EventUsage } from '../types/events.js';
import type { SessionMetadata } from '../types/factory.js';
import type { StoredMessage, TokenUsage } from '../types/messages.js';
import type { SessionData } from '../types/persister.js';
import type { SessionState } from '../types/session.js';
import { summaryOf } from './content.js';
import { deepFreeze } from './plain-json.js';
import { addUsage, NO_USAGE } from './usage.js';

/** What is known of a session beside its rows, and is kept with it. */
export class SessionFacts {
  readonly #id: string;
  readonly #metadata: SessionMetadata;
  /** The state to be kept: at the end of a turn it is written before it is seen. */
  keptState: SessionState;
  #summary: string | null;
  #lastActivity: string;
  #usage: TokenUsage;

  constructor(id: string, metadata: SessionMetadata, state: SessionState, usage: TokenUsage | null | undefined) {
    this.#id = id;
    this.#metadata = metadata;
    this.keptState = state;
    this.#summary = metadata.summary;
    this.#lastActivity = metadata.lastActivity;
    this.#usage = deepFreeze(structuredClone(usage ?? NO_USAGE));
  }

  get summary(): string | null {
    return this.#summary;
  }

  get createdAt(): string {
    return this.#metadata.createdAt;
  }

  get lastActivity(): string {
    return this.#lastActivity;
  }

  get model(): string | null {
    return this.#metadata.model;
  }

  get usage(): TokenUsage {
    return this.#usage;
  }

  /** The user said something. */
  hear({ content, timestamp }: StoredMessage): void {
    this.#summary ??= summaryOf(content);
    this.#lastActivity = timestamp;
  }

  count(usage: EventUsage | undefined): void {
    if (usage !== undefined) this.#usage = deepFreeze(addUsage(this.#usage, usage));
  }

  /** From now on the session is to be kept in this state. */
  enter(state: SessionState): void {
    this.keptState = state;
    this.#lastActivity = new Date().toISOString();
  }

  /** Takes over what another process has kept. */
  adopt(data: SessionData | null): void {
    this.#usage = deepFreeze(data?.usage ?? this.#usage);
    this.#summary = data?.summary ?? this.#summary;
  }

  data(): SessionData {
    return {
      id: this.#id,
      summary: this.#summary,
      createdAt: this.#metadata.createdAt,
      lastActivity: this.#lastActivity,
      cwd: this.#metadata.cwd,
      state: this.keptState,
      model: this.#metadata.model,
      usage: this.#usage,
    };
  }
}
