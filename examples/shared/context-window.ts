import { knownWindow } from './known-windows.js';
import { type AskedServer, serverWindow } from './server-window.js';

export interface ContextWindowOptions {
  /** Tokens, by the settings. */
  readonly set: number | undefined;
  /** Percent of the window at which the conversation is made shorter; 0: never. */
  readonly compactAt: number;
  readonly model: string;
  readonly server: AskedServer | undefined;
}

/** A conversation of fewer tokens fits into every window. */
const ALWAYS_FITS = 2_000;
/** A token has about four characters; of code rather three. */
const CHARS_PER_TOKEN = 3;
/** Characters of one call, if the window is not known. */
const UNKNOWN_CHARS = 400_000;

/** How many tokens the model takes: by the settings, by its server, by what is known of its name. */
export class ContextWindow {
  readonly #options: ContextWindowOptions;
  #asked: Promise<number | undefined> | undefined;
  #tokens: number | undefined;

  constructor(options: ContextWindowOptions) {
    this.#options = options;
    this.#tokens = options.set;
  }

  /** As far as it is known without asking the server. */
  get known(): number | undefined {
    return this.#tokens ?? knownWindow(this.#options.model);
  }

  /** Asks the server once. */
  async tokens(): Promise<number | undefined> {
    const { set, server, model } = this.#options;
    if (set !== undefined) return set;
    this.#asked ??= server === undefined ? Promise.resolve(undefined) : serverWindow(server, model);
    this.#tokens = await this.#asked;
    return this.known;
  }

  /** Whether a conversation of so many tokens is to be made shorter. */
  async isFull(size: number): Promise<boolean> {
    const { compactAt, set } = this.#options;
    if (compactAt === 0 || (set === undefined && size < ALWAYS_FITS)) return false;
    const tokens = await this.tokens();
    return tokens !== undefined && size >= (tokens * compactAt) / 100;
  }

  /** Characters that one call may grow to; beyond them old outputs are left out of its requests. */
  get maxLoopChars(): number {
    const { compactAt } = this.#options;
    if (this.known === undefined) return UNKNOWN_CHARS;
    return Math.max(1, Math.floor((this.known * CHARS_PER_TOKEN * (compactAt === 0 ? 100 : compactAt)) / 100));
  }
}
