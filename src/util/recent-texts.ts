/** The time after which an unseen text is forgotten: 10 minutes. */
const KEEP_MS = 600_000;

/** Any number of recently seen texts. */
export class RecentTexts {
  readonly #now: () => number;
  /** The last time of each text, the oldest first. */
  readonly #seen = new Map<string, number>();
  #list: readonly string[] | undefined = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  add(text: string): void {
    if (!this.#seen.delete(text)) this.#list = undefined;
    this.#seen.set(text, this.#now());
  }

  /** The same array until something is added or forgotten. */
  list(): readonly string[] {
    const oldest = this.#now() - KEEP_MS;
    for (const [text, seenAt] of this.#seen) {
      if (seenAt >= oldest) break;
      this.#seen.delete(text);
      this.#list = undefined;
    }
    return (this.#list ??= [...this.#seen.keys()]);
  }
}

/** Joins lists; returns the same array until a list changes. */
export function joinedLists(lists: readonly (() => readonly string[])[]): () => readonly string[] {
  const [only] = lists;
  if (only !== undefined && lists.length === 1) return only;
  let parts: readonly (readonly string[])[] = [];
  let joined: readonly string[] = [];
  return () => {
    const current = lists.map((list) => list());
    if (current.some((part, at) => part !== parts[at])) joined = current.flat();
    parts = current;
    return joined;
  };
}
