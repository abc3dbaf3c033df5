import { type Discovered, discoverModels, type DiscoverOptions, type ModelServer } from './discover-models.js';

export interface DiscoveryCacheOptions extends DiscoverOptions {
  /** Milliseconds. */
  readonly now?: () => number;
}

const KEPT_MS = 5 * 60_000;
/** A server that was down may be up soon. */
const FAILURE_KEPT_MS = 30_000;

interface Entry {
  readonly answer: Promise<Discovered>;
  until: number;
}

/** Asks each server once for all who want to know at the same time, and again when its answer is old. */
export class DiscoveryCache {
  readonly #options: DiscoveryCacheOptions;
  readonly #entries = new Map<string, Entry>();

  constructor(options: DiscoveryCacheOptions = {}) {
    this.#options = options;
  }

  ask(providerId: string, server: ModelServer): Promise<Discovered> {
    const known = this.#entries.get(providerId);
    if (known !== undefined && this.#now() < known.until) return known.answer;
    const entry: Entry = { answer: this.#askAgain(server, known), until: Infinity };
    this.#entries.set(providerId, entry);
    void entry.answer.then(({ problem }) => {
      entry.until = this.#now() + (problem === undefined ? KEPT_MS : FAILURE_KEPT_MS);
    });
    return entry.answer;
  }

  /** A server that fails for a moment keeps the models that it listed before: chats go on with them. */
  async #askAgain(server: ModelServer, known: Entry | undefined): Promise<Discovered> {
    const found = await discoverModels(server, this.#options);
    if (found.problem === undefined || known === undefined) return found;
    const { models } = await known.answer;
    return { models, problem: found.problem };
  }

  #now(): number {
    return this.#options.now?.() ?? Date.now();
  }
}
