import { newId } from '../store/ids.js';
import type { AgentFile, ChatPart, StoredMessage } from '../types.js';
import type { AgentPlan } from './factory.js';
import type { AgentStore } from './manager.js';
import type { AgentOutcome } from './run-agent.js';

export interface JournalOf {
  readonly sessionId: string;
  readonly agentId: string;
  readonly plan: AgentPlan;
  readonly task: string;
}

/** A sub-agent's history on disk: its task, and its answer as it grows. */
export class AgentJournal {
  readonly #store: AgentStore;
  readonly #of: JournalOf;
  readonly #createdAt = new Date().toISOString();
  readonly #taskId = newId('msg');
  /** Of the message that it answers with. */
  readonly answerId = newId('msg');
  #answeredAt: string | undefined;

  constructor(store: AgentStore, of: JournalOf) {
    this.#store = store;
    this.#of = of;
  }

  async begin(): Promise<void> {
    const { sessionId, agentId, task } = this.#of;
    await this.#store.registerAgentDir(sessionId, agentId);
    await this.#writeFile('running');
    await this.#store.saveAgentMessage(sessionId, agentId, {
      id: this.#taskId,
      parentMessageId: null,
      role: 'user',
      messageKind: 'normal',
      parts: [{ type: 'text', text: task }],
      metadata: {},
      createdAt: this.#createdAt,
    });
  }

  /** The answer so far: the last line of an id wins. */
  async saveAnswer(parts: readonly ChatPart[], kind: StoredMessage['messageKind'] = 'normal'): Promise<void> {
    if (parts.length === 0) return;
    const { sessionId, agentId } = this.#of;
    this.#answeredAt ??= new Date().toISOString();
    await this.#store.saveAgentMessage(sessionId, agentId, {
      id: this.answerId,
      parentMessageId: this.#taskId,
      role: 'subagent',
      messageKind: kind,
      parts,
      metadata: {},
      createdAt: this.#answeredAt,
    });
  }

  async end({ state }: AgentOutcome): Promise<void> {
    await this.#writeFile(state);
  }

  async #writeFile(state: AgentFile['state']): Promise<void> {
    const { sessionId, agentId, plan, task } = this.#of;
    await this.#store.writeAgentSessionJson(sessionId, agentId, {
      version: 1,
      id: agentId,
      title: plan.title,
      agentType: plan.agentType,
      task,
      state,
      createdAt: this.#createdAt,
      updatedAt: new Date().toISOString(),
    });
  }
}
