import type { OutputGap } from '../tools/call/limit-output.js';
import { errorText } from '../util/error-text.js';
import { fingerprint } from '../util/fingerprint.js';
import { withTimeout } from '../util/timers.js';
import type { OutputStore } from './output-store.js';
import { readText, type ReadRequest } from './read-text.js';

/** Milliseconds until a store that does not answer is given up. */
const STORE_MS = 10_000;

/** Keeps what is cut out of outputs, and reads it. */
export class KeptOutputs {
  readonly #store: OutputStore;

  constructor(store: OutputStore) {
    this.#store = store;
  }

  /** Keeps an output and returns the note for its mark. `tool`: the name under which the model can read it. */
  async keep({ from, to, text }: OutputGap, tool: string, warn: (problem: string) => void): Promise<string> {
    const id = idOf(text);
    try {
      await this.#within(this.#store.put(id, text));
      return `, from ${from} to ${to}; ${tool}(${JSON.stringify({ id, from })}) returns them`;
    } catch (error) {
      warn(`An output of a tool could not be kept: ${errorText(error)}.`);
      return ', which could not be kept';
    }
  }

  /** Reads what was kept, for the model. What it throws, the model reads as the tool's error. */
  async read({ id, ...request }: ReadRequest & { readonly id: string }, pageChars: number): Promise<string> {
    const text = await this.#within(this.#store.get(id));
    if (typeof text !== 'string')
      throw new Error(`No output is kept under the id ${JSON.stringify(id)}. Run its tool again if you need it.`);
    return readText(text, request, pageChars);
  }

  async #within<T>(answer: T): Promise<Awaited<T>> {
    return withTimeout(Promise.resolve(answer), STORE_MS, () => new Error(`the store took longer than ${STORE_MS} ms`));
  }
}

/** The same for the same text, so that a history that is written again has the same mark. */
function idOf(text: string): string {
  return `out_${fingerprint(text).replace('.', '_')}`;
}
