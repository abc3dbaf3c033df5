import type { StoredMessage } from '../types.js';

/** The messages of a chat with their branches. Built from what a file held: parents may be missing, or go in circles. */
export class MessageTree {
  readonly #byId: ReadonlyMap<string, StoredMessage>;
  /** Children in their order; those of `null` are the roots. */
  readonly #children = new Map<string | null, string[]>();

  /** @param messages in the order of the file. */
  constructor(messages: Iterable<StoredMessage>) {
    this.#byId = new Map([...messages].map((message) => [message.id, message]));
    // A stable sort: of those made at the same time the file's order holds.
    const inOrder = [...this.#byId.values()].toSorted((a, b) => compare(a.createdAt, b.createdAt));
    for (const message of inOrder) {
      const parent = this.#parentOf(message);
      const children = this.#children.get(parent);
      if (children === undefined) this.#children.set(parent, [message.id]);
      else children.push(message.id);
    }
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): StoredMessage | undefined {
    return this.#byId.get(id);
  }

  childrenOf(id: string): readonly StoredMessage[] {
    return (this.#children.get(id) ?? []).flatMap((child) => this.#byId.get(child) ?? []);
  }

  /** From the root to `leafId`; without one, or with one that is not there, to the newest message. */
  pathTo(leafId: string | null): StoredMessage[] {
    const path: StoredMessage[] = [];
    const seen = new Set<string>();
    const start = leafId === null ? undefined : this.#byId.get(leafId);
    let message = start ?? [...this.#byId.values()].at(-1);
    while (message !== undefined && !seen.has(message.id)) {
      seen.add(message.id);
      path.push(message);
      const parent = this.#parentOf(message);
      message = parent === null ? undefined : this.#byId.get(parent);
    }
    return path.toReversed();
  }

  /** Ids of the answers to the same message, itself among them, oldest first. */
  siblingsOf(message: StoredMessage): readonly string[] {
    return this.#children.get(this.#parentOf(message)) ?? [message.id];
  }

  isAnswered(id: string): boolean {
    return this.childrenOf(id).length > 0;
  }

  /** Where the newest branch below a message ends. */
  newestLeafBelow(id: string): string {
    const seen = new Set<string>();
    let leaf = id;
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      seen.add(next);
      leaf = next;
      next = this.#children.get(next)?.at(-1);
    }
    return leaf;
  }

  /** A message without its parent is a root. */
  #parentOf({ id, parentMessageId }: StoredMessage): string | null {
    return parentMessageId !== null && parentMessageId !== id && this.#byId.has(parentMessageId)
      ? parentMessageId
      : null;
  }
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
