import { Chat } from '@ai-sdk/react';
import type { ApprovalAnswer, ChatMessage, ChatPart, WhileRunning } from '../../src/types.js';
import { reduceAgents } from './agents.js';
import { api, ApiError, sentenceOf } from './api.js';
import type { AgentItem, SessionView, ViewedMessage } from './api-types.js';
import { MessageIds, sendLater } from './chat-queue.js';
import { joinBase } from './join-base.js';
import { textOf } from './parts.js';
import { runningMessage } from './running-message.js';
import { NO_STATE, type Notice, type SessionState, whenHeard, whenRead } from './session-state.js';
import { areSettingsSaved, UNSAVED } from './settings.js';
import { createTransport, type ModelChoice, type TurnBody } from './transport.js';

export interface ChatSessionOptions {
  readonly id: string;
  readonly isNew: boolean;
  readonly choice: () => ModelChoice | undefined;
  /** What the list of chats shows may be another. */
  readonly onChange: (sessionId: string) => void;
}

/** A turn that was stopped ends by itself; one whose server does not answer any more is let go. */
const STOP_PATIENCE_MS = 5000;

/** One chat: its stored messages, the turn that runs, and what a person may do about both. */
export class ChatSession {
  readonly id: string;
  readonly chat: Chat<ChatMessage>;
  readonly #onChange: (sessionId: string) => void;
  readonly #choice: ChatSessionOptions['choice'];
  readonly #listeners = new Set<() => void>();
  #state: SessionState = NO_STATE;
  /** Made by this page, and never stored so far. */
  #isNew: boolean;
  /** Answers to approvals and turns follow each other. */
  #queue: Promise<void> = Promise.resolve();
  readonly #ids = new MessageIds();

  constructor({ id, isNew, choice, onChange }: ChatSessionOptions) {
    this.id = id;
    this.#onChange = onChange;
    this.#isNew = isNew;
    this.#choice = choice;
    this.chat = new Chat<ChatMessage>({
      id,
      transport: createTransport({ choice, onConnection: (connection) => this.#set({ connection }) }),
      onData: (part) => this.#hear(part),
    });
    if (isNew) this.#set({ isLoaded: true });
    else void this.refresh();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): SessionState => this.#state;

  get isWorking(): boolean {
    return this.chat.status === 'submitted' || this.chat.status === 'streaming';
  }

  /** What is stored, in place of what was streamed; and on with the turn that runs, if there is one. */
  async refresh(): Promise<void> {
    if (this.isWorking) return;
    await this.#inTurn(async () => {
      if (await this.#sync()) await this.#join();
    });
  }

  /** Whether it was sent: if not, what was written is still wanted. */
  async send(parts: ChatPart[]): Promise<boolean> {
    const sent = { id: this.#ids.next(parts).id, role: 'user' as const, parts };
    let isAnswered = false;
    await this.#turn(async () => {
      await this.chat.sendMessage(sent);
      // What the server refused is no part of the chat, also of one that is not stored yet.
      if (this.chat.error instanceof ApiError) {
        this.chat.messages = this.chat.messages.filter(({ id }) => id !== sent.id);
      } else isAnswered = this.chat.lastMessage?.role === 'assistant';
    });
    // A command is answered, and not stored.
    return isAnswered || this.chat.messages.some(({ id }) => id === sent.id);
  }

