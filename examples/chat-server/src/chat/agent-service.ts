import { AgentJournal } from '../agents/agent-journal.js';
import { askedIds } from '../agents/agent-store.js';
import type { AgentItem, StoredQuestion } from '../agents/stored-agents.js';
import type { ApprovalAnswer } from '../approval/pending-registry.js';
import { HttpError } from '../errors.js';
import type { ModelRegistry } from '../models/registry.js';
import { type ChatModel, findModel, resolveChatModel } from '../models/resolve-chat-model.js';
import type { MessageStore } from '../store/message-store.js';
import type { SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import type { StoredMessage } from '../types.js';
import { alreadyAnswered } from './answer-approvals.js';
import { planToGoOn } from './go-on.js';
import { type ChatService, type Started, TIME_TO_JOIN_MS } from './service.js';

export interface AgentServiceOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly models: ModelRegistry;
  readonly service: Pick<ChatService, 'begin'>;
  readonly runtime: Pick<ToolRuntime, 'pending' | 'storedAgents' | 'agentQuestions'>;
}

export type AgentAnswer = 'resolved' | 'early' | 'resumed' | { readonly waiting: number };

/** Answers sub-agents, and lets those go on whose turn has ended. */
export class AgentService {
  readonly #options: AgentServiceOptions;

  constructor(options: AgentServiceOptions) {
    this.#options = options;
  }

  /** @throws HttpError `no_such_approval` or `already_answered`. */
  async answer(sessionId: string, id: string, answer: ApprovalAnswer): Promise<AgentAnswer> {
    const { runtime, messages } = this.#options;
    const isKnown = (await askedIds(messages, sessionId)).includes(id);
    if (isKnown && (await this.#find(sessionId, id)) === undefined) {
      throw alreadyAnswered(
        'This question has already been answered, or the chat continued without an answer, which counts as a denial.',
      );
    }
    const outcome = runtime.pending.answer(sessionId, id, answer);
    if (outcome === 'already_answered') throw alreadyAnswered('This question was answered before.');
    if (outcome !== 'unknown') return outcome;
    const started = await this.#begin(sessionId, async () => {
      const question = await this.#find(sessionId, id);
      if (question === undefined) {
        throw new HttpError(404, 'no_such_approval', 'No sub-agent or app of this chat waits for this answer.');
      }
      await this.#keep(sessionId, question, answer);
      return question.messageId;
    });
    return 'waiting' in started ? started : 'resumed';
  }

  /** @throws HttpError `no_such_agent` or `cannot_continue`. */
  async continue(sessionId: string, agentId: string): Promise<void> {
    await this.#begin(sessionId, async () => {
      const agents = await this.list(sessionId);
      const agent = agents.find((one) => one.agentId === agentId);
      if (agent === undefined) throw noSuchAgent(agentId);
      if (!agent.canContinue || agent.messageId === undefined) throw new HttpError(409, 'cannot_continue', why(agent));
      return agent.messageId;
    });
  }

  /** How many questions can be answered. */
  async countOpen(sessionId: string): Promise<number> {
    return (await this.#options.runtime.storedAgents.open(sessionId)).length;
  }

  list(sessionId: string): Promise<AgentItem[]> {
    return this.#options.runtime.storedAgents.list(sessionId);
  }

  /** Ends those that wait or were interrupted, for good. Returns how many there were. */
  async stop(sessionId: string): Promise<number> {
    const { messages } = this.#options;
    const agents = (await this.list(sessionId)).filter(({ state, canContinue }) => canContinue || state === 'waiting');
    for (const { agentId } of agents) {
      const file = await messages.readAgentSessionJson(sessionId, agentId);
      const journal = file && (await AgentJournal.open(messages, sessionId, file));
      if (journal?.isUnended === true) await journal.become('stopped', { summary: 'It was stopped.' });
    }
    return agents.length;
  }

  /** What it returns is the message of the chat that goes on. */
  #begin(sessionId: string, prepare: () => Promise<string>): Promise<Started> {
    const { sessions, messages, runtime, service } = this.#options;
    return service.begin(
      sessionId,
      async () => {
        const messageId = await prepare();
        const message = await messages.get(sessionId, messageId);
        if (message === undefined) throw new HttpError(404, 'no_such_message', 'The message of the call is missing.');
        const chatModel = await this.#modelOf(message);
        const session = await sessions.update(sessionId, { leafId: messageId });
        const plan = planToGoOn({ session, chatModel, tree: await messages.tree(sessionId), message });
        const { length: waiting } = await runtime.storedAgents.open(sessionId, messageId);
        const mayGoOn = (await this.#ready(sessionId, messageId)) || waiting === 0;
        return mayGoOn ? { ...plan, store: async () => session } : { waiting };
      },
      TIME_TO_JOIN_MS,
    );
  }

  /** Whether one of them has all its answers, or was interrupted. */
  async #ready(sessionId: string, messageId: string): Promise<boolean> {
    const agents = await this.list(sessionId);
    return agents.some((agent) => agent.messageId === messageId && agent.canContinue);
  }

  async #find(sessionId: string, id: string): Promise<StoredQuestion | undefined> {
    const questions = await this.#options.runtime.storedAgents.open(sessionId);
    return questions.find(({ request }) => request.id === id);
  }

  async #keep(sessionId: string, { file, request }: StoredQuestion, answer: ApprovalAnswer): Promise<void> {
    const { messages, runtime } = this.#options;
    const journal = await AgentJournal.open(messages, sessionId, file);
    if (journal === undefined) throw noSuchAgent(file.id);
    await runtime.agentQuestions.keep(journal, request, answer);
  }

  /** The model that wrote the message; the default one, if that is not there any more. */
  async #modelOf({ metadata }: StoredMessage): Promise<ChatModel> {
    const { models } = this.#options;
    const { chatModelId = 'default', chatModelSource } = metadata;
    const isThere = (await findModel(models, chatModelId)) !== undefined;
    return resolveChatModel(models, isThere ? { chatModelId, chatModelSource } : {});
  }
}

export function noSuchAgent(agentId: string): HttpError {
  return new HttpError(404, 'no_such_agent', `Sub-agent "${agentId}" not found in this chat.`);
}

function why({ state }: AgentItem): string {
  if (state === 'waiting') return 'This sub-agent waits for your answer.';
  return `This sub-agent is ${state}, and nothing waits for it any more.`;
}
