import type { OutputGap } from '../tools/call/limit-output.js';
import { errorText } from '../util/error-text.js';
import { fingerprint } from '../util/fingerprint.js';
import { withTimeout } from '../util/timers.js';
import type { OutputStore } from './output-store.js';
import { readText, type ReadRequest } from './read-text.js';

/** Milliseconds until a store that does not answer is given up. */
const STORE_MS = 10_000;

export interface KeepOptions {
  /** The name under which the model can read it. */
  readonly tool: string;
  /** The output is from a history, so it may be kept already. */
  readonly isKnown?: boolean | undefined;
}

export interface ReadOptions {
  /** Characters that the model may be given at once. */
  readonly pageChars: number;
  /** Tells the app of a problem. */
  readonly warn: (problem: string) => void;
}

/** Keeps what is cut out of outputs, and reads it. */
export class KeptOutputs {
  readonly #store: OutputStore;

  constructor(store: OutputStore) {
    this.#store = store;
  }

  /** Keeps an output and returns the note for its mark. Rejects if the store fails. */
  async keep({ from, to, text }: OutputGap, { tool, isKnown = false }: KeepOptions): Promise<string> {
    const id = idOf(text);
    const isThere = isKnown && typeof (await this.#within(this.#store.get(id))) === 'string';
    if (!isThere) await this.#within(this.#store.put(id, text));
    return `, from ${from} to ${to}; ${tool}(${JSON.stringify({ id, from })}) returns them`;
  }

  /** Reads what was kept, for the model. What it throws, the model reads as the tool's error. */
  async read(id: string, request: ReadRequest, { pageChars, warn }: ReadOptions): Promise<string> {
    const text = await this.#find(id, warn);
    if (text instanceof Error) throw text;
    if (typeof text !== 'string')
      throw new Error(`No output is kept under the id ${JSON.stringify(id)}. Run its tool again only if that is safe.`);
    return readText(text, request, pageChars);
  }

  /** Returns an error for the model if the store fails. The store's own words are for the app: they may hold its address. */
  async #find(id: string, warn: ReadOptions['warn']): Promise<string | Error | null | undefined> {
    try {
      return await this.#within(this.#store.get(id));
    } catch (error) {
      warn(`An output that was kept could not be read: ${errorText(error)}.`);
      return new Error('The output could not be read, because its store failed.');
    }
  }

  async #within<T>(answer: T): Promise<Awaited<T>> {
    return withTimeout(Promise.resolve(answer), STORE_MS, () => new Error(`the store took longer than ${STORE_MS} ms`));
  }
}

/** The same for the same text within a process, so that a history that is written again has the same mark. */
function idOf(text: string): string {
  return `out_${fingerprint(text).replace('.', '_')}`;
}
