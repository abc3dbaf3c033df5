import { existsSync } from 'node:fs';
import { isToolUIPart } from 'ai';
import { openJsonl, readJsonl } from 'responses-loop-example-shared/jsonl.js';
import type { StoredMessage } from '../types.js';
import { normalizeParts } from './normalize-parts.js';
import { replaceFile } from './replace-file.js';
import { readStoredMessage } from './stored-message.js';

/** Fewer dead lines are not worth a rewriting. */
const LEAST_DEAD = 32;

export interface MessageLogOptions {
  readonly path: string;
  readonly onWarning: (message: string) => void;
}

/**
 * The messages of one folder, in memory and in `messages.jsonl`. A message that is stored again is another line; the last one
 * counts. Only one process may have it open, and its methods run one after the other.
 */
export class MessageLog {
  readonly #options: MessageLogOptions;
  readonly #messages = new Map<string, StoredMessage>();
  #deadLines = 0;

  private constructor(options: MessageLogOptions) {
    this.#options = options;
  }

  static open(options: MessageLogOptions): MessageLog {
    const log = new MessageLog(options);
    const { path, onWarning } = options;
    if (!existsSync(path)) return log;
    const { lines, broken, isTorn } = readJsonl(path);
    // The next line that is written takes its place.
    if (isTorn) onWarning(`${path}: the last line was cut off, and is left out.`);
    const unreadable = [...broken];
    for (const { number, value } of lines) {
      const message = readStoredMessage(value);
      if (message === undefined) unreadable.push(number);
      else log.#put(message);
    }
    log.#deadLines += unreadable.length;
    if (unreadable.length > 0) {
      const numbers = unreadable.toSorted((a, b) => a - b).join(', ');
      onWarning(`${path}: ${unreadable.length} broken line(s) were skipped: ${numbers}.`);
    }
    return log;
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
    const file = openJsonl(this.#options.path);
    try {
      file.append(normal);
    } finally {
      file.close();
    }
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
    const text = this.all().map((message) => `${JSON.stringify(message)}\n`);
    try {
      await replaceFile(this.#options.path, text.join(''));
      this.#deadLines = 0;
    } catch (error) {
      this.#options.onWarning(`${this.#options.path} could not be rewritten: ${String(error)}`);
    }
  }
}

export function openApprovalIds({ role, parts }: StoredMessage): Set<string> {
  if (role !== 'assistant') return new Set();
  return new Set(
    parts.flatMap((part) => (isToolUIPart(part) && part.state === 'approval-requested' ? [part.approval.id] : [])),
  );
}
