import { getToolName, isToolUIPart } from 'ai';
import { describeGrant, type GrantStore } from '../approval/grants.js';
import { HttpError } from '../errors.js';
import type { ModelRegistry } from '../models/registry.js';
import { checkFiles } from '../models/check-capabilities.js';
import { type ChatModel, resolveChatModel } from '../models/resolve-chat-model.js';
import { type ChatQueues, isSteered } from '../queue/chat-queues.js';
import type { MessageStore } from '../store/message-store.js';
import { noSuchSession, type SessionStore } from '../store/session-store.js';
import type { AskedCall, ToolRuntime } from '../tools/runtime.js';
import { offReason } from '../tools/switches.js';
import type { ApprovalAnswer, ChatPart, ChatRequest, StoredMessage } from '../types.js';
import { type AnsweredApprovals, answerApprovals, newAnswers } from './answer-approvals.js';
import { badRequest } from './check-request.js';
import { checkEdit, isSameText, keepOldVersion, messageExists } from './edit-message.js';
import type { Orchestrator, TurnPlan, TurnResult } from './orchestrator.js';
import type { RunningTurn, RunningTurns } from './running-turns.js';
import { leafOf } from './session-leaf.js';
import { skillsIn, withSkillPart } from './skill-selector.js';

export interface ChatServiceOptions {
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly models: ModelRegistry;
  readonly turns: RunningTurns;
  readonly orchestrator: Orchestrator;
  readonly grants: GrantStore;
  readonly queues: ChatQueues;
  readonly runtime: Pick<ToolRuntime, 'checkSkills' | 'grantFor' | 'isOff' | 'endChat'>;
}

export type ToolCallPart = Extract<ChatPart, { toolCallId: string }>;

/** A turn that runs, or the number of answers that it still waits for. */
export type Started =
  | { readonly turn: RunningTurn; readonly result: Promise<TurnResult> }
  | { readonly waiting: number };

const TITLE_CHARS = 80;
/** A turn that no request began is heard of by those who look at the chat. */
const TIME_TO_JOIN_MS = 10_000;

type Of<Trigger extends ChatRequest['trigger']> = Extract<ChatRequest, { trigger: Trigger }>;

/** What a request does to a chat: checks it against what is stored, stores what it brings, and starts the turn. */
export class ChatService {
  readonly #options: ChatServiceOptions;

  constructor(options: ChatServiceOptions) {
    this.#options = options;
  }

  /** `onStored` hears as soon as a message that waited is a part of the conversation. */
  async start(request: ChatRequest, { onStored }: { readonly onStored?: () => void } = {}): Promise<Started> {
    const { turns, orchestrator } = this.#options;
    // Before anything is awaited: of two requests at the same time only one comes any further.
    const turn = turns.begin(request.id);
    try {
      const plan = await this.#prepare(request, onStored);
      if ('waiting' in plan) {
        turn.end('unbegun');
        return plan;
      }
      turn.expectListeners(onStored === undefined ? 0 : TIME_TO_JOIN_MS);
      return { turn, result: orchestrator.run(turn, plan) };
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
    const turn = this.#options.turns.get(sessionId);
    if (turn === undefined) return false;
    turn.abort('stopped');
    await within(turn.ended, 5_000);
    return true;
  }

  async delete(sessionId: string): Promise<void> {
    const { sessions, messages, turns, queues, runtime } = this.#options;
    await sessions.get(sessionId);
    const turn = turns.get(sessionId);
    turn?.abort('the chat was deleted');
    await within(turn?.ended, 5_000);
    await runtime.endChat(sessionId);
    await queues.written(sessionId);
    await sessions.delete(sessionId);
    queues.forget(sessionId);
    messages.forget(sessionId);
  }

  /** As far as it can be judged before its turn. @throws HttpError. */
  async checkMessage(request: Of<'submit-message'>): Promise<void> {
    await this.#check(request);
  }

  #prepare(request: ChatRequest, onStored?: () => void): Promise<TurnPlan | { readonly waiting: number }> {
    if (request.trigger === 'submit-message') return this.#submit(request, onStored);
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

  async #submit(request: Of<'submit-message'>, onStored?: () => void): Promise<TurnPlan> {
    const { sessions, messages } = this.#options;
    const { message, parentMessageId } = request;
    const { chatModel, parts } = await this.#check(request);
    const found = await sessions.find(request.id);
    if (found && onStored === undefined) await this.#checkNotQueued(request.id, message.id);
    if (found === undefined && typeof parentMessageId === 'string') throw noSuchMessage(parentMessageId);
    const tree = found && (await messages.tree(request.id));
    const edited = tree?.get(message.id);
    if (edited === undefined && request.messageId !== undefined) throw noSuchMessage(request.messageId);
    if (edited !== undefined) checkEdit(edited, request);
    if (found !== undefined && tree !== undefined && edited !== undefined && isSameText(edited, parts)) {
      const path = tree.pathTo(edited.id);
      checkFiles(chatModel.entry, partsOf(path));
      return { ...idsOf(request), session: found, chatModel, path };
    }
    if (typeof parentMessageId === 'string' && tree?.has(parentMessageId) !== true)
      throw noSuchMessage(parentMessageId);
    const parent = edited === undefined ? parentMessageId : (tree?.pathTo(edited.id).at(-2)?.id ?? null);
    const path = parent === null || !found || !tree ? [] : tree.pathTo(parent ?? leafOf(found, tree));
    checkFiles(chatModel.entry, partsOf(path));
    const session = found ?? (await sessions.create({ id: request.id }));
    const stored: StoredMessage = {
      id: message.id,
      parentMessageId: path.at(-1)?.id ?? null,
      role: 'user',
      messageKind: 'normal',
      parts,
      metadata: {},
      createdAt: new Date().toISOString(),
    };
    if (edited !== undefined && tree !== undefined) await keepOldVersion(messages, request.id, { edited, tree });
    await messages.save(request.id, stored);
    onStored?.();
    // Nobody gave it: it goes with the first message, in another version too.
    const first = path.length === 0 ? (tree?.siblingsOf(stored) ?? []) : [];
    const isMade = first.some((id) => titleOf(tree?.get(id)?.parts ?? []) === session.title);
    const title = session.title === '' || isMade ? titleOf(message.parts) : session.title;
    const updated = await sessions.update(request.id, { leafId: message.id, title });
    const isFromQueue = onStored !== undefined;
    return { ...idsOf(request), session: updated, chatModel, path: [...path, stored], isFromQueue };
  }

