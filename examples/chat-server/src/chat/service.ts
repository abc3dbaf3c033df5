import { isToolUIPart } from 'ai';
import { HttpError } from '../errors.js';
import type { ModelRegistry } from '../models/registry.js';
import { checkFiles } from '../models/check-capabilities.js';
import { type ChatModel, resolveChatModel } from '../models/resolve-chat-model.js';
import { type ChatQueues, isSteered } from '../queue/chat-queues.js';
import type { MessageStore } from '../store/message-store.js';
import { noSuchSession, type SessionStore } from '../store/session-store.js';
import type { ToolRuntime } from '../tools/runtime.js';
import type { ChatPart, ChatRequest, SessionFile, StoredMessage } from '../types.js';
import { type AnsweredApprovals, answerApprovals, newAnswers } from './answer-approvals.js';
import { badRequest } from './check-request.js';
import { checkEdit, isSameText, keepOldVersion, messageExists } from './edit-message.js';
import { planToGoOn } from './go-on.js';
import type { TurnDraft, TurnPlan, TurnResult } from './orchestrator.js';
import type { RunningTurn } from './running-turn.js';
import type { RunningTurns } from './running-turns.js';
import { leafOf } from './session-leaf.js';
import type { TurnKeeper } from './turn-keeper.js';
import { skillsIn, withSkillPart } from './skill-selector.js';

export interface ChatServiceOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly models: ModelRegistry;
  readonly turns: RunningTurns;
  readonly keeper: TurnKeeper;
  readonly queues: ChatQueues;
  readonly runtime: Pick<ToolRuntime, 'checkSkills' | 'effects' | 'storedAgents' | 'endChat'>;
}

/** A turn that runs, or the number of answers that it still waits for. */
export type Started =
  | { readonly turn: RunningTurn; readonly result: Promise<TurnResult> }
  | { readonly waiting: number };

type Prepared = TurnDraft | { readonly waiting: number };

const TITLE_CHARS = 80;
/** A turn that no request began is heard of by those who look at the chat. */
export const TIME_TO_JOIN_MS = 10_000;

type Of<Trigger extends ChatRequest['trigger']> = Extract<ChatRequest, { trigger: Trigger }>;

interface Sending {
  readonly isFromQueue: boolean;
  readonly onStored: () => void;
}

const JUST_SENT: Sending = { isFromQueue: false, onStored: () => {} };

/** What a request does to a chat: checks it against what is stored, stores what it brings, and starts the turn. */
export class ChatService {
  readonly #options: ChatServiceOptions;

  constructor(options: ChatServiceOptions) {
    this.#options = options;
  }

