const ROOT = 0;

/**
 * Many patterns in one search (Aho and Corasick): it takes one step for each symbol of the text, however many patterns there
 * are. Memory and the time to build it grow with the length of all patterns together.
 */
export class Automaton {
  /** The symbols of the longest pattern. */
  readonly maxDepth: number;
  #count = 1;
  readonly #fromRoot = new Int32Array(256);
  readonly #firstChild: Int32Array;
  readonly #sibling: Int32Array;
  readonly #symbol: Uint8Array;
  readonly #fallback: Int32Array;
  readonly #depth: Int32Array;
  readonly #matched: Int32Array;

  constructor(patterns: readonly Uint8Array[]) {
    const size = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
    this.#firstChild = new Int32Array(size);
    this.#sibling = new Int32Array(size);
    this.#symbol = new Uint8Array(size);
    this.#fallback = new Int32Array(size);
    this.#depth = new Int32Array(size);
    this.#matched = new Int32Array(size);
    this.maxDepth = patterns.reduce((longest, pattern) => Math.max(longest, pattern.length), 0);
    for (const pattern of patterns) this.#add(pattern);
    this.#link();
  }

  /** The state behind another one, the first of which is 0. */
  next(state: number, symbol: number): number {
    let from = state;
    while (from !== ROOT) {
      const child = this.#childOf(from, symbol);
      if (child !== ROOT) return child;
      from = this.#fallback[from] ?? ROOT;
    }
    return this.#fromRoot[symbol] ?? ROOT;
  }

  /** How many symbols the longest pattern has that ends here; 0: none does. */
  matched(state: number): number {
    return this.#matched[state] ?? 0;
  }

  /** How many symbols back the longest beginning of a pattern began that reaches to here. */
  depth(state: number): number {
    return this.#depth[state] ?? 0;
  }

  #childOf(state: number, symbol: number): number {
    if (state === ROOT) return this.#fromRoot[symbol] ?? ROOT;
    let child = this.#firstChild[state] ?? ROOT;
    while (child !== ROOT && this.#symbol[child] !== symbol) child = this.#sibling[child] ?? ROOT;
    return child;
  }

  #add(pattern: Uint8Array): void {
    let state = ROOT;
    for (const symbol of pattern) {
      const known = this.#childOf(state, symbol);
      state = known === ROOT ? this.#addChild(state, symbol) : known;
    }
    if (state !== ROOT) this.#matched[state] = pattern.length;
  }

  #addChild(parent: number, symbol: number): number {
    const child = this.#count;
    this.#count += 1;
    this.#symbol[child] = symbol;
    this.#depth[child] = this.depth(parent) + 1;
    if (parent === ROOT) this.#fromRoot[symbol] = child;
    this.#sibling[child] = this.#firstChild[parent] ?? ROOT;
    this.#firstChild[parent] = child;
    return child;
  }

  /** Each state falls back to the longest ending of what it stands for that begins a pattern too; shorter ones come first. */
  #link(): void {
    const queue = new Int32Array(this.#count);
    let length = 1;
    for (let at = 0; at < length; at += 1) {
      const state = queue[at] ?? ROOT;
      for (let child = this.#firstChild[state] ?? ROOT; child !== ROOT; child = this.#sibling[child] ?? ROOT) {
        queue[length] = child;
        length += 1;
        const fallback = state === ROOT ? ROOT : this.next(this.#fallback[state] ?? ROOT, this.#symbol[child] ?? 0);
        this.#fallback[child] = fallback;
        if (this.#matched[child] === 0) this.#matched[child] = this.matched(fallback);
      }
    }
  }
}
