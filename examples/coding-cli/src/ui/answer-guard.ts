import { type DialogView, hasRoom } from './dialog-rows.js';
import type { Key } from './keys.js';

/** Whoever types is in the middle of a word for so long: no key of it answers a question. */
const TYPING_MS = 700;

/** Knows whether a key can be the answer to the question that is shown. */
export class AnswerGuard {
  #typedAt = 0;
  #answer = { key: '', at: 0 };
  /** The question that is printed above the dialog, which has no room for all of it. */
  #printed: string | undefined;
  /** The question that is on the terminal, with what is printed above it. */
  #drawn: string | undefined;

  get isReady(): boolean {
    return Date.now() - Math.max(this.#typedAt, this.#answer.at) > TYPING_MS;
  }

  /** The question has another text now: it has to be shown again. */
  changed(): void {
    this.#printed = undefined;
    this.#drawn = undefined;
  }

  drawn(callId: string | undefined): void {
    this.#drawn = callId;
  }

  /** Whether the question has to be printed now, which is then done. */
  mustPrint(view: DialogView): boolean {
    if (this.#printed === view.question.call_id || hasRoom(view)) return false;
    this.#printed = view.question.call_id;
    return true;
  }

  /**
   * Whether a key is the last answer once more: it was held, or pressed twice. The next question is shown by now, and nobody
   * has read it.
   */
  isRepeated({ text }: Key): boolean {
    if (text === '' || text !== this.#answer.key || Date.now() - this.#answer.at > TYPING_MS) return false;
    this.#answer.at = Date.now();
    return true;
  }

  /** Whether a key is an answer to this question: all of it was drawn, and nobody is in the middle of a word. */
  canAnswer(view: DialogView): boolean {
    const { call_id: id } = view.question;
    return view.isReady && this.#drawn === id && (this.#printed === id || hasRoom(view));
  }

  /** Whether keys are for the form of this question: it was drawn, and nobody is in the middle of a word. */
  canFill(id: string): boolean {
    return this.isReady && this.#drawn === id;
  }

  /** `key`: what was pressed for it. */
  answered({ text }: Key): void {
    this.#answer = { key: text, at: Date.now() };
  }

  typed({ text }: Key): void {
    if (text !== '') this.#typedAt = Date.now();
  }

  stoppedTyping(): void {
    this.#typedAt = 0;
  }
}