  start(request: ChatRequest): Promise<Started> {
    return this.begin(request.id, () => this.#prepare(request));
  }

  /** Starts the turn of a message that waited. `onStored` is called once the message is a part of the conversation. */
  startQueued(request: Of<'submit-message'>, onStored: () => void): Promise<Started> {
    return this.begin(request.id, () => this.#submit(request, { isFromQueue: true, onStored }), TIME_TO_JOIN_MS);
  }

  /** `listenersMs`: so long the turn runs on without any, if the grace is shorter. */
  async begin(sessionId: string, prepare: () => Promise<Prepared>, listenersMs = 0): Promise<Started> {
    const { turns, keeper, queues } = this.#options;
    // Before anything is awaited: of two requests at the same time only one comes any further.
    const turn = turns.begin(sessionId);
    try {
      await keeper.checkFree(turn);
      // What waits there was not queued for this turn.
      await queues.load(sessionId);
      const draft = await prepare();
      if ('waiting' in draft) {
        turn.end('unbegun');
        return draft;
      }
      const { result } = await keeper.run(turn, draft);
      turn.expectListeners(listenersMs);
      return { turn, result };
    } catch (error) {
      turn.end('unbegun');
      throw error;
    }
  }

  /** Of a chat whose turn is running or not: whether somebody answered this request for approval before. */
  async isAnswered(sessionId: string, approvalId: string): Promise<boolean> {
    const messages = (await this.#options.sessions.find(sessionId)) ? await this.#options.messages.all(sessionId) : [];
    return messages
      .flatMap(({ parts }) => parts)
      .some((part) => isToolUIPart(part) && part.approval?.id === approvalId && part.state !== 'approval-requested');
  }

  /** Stops the turn, and waits a little for its end. */
  async stop(sessionId: string): Promise<boolean> {
    const { turns, keeper } = this.#options;
    const turn = turns.get(sessionId);
    if (turn === undefined) return keeper.stop(sessionId);
    turn.abort('stopped');
    await within(Promise.all([keeper.stop(sessionId, turn), turn.ended]), 5_000);
    return true;
  }

  async delete(sessionId: string): Promise<void> {
    const { sessions, messages, turns, keeper, queues, runtime } = this.#options;
    await sessions.get(sessionId);
    const turn = turns.get(sessionId);
    if (turn === undefined) await keeper.stop(sessionId);
    turn?.abort('the chat was deleted');
    await within(turn?.ended, 5_000);
    await runtime.endChat(sessionId);
    await queues.written(sessionId);
    await sessions.delete(sessionId);
    queues.forget(sessionId);
    messages.forget(sessionId);
    await keeper.forget(sessionId);
  }

  /** As far as it can be judged before its turn. @throws HttpError. */
  async checkMessage(request: Of<'submit-message'>): Promise<void> {
    await this.#check(request);
  }

  #prepare(request: ChatRequest): Promise<Prepared> {
    if (request.trigger === 'submit-message') return this.#submit(request, JUST_SENT);
    if (request.trigger === 'regenerate-message') return this.#regenerate(request);
    return this.#answer(request);
  }

  async #check(request: Of<'submit-message'>): Promise<{ readonly chatModel: ChatModel; readonly parts: ChatPart[] }> {
    const chatModel = await resolveChatModel(this.#options.models, request);
    const parts = withSkillPart(request.message.parts);
    checkFiles(chatModel.entry, parts);
    await this.#options.runtime.checkSkills(skillsIn(parts));
    return { chatModel, parts };
  }

  async #submit(request: Of<'submit-message'>, { isFromQueue, onStored }: Sending): Promise<TurnDraft> {
    const { sessions, messages } = this.#options;
    const { message, parentMessageId } = request;
    const { chatModel, parts } = await this.#check(request);
    const found = await sessions.find(request.id);
    if (found && !isFromQueue) await this.#checkNotQueued(request.id, message.id);
    if (found === undefined && typeof parentMessageId === 'string') throw noSuchMessage(parentMessageId);
    const tree = found && (await messages.tree(request.id));
    const edited = tree?.get(message.id);
    if (edited === undefined && request.messageId !== undefined) throw noSuchMessage(request.messageId);
    if (found !== undefined && tree !== undefined && edited !== undefined) {
      const isSame = isSameText(edited, parts);
      // Its server may have died before the turn began: sent again, it is answered.
      if (!isSame || edited.role !== 'user' || tree.isAnswered(edited.id)) checkEdit(edited, request);
      const path = tree.pathTo(edited.id);
      if (isSame) return this.#answerStored({ session: found, chatModel, path, isFromQueue }, onStored);
    }
    if (typeof parentMessageId === 'string' && tree?.has(parentMessageId) !== true)
      throw noSuchMessage(parentMessageId);
    const parent = edited === undefined ? parentMessageId : (tree?.pathTo(edited.id).at(-2)?.id ?? null);
    const path = parent === null || !found || !tree ? [] : tree.pathTo(parent ?? leafOf(found, tree));
    checkFiles(chatModel.entry, partsOf(path));
    const stored: StoredMessage = {
      id: message.id,
      parentMessageId: path.at(-1)?.id ?? null,
      role: 'user',
      messageKind: 'normal',
      parts,
      metadata: {},
      createdAt: new Date().toISOString(),
    };
    const store = async (): Promise<SessionFile> => {
      const session = found ?? (await sessions.create({ id: request.id }));
      if (edited !== undefined && tree !== undefined) await keepOldVersion(messages, request.id, { edited, tree });
      await messages.save(request.id, stored);
      onStored();
      // Nobody gave it: it goes with the first message, in another version too.
      const first = path.length === 0 ? (tree?.siblingsOf(stored) ?? []) : [];
      const isMade = first.some((id) => titleOf(tree?.get(id)?.parts ?? []) === session.title);
      const title = session.title === '' || isMade ? titleOf(message.parts) : session.title;
      return sessions.update(request.id, { leafId: message.id, title });
    };
    return { store, chatModel, path: [...path, stored], isFromQueue };
  }

  /** Starts a turn of a message that is stored already. */
  #answerStored({ session, ...plan }: TurnPlan, onStored: () => void): TurnDraft {
    const { chatModel, path } = plan;
    checkFiles(chatModel.entry, partsOf(path));
    const store = async (): Promise<SessionFile> => {
      onStored();
      const title = titleOf(path.at(-1)?.parts ?? []);
      return session.title === '' ? this.#options.sessions.update(session.id, { title }) : session;
    };
    return { ...plan, store };
  }

