import type { ChatStorage } from '../store/chat-storage.js';
import { Serial } from '../store/serial.js';
import { StoreError } from '../store/store-error.js';
import type { QueuedItem, StoredMessage } from '../types.js';
import { MessageQueue, type QueuedMessage } from './message-queue.js';
import { queueFileText, readQueueFile } from './queue-file.js';

export interface ChatQueuesOptions {
  readonly storage: ChatStorage;
  readonly folderOf: (sessionId: string) => string;
  readonly messagesOf: (sessionId: string) => Promise<readonly StoredMessage[]>;
  /** Whether the turn goes on for which its messages were queued. */
  readonly goesOn: (sessionId: string) => Promise<boolean>;
  /** Hears of all messages that wait, each time that they change. */
  readonly onChange: (sessionId: string, items: readonly QueuedItem[]) => void;
  readonly onWarning: (message: string) => void;
}

/** The queue of one chat, in memory and in `queue.json`. */
export interface ChatQueue {
  readonly queue: MessageQueue;
  /** Changes it at once, and settles when that is on disk. @throws StoreError. */
  change<T>(work: (queue: MessageQueue) => T): Promise<T>;
  /** Tells that messages are on their way, or no longer. After a restart none is. */
  mark<T>(work: (queue: MessageQueue) => T): T;
  /** Changes it at once, and writes it as soon as possible: that this failed is a warning. */
  changeSoon(work: (queue: MessageQueue) => void): void;
}

/** The queues of all chats. This process alone writes them, so what was read stays true. */
export class ChatQueues {
  readonly #options: ChatQueuesOptions;
  readonly #loading = new Map<string, Promise<ChatQueue>>();
  readonly #loaded = new Map<string, ChatQueue>();
  readonly #serial = new Serial();

  constructor(options: ChatQueuesOptions) {
    this.#options = options;
  }

  load(sessionId: string): Promise<ChatQueue> {
    const known = this.#loading.get(sessionId);
    if (known !== undefined) return known;
    const loading = this.#open(sessionId);
    this.#loading.set(sessionId, loading);
    loading.catch(() => this.forget(sessionId));
    return loading;
  }

  /** Without a wait; `undefined`: nobody has asked for it yet. */
  loaded(sessionId: string): ChatQueue | undefined {
    return this.#loaded.get(sessionId);
  }

  /** Before its folder goes: until the file of this chat is written. */
  written(sessionId: string): Promise<void> {
    return this.#serial.run(sessionId, async () => {});
  }

  forget(sessionId: string): void {
    this.#loading.delete(sessionId);
    this.#loaded.delete(sessionId);
  }

  idle(): Promise<void> {
    return this.#serial.idle();
  }

  async #open(sessionId: string): Promise<ChatQueue> {
    const { storage, onWarning } = this.#options;
    const path = `${this.#options.folderOf(sessionId)}/queue.json`;
    const items = await this.#read(path);
    const known = items.length === 0 ? NONE : idsIn(await this.#options.messagesOf(sessionId));
    const queue = new MessageQueue(items.filter(({ id }) => !known.has(id)));
    // Behind a turn that has not survived, the person may not want any more what was to follow it.
    if (items.length > 0 && !(await this.#options.goesOn(sessionId))) queue.turnEnded('cut');
    const save = (): Promise<void> =>
      this.#serial.run(sessionId, async () => {
        try {
          await storage.replace(path, queueFileText(queue.items));
        } catch (error) {
          throw new StoreError(error);
        }
      });
    const mark: ChatQueue['mark'] = (work) => {
      const result = work(queue);
      this.#options.onChange(sessionId, queue.view);
      return result;
    };
    const opened: ChatQueue = {
      queue,
      mark,
      async change(work) {
        const result = mark(work);
        await save();
        return result;
      },
      changeSoon: (work) => {
        mark(work);
        save().catch((error: unknown) => onWarning(`${storage.nameOf(path)} could not be written: ${String(error)}.`));
      },
    };
    this.#loaded.set(sessionId, opened);
    return opened;
  }

  /** A file that is not understood is kept under another name, and the chat goes on without it. */
  async #read(path: string): Promise<readonly QueuedMessage[]> {
    const { storage, onWarning } = this.#options;
    const content = await storage.read(path);
    try {
      return readQueueFile(content);
    } catch (error) {
      await storage.rename(path, `${path}.broken`);
      const why = error instanceof SyntaxError ? 'it is not JSON' : 'it has another form';
      onWarning(`${storage.nameOf(path)} is left out and was renamed to queue.json.broken: ${why}.`);
      return [];
    }
  }
}

const NONE: ReadonlySet<string> = new Set();

/** All ids that a message of a person has in this conversation. */
export function idsIn(messages: readonly StoredMessage[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => [message.id, ...steeredIn(message)]));
}

/** Whether it was heard in the middle of a turn. */
export function isSteered(messages: readonly StoredMessage[], messageId: string): boolean {
  return messages.some((message) => steeredIn(message).includes(messageId));
}

function steeredIn({ parts }: StoredMessage): string[] {
  return parts.flatMap((part) => (part.type === 'data-steered' ? [part.data.id] : []));
}
