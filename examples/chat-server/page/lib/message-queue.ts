import { generateId } from 'ai';
import type { ChatPart } from '../../src/types.js';

/** A message that waits for the end of the turn. */
export interface QueuedMessage {
  readonly id: string;
  readonly parts: readonly ChatPart[];
}

type Kept = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Messages of one chat that were sent while a turn ran, oldest first. This tab keeps them, over a reload too. */
export class MessageQueue {
  readonly #key: string;
  readonly #storage: Kept;
  readonly #listeners = new Set<() => void>();
  #items: readonly QueuedMessage[];

  constructor(sessionId: string, storage: Kept = sessionStorage) {
    this.#key = `queue ${sessionId}`;
    this.#storage = storage;
    this.#items = itemsIn(storage.getItem(this.#key));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly items = (): readonly QueuedMessage[] => this.#items;

  add(parts: readonly ChatPart[]): void {
    this.#set([...this.#items, { id: generateId(), parts }]);
  }

  /** Takes the message out; `undefined`, if it is not there any more. */
  take(id: string): QueuedMessage | undefined {
    const taken = this.#items.find((item) => item.id === id);
    if (taken) this.#set(this.#items.filter((item) => item !== taken));
    return taken;
  }

  /** Puts back what could not be sent, as the next one. */
  putBack(message: QueuedMessage): void {
    this.#set([message, ...this.#items]);
  }

  #set(items: readonly QueuedMessage[]): void {
    this.#items = items;
    try {
      if (items.length === 0) this.#storage.removeItem(this.#key);
      else this.#storage.setItem(this.#key, JSON.stringify(items));
    } catch {
      // Files may be more than a browser keeps: the messages are lost with a reload then.
    }
    for (const listener of this.#listeners) listener();
  }
}

function itemsIn(text: string | null): readonly QueuedMessage[] {
  try {
    const items: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(items) ? (items as readonly QueuedMessage[]) : [];
  } catch {
    return [];
  }
}
