import { messageExists } from '../chat/edit-message.js';
import type { RunningTurn } from '../chat/running-turn.js';
import type { RunningTurns } from '../chat/running-turns.js';
import type { ChatService } from '../chat/service.js';
import { leafOf } from '../chat/session-leaf.js';
import { HttpError } from '../errors.js';
import type { MessageStore } from '../store/message-store.js';
import { openApprovalIds } from '../store/message-log.js';
import { noSuchSession, type SessionStore } from '../store/session-store.js';
import type { ChatRequest, QueuedItem } from '../types.js';
import { type ChatQueue, type ChatQueues, idsIn } from './chat-queues.js';
import { checkRoom, checkSteerable, type QueuedMessage } from './message-queue.js';

export interface QueueServiceOptions {
  readonly queues: ChatQueues;
  readonly sessions: SessionStore;
  readonly messages: MessageStore;
  readonly turns: RunningTurns;
  readonly service: Pick<ChatService, 'startQueued' | 'checkMessage'>;
  /** A sentence for a person. */
  readonly describeError: (error: unknown) => string;
}

type Submit = Extract<ChatRequest, { trigger: 'submit-message' }>;

/** What is sent while a turn runs: it waits, is heard by the turn, or is the next message once that has ended well. */
export class QueueService {
  readonly #options: QueueServiceOptions;

  constructor(options: QueueServiceOptions) {
    this.#options = options;
  }

  /**
   * `undefined`: no turn runs and no question is open, so the message can be sent.
   *
   * @throws HttpError, also for an id that is there already.
   */
  async add(request: ChatRequest): Promise<{ readonly queued: QueuedItem } | undefined> {
    const { turns, queues, messages, sessions, service } = this.#options;
    if (request.trigger !== 'submit-message' || request.whileRunning === undefined) return undefined;
    const { id, whileRunning } = request;
    if (turns.get(id) === undefined && !(await this.isAsking(id))) return undefined;
    if (whileRunning === 'steer') checkSteerable(request.message.parts);
    await service.checkMessage(request);
    // It is being made by the turn that runs.
    if ((await sessions.find(id)) === undefined) return undefined;
    const chat = await queues.load(id);
    const known = idsIn(await messages.all(id));
    // A turn that has just ended may have asked, and its question is stored by then.
    if (turns.get(id) === undefined && !(await this.isAsking(id))) return undefined;
    // From here on nothing is awaited: the turn cannot end between this look and the message in its queue.
    if (known.has(request.message.id)) throw messageExists(request.message.id);
    if (chat.queue.has(request.message.id)) throw messageExists(request.message.id);
    const message = queuedOf(request, whileRunning);
    checkRoom([...chat.queue.items, message]);
    try {
      await chat.change((queue) => queue.add(message));
    } catch (error) {
      chat.mark((queue) => queue.drop(message.id));
      throw error;
    }
    const view = chat.queue.view.find((item) => item.id === message.id);
    // The turn has ended meanwhile, or has heard it.
    return { queued: view ?? { id: message.id, text: '', files: [], state: 'sending', canSteer: false } };
  }

  async list(sessionId: string): Promise<readonly QueuedItem[]> {
    return (await this.#options.queues.load(sessionId)).queue.view;
  }

  async edit(sessionId: string, messageId: string, text: string): Promise<readonly QueuedItem[]> {
    const chat = await this.#of(sessionId);
    await chat.change((queue) => queue.edit(messageId, text));
    return chat.queue.view;
  }

  async remove(sessionId: string, messageId: string): Promise<void> {
    const chat = await this.#of(sessionId);
    await chat.change((queue) => queue.remove(messageId));
  }

  /** Does not wait for its turn: the one that runs is to hear it, or one is begun with it. */
  async sendNow(sessionId: string, messageId: string): Promise<'steering' | 'started'> {
    const chat = await this.#of(sessionId);
    if (this.#options.turns.get(sessionId) !== undefined) {
      await chat.change((queue) => queue.steer(messageId));
      return 'steering';
    }
    await this.#send(sessionId, chat, messageId);
    return 'started';
  }

  /** Before another turn can begin: after one that ended well the next message goes out by itself, unless it is held. */
  turnEnded({ sessionId, outcome }: RunningTurn): void {
    const chat = this.#options.queues.loaded(sessionId);
    if (chat === undefined || chat.queue.items.length === 0) return;
    chat.changeSoon((queue) => queue.turnEnded(outcome));
    const { next } = chat.queue;
    if (outcome !== 'well' || next === undefined) return;
    // Why it failed stands beside it; those behind it may build upon it.
    this.#send(sessionId, chat, next.id).catch(() => chat.changeSoon((queue) => queue.hold()));
  }

  /** Whether a question of the chat waits for the person; a message would count as a no. */
  async isAsking(sessionId: string): Promise<boolean> {
    const { sessions, messages } = this.#options;
    const session = await sessions.find(sessionId);
    if (session === undefined) return false;
    const tree = await messages.tree(sessionId);
    const leaf = tree.pathTo(leafOf(session, tree)).at(-1);
    return leaf !== undefined && openApprovalIds(leaf).size > 0;
  }

  async #send(sessionId: string, chat: ChatQueue, messageId: string): Promise<void> {
    const { service, describeError } = this.#options;
    // What is left in the file is known by its id.
    const drop = (): void => chat.changeSoon((queue) => queue.drop(messageId));
    const message = chat.queue.take(messageId);
    try {
      await service.startQueued(requestOf(sessionId, message), drop);
    } catch (error) {
      // Sent twice, and the other one was quicker.
      if (error instanceof HttpError && error.code === 'message_exists') drop();
      const why = error instanceof HttpError ? error.message : describeError(error);
      chat.mark((queue) => queue.giveBack(messageId, why));
      throw error;
    }
  }

  async #of(sessionId: string): Promise<ChatQueue> {
    if ((await this.#options.sessions.find(sessionId)) === undefined) throw noSuchSession(sessionId);
    return this.#options.queues.load(sessionId);
  }
}

function queuedOf(request: Submit, whileRunning: QueuedMessage['whileRunning']): QueuedMessage {
  const { message, chatModelId, chatModelSource, reasoningEffort } = request;
  const createdAt = new Date().toISOString();
  const choice = { chatModelId, chatModelSource, reasoningEffort };
  return { id: message.id, parts: message.parts, whileRunning, createdAt, ...choice };
}

function requestOf(sessionId: string, { id, parts, ...rest }: QueuedMessage): Submit {
  const { whileRunning: _, isHeld: __, createdAt: ___, ...choice } = rest;
  const message = { id, role: 'user', parts } as const;
  return { ...choice, id: sessionId, trigger: 'submit-message', message, intent: 'chat', responseMode: 'stream' };
}