  /** It may wait there, or have been heard in the middle of a turn. */
  async #checkNotQueued(sessionId: string, messageId: string): Promise<void> {
    const { queue } = await this.#options.queues.load(sessionId);
    if (queue.has(messageId) || isSteered(await this.#options.messages.all(sessionId), messageId))
      throw messageExists(messageId);
  }

  async #regenerate(request: Of<'regenerate-message'>): Promise<TurnPlan> {
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
    return { ...idsOf(request), session, chatModel, path };
  }

  async #answer(request: Of<'approval-response'>): Promise<TurnPlan | { readonly waiting: number }> {
    const { sessions, messages } = this.#options;
    const chatModel = await resolveChatModel(this.#options.models, request);
    const session = await sessions.find(request.id);
    if (session === undefined) throw noSuchSession(request.id);
    const tree = await messages.tree(request.id);
    const all = await messages.all(request.id);
    const answers = request.mayRepeat === true ? newAnswers(all, request.approvals) : request.approvals;
    const given: AnsweredApprovals = answerApprovals(all, answers, tree);
    const answered = { ...given, message: await this.#withoutOff(request.id, given.message) };
    // Kept before anything runs: after a crash no answer counts twice.
    await messages.save(request.id, answered.message);
    for (const call of answered.granted) await this.#grant(request.id, call);
    const updated = await sessions.update(request.id, { leafId: answered.message.id });
    if (answered.waiting > 0) return { waiting: answered.waiting };
    return {
      ...idsOf(request),
      session: updated,
      chatModel,
      path: tree
        .pathTo(answered.message.id)
        .map((message) => (message.id === answered.message.id ? answered.message : message)),
      resumed: answered.message,
      approvals: answersOf(answered.message),
    };
  }

  /** A yes to a tool that is off by now runs nothing. */
  async #withoutOff(sessionId: string, message: StoredMessage): Promise<StoredMessage> {
    const parts = await Promise.all(
      message.parts.map(async (part) => {
        const isYes = isToolUIPart(part) && part.state === 'approval-responded' && part.approval.approved;
        if (!isYes) return part;
        const tool = getToolName(part);
        if (!(await this.#options.runtime.isOff(sessionId, askedCallOf(part)))) return part;
        const reason = offReason({ kind: 'tool', tool });
        return { ...part, approval: { ...part.approval, approved: false, reason } };
      }),
    );
    return { ...message, parts };
  }

  /** "Always in this chat". What may not be granted, or is not what the person was shown, is allowed this once. */
  async #grant(sessionId: string, call: ToolCallPart): Promise<void> {
    const { grants, runtime } = this.#options;
    const grant = await runtime.grantFor(askedCallOf(call));
    if (grant !== undefined && describeGrant(grant) === shownRule(call)) await grants.add(sessionId, grant);
  }
}

function askedCallOf(call: ToolCallPart): AskedCall {
  // Those that the provider runs, and those that the AI SDK runs.
  const isMcp = call.providerExecuted === true || call.type === 'dynamic-tool';
  return { toolName: getToolName(call), isMcp, input: call.input };
}

/** Those of this turn and those that were kept while others were open. */
function answersOf({ parts }: StoredMessage): Map<string, ApprovalAnswer> {
  const answered = parts.filter((part) => isToolUIPart(part)).filter(({ state }) => state === 'approval-responded');
  return new Map(
    answered.flatMap(({ toolCallId, approval }) =>
      approval?.approved === undefined
        ? []
        : [[toolCallId, { id: approval.id, approved: approval.approved, reason: approval.reason }]],
    ),
  );
}

/** As the question has it: servers, files and links may be others since it was asked. */
function shownRule({ approval }: ToolCallPart): unknown {
  const descriptor: unknown = approval === undefined ? undefined : Reflect.get(approval, 'descriptor');
  return typeof descriptor === 'object' && descriptor !== null ? Reflect.get(descriptor, 'rule') : undefined;
}

function idsOf({ clientId, tabId }: ChatRequest): Pick<TurnPlan, 'clientId' | 'tabId'> {
  return { clientId, tabId };
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
