import { isTooLong } from 'responses-loop-example-shared/too-long.js';
import { shorterTexts } from 'responses-loop-example-shared/transcript.js';
import type { ModelMessage } from 'ai';
import type { StoredMessage } from '../types/messages.js';
import { toMessages } from './to-messages.js';

/** Stands for the conversation in a request for a summary, once the server has refused the conversation as too long. */
export class SummaryText {
  readonly #texts: Generator<string, undefined>;
  #text: string | undefined;

  constructor(history: readonly StoredMessage[]) {
    this.#texts = shorterTexts(toMessages(history));
  }

  get messages(): readonly ModelMessage[] | undefined {
    return this.#text === undefined ? undefined : [{ role: 'user', content: this.#text }];
  }

  /** Whether a request with a shorter text may do better after this error. */
  takes(error: unknown): boolean {
    if (!isTooLong(error)) return false;
    this.#text = this.#texts.next().value;
    return this.#text !== undefined;
  }
}
