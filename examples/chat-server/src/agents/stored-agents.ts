import { type AgentQuestions, questionOf } from '../approval/agent-questions.js';
import type { SealedRequest } from '../approval/question-seal.js';
import { MessageTree } from '../store/tree.js';
import type { AgentFile, AgentQuestion, ChatPart, SubAgentState } from '../types.js';
import { isEnded } from './agent-state.js';
import { agentFiles, type AgentStore } from './agent-store.js';
import { isOf, openAgentCalls } from './manager.js';

/** A sub-agent as the API tells of it. */
export interface AgentItem {
  readonly agentId: string;
  readonly title: string;
  readonly agentType: string;
  readonly task: string;
  readonly state: SubAgentState;
  /** The message of the chat that it works for, and the call. Absent: of an earlier version. */
  readonly messageId?: string | undefined;
  readonly toolCallId?: string | undefined;
  readonly summary?: string | undefined;
  readonly questions: readonly AgentQuestion[];
  /** Its turn ended before it did, and can go on. */
  readonly canContinue: boolean;
}

export interface StoredAgentsOptions {
  readonly store: AgentStore & { tree(sessionId: string): Promise<MessageTree> };
  readonly questions: Pick<AgentQuestions, 'openOf'>;
  readonly isRunning: (sessionId: string, agentId: string) => boolean;
}

/** A question that waits in the store, and the message of the chat that goes on with its answer. */
export interface StoredQuestion {
  readonly file: AgentFile;
  readonly messageId: string;
  readonly request: SealedRequest;
}

/** What became of the sub-agents of a chat: those that run, and those whose turn has ended. */
export class StoredAgents {
  readonly #options: StoredAgentsOptions;

  constructor(options: StoredAgentsOptions) {
    this.#options = options;
  }

  async list(sessionId: string): Promise<AgentItem[]> {
    const chat = await this.#read(sessionId);
    return chat.files.map((file) => this.#item(chat, file));
  }

  /** Questions of this message's sub-agents, or of all in the chat, that can still be answered. */
  async open(sessionId: string, messageId?: string): Promise<StoredQuestion[]> {
    const chat = await this.#read(sessionId);
    const questions = chat.files.flatMap((file) => {
      const root = rootOf(chat, file);
      return root === undefined ? [] : openIn(chat, file).map((request) => ({ file, messageId: root, request }));
    });
    return messageId === undefined ? questions : questions.filter((question) => question.messageId === messageId);
  }

  async #read(sessionId: string): Promise<Chat> {
    const { store, questions } = this.#options;
    const files = await agentFiles(store, sessionId);
    // The list of chats asks this of each chat: most have no sub-agents, and their messages need not be read.
    const tree = files.length === 0 ? new MessageTree([]) : await store.tree(sessionId);
    const parts = new Map<string, readonly ChatPart[]>();
    const asked = new Map<string, SealedRequest[]>();
    for (const file of files.filter(({ state }) => !isEnded(state))) {
      const messages = await store.agentMessages(sessionId, file.id);
      const own = messages.findLast(({ role }) => role === 'subagent')?.parts ?? [];
      parts.set(file.id, own);
      asked.set(file.id, questions.openOf({ sessionId, agentId: file.id, file, parts: own }));
    }
    return { sessionId, files, tree, parts, asked };
  }

  #item(chat: Chat, file: AgentFile): AgentItem {
    const { id: agentId, title, agentType, task, summary, parent } = file;
    const state = this.#stateOf(chat, file);
    const isLive = this.#options.isRunning(chat.sessionId, agentId);
    const mayContinue = state !== 'aborted' && state !== 'waiting' && parent?.agentId === undefined;
    return {
      agentId,
      title,
      agentType,
      task,
      state,
      messageId: rootOf(chat, file),
      toolCallId: parent?.toolCallId,
      summary,
      questions: openIn(chat, file).map(questionOf),
      canContinue: !isLive && mayContinue && isOpen(chat, file),
    };
  }

  /** A server that was ended could not say so. */
  #stateOf(chat: Chat, file: AgentFile): SubAgentState {
    if (isEnded(file.state) || this.#options.isRunning(chat.sessionId, file.id)) return file.state;
    return isWaiting(chat, file) ? 'waiting' : 'interrupted';
  }
}

interface Chat {
  readonly sessionId: string;
  readonly files: readonly AgentFile[];
  readonly tree: MessageTree;
  /** By agent. */
  readonly parts: ReadonlyMap<string, readonly ChatPart[]>;
  readonly asked: ReadonlyMap<string, readonly SealedRequest[]>;
}

/** Deep enough for what is, and files that name each other end it. */
const MAX_LEVELS = 8;

/** The sub-agent and those that it works for, up to the chat. */
function lineOf({ files }: Chat, file: AgentFile): AgentFile[] {
  const line: AgentFile[] = [];
  for (let at: AgentFile | undefined = file; at !== undefined && line.length < MAX_LEVELS;) {
    line.push(at);
    const above: string | undefined = at.parent?.agentId;
    at = files.find(({ id }) => id === above);
  }
  return line;
}

function rootOf(chat: Chat, file: AgentFile): string | undefined {
  const { parent } = lineOf(chat, file).at(-1) ?? {};
  return parent?.agentId === undefined ? parent?.messageId : undefined;
}

/** Whether a call waits for it, up to the chat, and the chat has not gone on without. */
function isOpen(chat: Chat, file: AgentFile): boolean {
  const root = rootOf(chat, file);
  const message = root === undefined ? undefined : chat.tree.get(root);
  if (message === undefined || chat.tree.isAnswered(message.id)) return false;
  return lineOf(chat, file).every((one) => {
    const { messageId = '', agentId } = one.parent ?? {};
    const parts = agentId === undefined ? message.parts : (chat.parts.get(agentId) ?? []);
    return openAgentCalls(parts).some((part) => isOf(one, { messageId, agentId, parts }, part));
  });
}

function openIn(chat: Chat, file: AgentFile): readonly SealedRequest[] {
  const asked = chat.asked.get(file.id) ?? [];
  return asked.length > 0 && isOpen(chat, file) ? asked : [];
}

/** It, or one that works for it. */
function isWaiting(chat: Chat, file: AgentFile): boolean {
  return chat.files.some((one) => openIn(chat, one).length > 0 && lineOf(chat, one).includes(file));
}