  /** While a turn runs. Whether it was taken: if not, what was written is still wanted. */
  async sendLater(parts: readonly ChatPart[], whileRunning: WhileRunning): Promise<boolean> {
    return this.changeQueue(async () => {
      const later = await sendLater(this.id, parts, { ids: this.#ids, whileRunning, choice: this.#choice() });
      if (later === 'queued for later')
        this.say({ kind: 'info', text: 'The response cannot take a file or a skill now: the message is queued.' });
    });
  }

  /** The stream of a turn that runs tells of the change; without one the queue is read. Whether the server agreed. */
  async changeQueue(work: () => Promise<void>): Promise<boolean> {
    let isDone = true;
    try {
      await work();
    } catch (error) {
      isDone = false;
      this.say({ kind: error instanceof ApiError && error.status < 500 ? 'info' : 'error', text: sentenceOf(error) });
    }
    void this.refresh();
    this.#onChange(this.id);
    return isDone;
  }

  /** Another version of a message, on a branch of its own. */
  async edit(messageId: string, parts: ChatPart[]): Promise<void> {
    await this.#turn(async () => {
      const at = this.chat.messages.findIndex(({ id }) => id === messageId);
      if (at === -1) return;
      const body: TurnBody = { parentMessageId: this.chat.messages[at - 1]?.id ?? null };
      this.chat.messages = this.chat.messages.slice(0, at);
      await this.chat.sendMessage({ role: 'user', parts }, { body });
    });
  }

  async regenerate(messageId: string): Promise<void> {
    await this.#turn(() => this.chat.regenerate({ messageId }));
  }

  async stop(): Promise<void> {
    try {
      await api('POST', `/api/chat/${this.id}/stop`, {});
      await this.#settled(STOP_PATIENCE_MS);
    } catch (error) {
      this.say({ kind: 'error', text: `Could not stop the response: ${sentenceOf(error)}` });
    }
    if (this.isWorking) await this.chat.stop();
  }

