import { isToolUIPart } from 'ai';
import type { StoredMessage } from '../types.js';
import type { ChatStorage, LinesMark } from './chat-storage.js';
import { normalizeParts } from './normalize-parts.js';
import { readStoredMessage } from './stored-message.js';

/** Fewer dead lines are not worth a rewriting. */
const LEAST_DEAD = 32;

export interface MessageLogOptions {
  readonly storage: ChatStorage;
  readonly path: string;
  readonly onWarning: (message: string) => void;
}

/**
 * The messages of one folder, in memory and in `messages.jsonl`. A message that is stored again is another line; the last one
 * counts. Its methods run one after the other.
 */
export class MessageLog {
  readonly #options: MessageLogOptions;
  readonly #messages = new Map<string, StoredMessage>();
  #deadLines = 0;
  #mark: LinesMark | undefined;

  private constructor(options: MessageLogOptions) {
    this.#options = options;
  }

  static async open(options: MessageLogOptions): Promise<MessageLog> {
    const log = new MessageLog(options);
    await log.refresh();
    return log;
  }

  /** Reads what others have written meanwhile. */
  async refresh(): Promise<void> {
    const { storage, path, onWarning } = this.#options;
    const { lines, broken, isTorn, mark, isWhole } = await storage.lines(path, this.#mark);
    const name = storage.nameOf(path);
    if (isWhole) {
      this.#messages.clear();
      this.#deadLines = 0;
    }
    this.#mark = mark;
    // The next line that is written takes its place.
    if (isTorn) onWarning(`${name}: the last line was cut off, and is left out.`);
    const unreadable = [...broken];
    for (const { number, value } of lines) {
      const message = readStoredMessage(value);
      if (message === undefined) unreadable.push(number);
      else this.#put(message);
    }
    this.#deadLines += unreadable.length;
    if (unreadable.length === 0) return;
    const numbers = unreadable.toSorted((a, b) => a - b).join(', ');
    onWarning(`${name}: ${unreadable.length} broken line(s) were skipped: ${numbers}.`);
  }

  /** In the order in which they were first stored. */
  all(): StoredMessage[] {
    return [...this.#messages.values()];
  }

  get(id: string): StoredMessage | undefined {
    return this.#messages.get(id);
  }

  get size(): number {
    return this.#messages.size;
  }

  /** Requests for approval that nobody has answered, as far as they can still be answered. */
  get openApprovals(): number {
    const answered = new Set(this.all().map(({ parentMessageId }) => parentMessageId));
    const open = this.all().filter(({ id }) => !answered.has(id));
    return open.reduce((sum, message) => sum + openApprovalIds(message).size, 0);
  }

  async save(message: StoredMessage): Promise<void> {
    const normal = { ...message, parts: normalizeParts(message.parts) };
    const { before, after } = await this.#options.storage.append(this.#options.path, normal);
    if (before === this.#mark) this.#mark = after;
    // As it will be read again: without what JSON does not know.
    this.#put(JSON.parse(JSON.stringify(normal)) as StoredMessage);
    if (this.#deadLines > Math.max(LEAST_DEAD, 2 * this.#messages.size)) await this.#rewrite();
  }

  #put(message: StoredMessage): void {
    if (this.#messages.has(message.id)) this.#deadLines += 1;
    this.#messages.set(message.id, message);
  }

  /** What is kept stays as it is if the new file cannot be written. */
  async #rewrite(): Promise<void> {
    const { storage, path, onWarning } = this.#options;
    try {
      await storage.rewrite(path, livingOf);
      this.#deadLines = 0;
    } catch (error) {
      onWarning(`${storage.nameOf(path)} could not be rewritten: ${String(error)}`);
    }
  }
}

/** Of each message the last line, in the place of the first. */
function livingOf(values: readonly unknown[]): readonly StoredMessage[] {
  const messages = values.flatMap((value) => readStoredMessage(value) ?? []);
  return [...new Map(messages.map((message) => [message.id, message])).values()];
}

export function openApprovalIds({ role, parts }: StoredMessage): Set<string> {
  if (role !== 'assistant') return new Set();
  return new Set(
    parts.flatMap((part) => (isToolUIPart(part) && part.state === 'approval-requested' ? [part.approval.id] : [])),
  );
}
