import { KeptCalls, type WhenKept } from '../store/kept-calls.js';
import type { AskingJournal } from '../approval/agent-questions.js';
import type { ToolCallPart } from '../approval/answer-effects.js';
import { newId } from '../store/ids.js';
import { normalizeParts } from '../store/normalize-parts.js';
import type { AgentFile, AgentParent, ChatPart, StoredMessage } from '../types.js';
import { type AgentEvent, isEnded, stateAfter } from './agent-state.js';
import type { AgentPlan } from './factory.js';
import type { AgentStore } from './agent-store.js';

export interface NewAgentOf {
  readonly sessionId: string;
  readonly parent: AgentParent;
  readonly plan: AgentPlan;
  readonly task: string;
}

interface Kept {
  readonly sessionId: string;
  readonly file: AgentFile;
  readonly task: StoredMessage;
  readonly answer: StoredMessage | undefined;
}

/** A sub-agent on disk: its state, its task, and its answer as it grows. */
export class AgentJournal implements AskingJournal {
  readonly sessionId: string;
  /** Of the message that it answers with. */
  readonly answerId: string;
  readonly task: StoredMessage;
  readonly #store: AgentStore;
  readonly #calls = new KeptCalls();
  #file: AgentFile;
  #answer: StoredMessage | undefined;

  private constructor(store: AgentStore, { sessionId, file, task, answer }: Kept) {
    this.#store = store;
    this.sessionId = sessionId;
    this.#file = file;
    this.task = task;
    this.#answer = answer;
    this.answerId = answer?.id ?? newId('msg');
    this.#calls.note(this.parts);
  }

  static async begin(store: AgentStore, { sessionId, parent, plan, task }: NewAgentOf): Promise<AgentJournal> {
    const createdAt = new Date().toISOString();
    const { title, agentType } = plan;
    const id = newId('agent');
    const times = { createdAt, updatedAt: createdAt };
    const file: AgentFile = { version: 1, id, title, agentType, task, state: 'running', parent, ...times };
    const message: StoredMessage = {
      id: newId('msg'),
      parentMessageId: null,
      role: 'user',
      messageKind: 'normal',
      parts: [{ type: 'text', text: task }],
      metadata: {},
      createdAt,
    };
    await store.registerAgentDir(sessionId, id);
    // The task first: an agent whose file is there can go on.
    await store.saveAgentMessage(sessionId, id, message);
    await store.writeAgentSessionJson(sessionId, id, file);
    return new AgentJournal(store, { sessionId, file, task: message, answer: undefined });
  }

  /** `undefined`: its task is lost. */
  static async open(store: AgentStore, sessionId: string, file: AgentFile): Promise<AgentJournal | undefined> {
    const messages = await store.agentMessages(sessionId, file.id);
    const task = messages.find(({ role }) => role === 'user');
    const answer = messages.findLast(({ role }) => role === 'subagent');
    return task && new AgentJournal(store, { sessionId, file, task, answer });
  }

  get agentId(): string {
    return this.#file.id;
  }

  get file(): AgentFile {
    return this.#file;
  }

  get isUnended(): boolean {
    return !isEnded(this.#file.state);
  }

  get parts(): readonly ChatPart[] {
    return this.#answer?.parts ?? [];
  }

  /** What the model reads. */
  async forModel(): Promise<readonly StoredMessage[]> {
    return this.#store.forModel(this.sessionId, this.path);
  }

  /** Its task, and its answer so far. */
  get path(): readonly StoredMessage[] {
    return this.#answer === undefined ? [this.task] : [this.task, this.#answer];
  }

  /** Resolves when a call of its answer is on disk. */
  readonly whenKept: WhenKept = (toolCallId, signal) => this.#calls.when(toolCallId, signal);

  /** Changes the state on disk. */
  async become(event: AgentEvent, changes: Pick<AgentFile, 'summary' | 'steps' | 'asked'> = {}): Promise<void> {
    const state = stateAfter(this.#file.state, event);
    const file: AgentFile = { ...this.#file, ...changes, state, updatedAt: new Date().toISOString() };
    await this.#store.writeAgentSessionJson(this.sessionId, this.agentId, file);
    this.#file = file;
  }

  async ask(asked: NonNullable<AgentFile['asked']>): Promise<void> {
    await this.become('asks', { asked });
  }

  /** The answer so far: the last line of an id wins. */
  async saveAnswer(parts: readonly ChatPart[], kind: StoredMessage['messageKind'] = 'normal'): Promise<void> {
    const kept = normalizeParts(parts);
    if (kept.length === 0 && this.#answer === undefined) return;
    const answer: StoredMessage = {
      id: this.answerId,
      parentMessageId: this.task.id,
      role: 'subagent',
      messageKind: kind,
      parts: kept,
      metadata: {},
      createdAt: this.#answer?.createdAt ?? new Date().toISOString(),
    };
    // Before it is on disk: two that change other parts at the same time both count.
    this.#answer = answer;
    await this.#store.saveAgentMessage(this.sessionId, this.agentId, answer);
    this.#calls.note(kept);
  }

  /** The same call in another state. */
  async replace(changed: ToolCallPart): Promise<void> {
    const isSame = (part: ChatPart): boolean => 'toolCallId' in part && part.toolCallId === changed.toolCallId;
    await this.saveAnswer(this.parts.map((part) => (isSame(part) ? changed : part)));
  }
}