  /** It may wait there, or have been heard in the middle of a turn. */
  async #checkNotQueued(sessionId: string, messageId: string): Promise<void> {
    const { queue } = await this.#options.queues.load(sessionId);
    if (queue.has(messageId) || isSteered(await this.#options.messages.all(sessionId), messageId))
      throw messageExists(messageId);
  }

  async #regenerate(request: Of<'regenerate-message'>): Promise<TurnDraft> {
    const { sessions, messages } = this.#options;
    const chatModel = await resolveChatModel(this.#options.models, request);
    const session = await sessions.get(request.id);
    const tree = await messages.tree(request.id);
    const { messageId } = request;
    const message = messageId === undefined ? tree.pathTo(leafOf(session, tree)).at(-1) : tree.get(messageId);
    if (message === undefined) throw messageId === undefined ? nothingSaid() : noSuchMessage(messageId);
    // After a turn that was stopped before it said anything there is but the question.
    const question = message.role === 'user' ? message.id : message.parentMessageId;
    if ((message.role !== 'user' && message.role !== 'assistant') || message.messageKind === 'compact_summary') {
      throw badRequest('"messageId": only an answer of the assistant can be regenerated');
    }
    const path = question === null ? [] : tree.pathTo(question);
    if (path.at(-1)?.id !== question) throw badRequest('"messageId": the message that it answered was deleted');
    checkFiles(chatModel.entry, partsOf(path));
    return { store: async () => session, chatModel, path };
  }

  async #answer(request: Of<'approval-response'>): Promise<Prepared> {
    const { sessions, messages, runtime } = this.#options;
    const chatModel = await resolveChatModel(this.#options.models, request);
    const session = await sessions.find(request.id);
    if (session === undefined) throw noSuchSession(request.id);
    const tree = await messages.tree(request.id);
    const all = await messages.all(request.id);
    const answers = request.mayRepeat === true ? newAnswers(all, request.approvals) : request.approvals;
    const given: AnsweredApprovals = answerApprovals(all, answers, tree);
    const parts = await Promise.all(given.message.parts.map((part) => runtime.effects.withoutOff(request.id, part)));
    const message = { ...given.message, parts };
    // Kept before anything runs: after a crash no answer counts twice.
    const store = async (): Promise<SessionFile> => {
      await messages.save(request.id, message);
      for (const call of given.granted) await runtime.effects.grant(request.id, call);
      return sessions.update(request.id, { leafId: message.id });
    };
    const waiting = given.waiting + (await runtime.storedAgents.open(request.id, message.id)).length;
    if (waiting === 0) return { ...planToGoOn({ session, chatModel, tree, message }), store };
    await store();
    return { waiting };
  }
}

function partsOf(path: readonly StoredMessage[]): ChatPart[] {
  return path.flatMap(({ parts }) => parts);
}

function titleOf(parts: readonly ChatPart[]): string {
  const [text = ''] = parts.flatMap((part) =>
    part.type === 'text' && part.text.trim() !== '' ? [part.text.trim()] : [],
  );
  const [line = ''] = text.split('\n');
  const [file] = parts.flatMap((part) => (part.type === 'file' ? [part.filename ?? part.mediaType] : []));
  const title = line === '' ? (file ?? 'New chat') : line;
  return title.length > TITLE_CHARS ? `${title.slice(0, TITLE_CHARS - 1)}…` : title;
}

function nothingSaid(): HttpError {
  return new HttpError(404, 'no_such_message', 'This chat has no message yet, so there is no answer to regenerate.');
}

function noSuchMessage(id: string): HttpError {
  return new HttpError(404, 'no_such_message', `Message "${id}" not found in this chat.`);
}

/** A tool that does not end with its turn keeps nobody waiting for ever. */
async function within(work: Promise<unknown> | undefined, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([work, new Promise((resolve) => (timer = setTimeout(resolve, ms)))]);
  clearTimeout(timer);
}