  /** Of the chat's own calls: the last answer of a step goes on with the turn. */
  async answer({ id, approved, ...rest }: ApprovalAnswer): Promise<void> {
    const approvals = [{ id, approved, ...rest }];
    await this.#turn(async () => {
      await this.chat.addToolApprovalResponse({ id, approved, ...(rest.reason && { reason: rest.reason }) });
      await this.chat.sendMessage(undefined, { body: { approvals } satisfies TurnBody });
    });
  }

  /** Of a sub-agent's calls. If its turn has ended, the answer lets it go on. */
  async answerAgent(toolCallId: string, answer: Omit<ApprovalAnswer, 'id'>): Promise<void> {
    const settle = (outcome: 'approved' | 'rejected' | 'answered elsewhere' | 'open'): void =>
      this.#set({ agents: reduceAgents(this.#state.agents, { type: 'answered', toolCallId, answer: outcome }) });
    settle(answer.approved ? 'approved' : 'rejected');
    try {
      const path = `/api/sessions/${this.id}/approvals/${encodeURIComponent(toolCallId)}`;
      const { result } = await api<{ readonly result?: string }>('POST', path, answer);
      if (result === 'resumed') await this.#inTurn(() => this.#join());
    } catch (error) {
      const isAnswered = error instanceof ApiError && error.status === 409;
      settle(isAnswered ? 'answered elsewhere' : 'open');
      if (!isAnswered) this.say({ kind: 'error', text: sentenceOf(error) });
    }
  }

  /** Of a sub-agent whose turn ended before it did. */
  async continueAgent(agentId: string): Promise<void> {
    await this.#inTurn(async () => {
      await api('POST', `/api/sessions/${this.id}/agents/${encodeURIComponent(agentId)}/continue`, {});
      await this.#join();
    });
  }

  async showBranch(messageId: string): Promise<void> {
    await this.#change({ leafId: messageId });
  }

  async change(change: { readonly title?: string; readonly instructions?: string }): Promise<void> {
    await this.#change(change);
  }

  say(notice: Notice): void {
    this.#set({ notice });
  }

  dismiss(): void {
    this.#set({ notice: undefined, aside: undefined });
  }

  async #change(change: object): Promise<void> {
    try {
      await api('PATCH', `/api/sessions/${this.id}`, change);
      await this.#inTurn(async () => void (await this.#sync()));
    } catch (error) {
      this.say({ kind: 'error', text: sentenceOf(error) });
    }
    this.#onChange(this.id);
  }

  /** What reads the stored messages never comes between a message that is sent and its answer: it knows neither. */
  async #inTurn(work: () => Promise<void>): Promise<void> {
    this.#queue = this.#queue
      .then(work)
      .catch((error: unknown) => this.say({ kind: 'error', text: sentenceOf(error) }));
    await this.#queue;
  }

  /** One at a time; afterwards what is stored counts, whatever was streamed. */
  async #turn(start: () => Promise<void>): Promise<void> {
    const turn = this.#queue.then(async () => {
      this.#set({ isBusy: true, notice: undefined, aside: undefined });
      try {
        await ((await areSettingsSaved(this.id)) ? start() : this.say({ kind: 'error', text: UNSAVED }));
        const { error, lastMessage } = this.chat;
        const isRunning = await this.#sync();
        this.#keepAside(lastMessage);
        if (error instanceof ApiError) this.#explain(error);
        return isRunning;
      } finally {
        this.#set({ isBusy: false });
        this.#onChange(this.id);
      }
    });
    // Another tab was quicker: its turn is shown.
    void this.#inTurn(async () => {
      if (await turn) await this.#join();
    });
    await turn;
  }

  /** Reads the turn that runs, and those that follow it by themselves. */
  async #join(): Promise<void> {
    try {
      while (await this.#follow()) if (!(await this.#sync())) return;
      // It ended before it said anything.
      await this.#sync();
    } finally {
      this.#set({ isBusy: false });
      this.#onChange(this.id);
    }
  }

  /** Whether there was a turn to read. */
  async #follow(): Promise<boolean> {
    const running = await runningMessage(this.id);
    if (running === undefined) return false;
    const { messages, isContinued } = joinBase(this.chat.messages, running);
    this.chat.messages = messages;
    this.#set({ isBusy: true, agents: new Map() });
    await (isContinued
      ? this.chat.sendMessage(undefined, { body: { isJoin: true } satisfies TurnBody })
      : this.chat.resumeStream());
    return true;
  }

  /** Whether a turn runs. */
  async #sync(): Promise<boolean> {
    try {
      const path = `/api/sessions/${this.id}`;
      const stored = await api<SessionView>('GET', path);
      const items = await api<readonly AgentItem[]>('GET', `${path}/agents`);
      this.#isNew = false;
      this.chat.messages = stored.messages.map(toMessage);
      if (this.chat.error !== undefined && isErrorShown(stored)) this.chat.clearError();
      this.#set(whenRead(this.#state, stored, items));
      return stored.running;
    } catch (error) {
      const isMissing = error instanceof ApiError && error.status === 404;
      this.#set({ isLoaded: true, isMissing: isMissing && !this.#isNew && this.chat.messages.length === 0 });
      if (!isMissing) this.say({ kind: 'error', text: sentenceOf(error) });
      return false;
    }
  }

  /** The answer of a command is in the stream alone. */
  #keepAside(streamed: ChatMessage | undefined): void {
    if (streamed?.role !== 'assistant') return;
    const text = textOf(streamed);
    const isKept = this.chat.messages.some((message) => message.id === streamed.id || textOf(message) === text);
    if (!isKept && text !== '') this.#set({ aside: text });
  }

  #explain({ status, message }: ApiError): void {
    this.chat.clearError();
    this.say({ kind: status === 409 ? 'info' : 'error', text: message });
  }

  #hear(part: { readonly type: string; readonly data: unknown }): void {
    const change = whenHeard(this.#state, part);
    if (change !== undefined) this.#set(change);
    if (part.type === 'data-session') this.#onChange(this.id);
  }

  /** Until the turn has ended, or for so long. */
  async #settled(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, ms);
    });
    await Promise.race([this.#queue, late]);
    clearTimeout(timer);
  }

  #set(change: Partial<SessionState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }
}

function toMessage({ id, role, parts, metadata }: ViewedMessage): ChatMessage {
  return { id, role: role === 'user' || role === 'system' ? role : 'assistant', parts: [...parts], metadata };
}

function isErrorShown({ messages }: SessionView): boolean {
  return messages.at(-1)?.messageKind === 'error';
}
