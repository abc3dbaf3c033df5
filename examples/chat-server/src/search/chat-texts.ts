import { setImmediate as nextTurn } from 'node:timers/promises';
import { leafOf } from '../chat/session-leaf.js';
import type { MessageStore } from '../store/message-store.js';
import { MessageTree } from '../store/tree.js';
import type { ChatPart, SessionFile } from '../types.js';

/** Of each chat, its newest: what all of them keep in memory has a bound. */
const MAX_CHARS = 200_000;

interface Kept {
  /** Another one means that the text is another. */
  readonly version: string;
  readonly text: Promise<string>;
}

type ReadMessages = Pick<MessageStore, 'revisionOf' | 'allOnce'> & Partial<Pick<MessageStore, 'isShared'>>;

/** What people and models wrote in the branch of each chat that is shown. A chat is read again once it has changed. */
export class ChatTexts {
  readonly #messages: ReadMessages;
  readonly #kept = new Map<string, Kept>();

  constructor(messages: ReadMessages) {
    this.#messages = messages;
  }

  textOf(session: SessionFile): Promise<string> {
    const revision = this.#messages.revisionOf(session.id);
    // If another server may have written it, only the session itself tells.
    const version = `${revision} ${session.leafId} ${this.#messages.isShared === true ? session.updatedAt : ''}`;
    const kept = this.#kept.get(session.id);
    if (kept?.version === version) return kept.text;
    const text = this.#read(session);
    this.#kept.set(session.id, { version, text });
    // The next one that asks tries again.
    text.catch(() => this.#kept.delete(session.id));
    return text;
  }

  /** Forgets those that are gone. */
  keepOnly(sessions: readonly SessionFile[]): void {
    if (sessions.length === this.#kept.size) return;
    const ids = new Set(sessions.map(({ id }) => id));
    for (const id of this.#kept.keys()) if (!ids.has(id)) this.#kept.delete(id);
  }

  async #read(session: SessionFile): Promise<string> {
    // Between two files the server answers others.
    await nextTurn();
    const tree = new MessageTree(await this.#messages.allOnce(session.id));
    const path = tree.pathTo(leafOf(session, tree));
    return path
      .flatMap(({ parts }) => parts.flatMap(wordsOf))
      .join('\n\n')
      .slice(-MAX_CHARS);
  }
}

function wordsOf(part: ChatPart): string[] {
  if (part.type === 'text') return [part.text];
  if (part.type === 'data-steered') return [part.data.text];
  return part.type === 'file' && part.filename !== undefined ? [part.filename] : [];
}
