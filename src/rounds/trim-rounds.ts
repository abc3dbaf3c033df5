import { notify } from '../observe/notify.js';
import type { Shorten } from '../request/input-items.js';
import { InputTrimmer, type Trim } from '../request/trim-input.js';
import type { RoundContext, Shortening } from './round-source.js';

/** Keeps the input of a call's rounds within `maxLoopChars`, and warns. Loaded only if that is set. */
export class Trimming implements Shortening {
  readonly #maxChars: number;
  readonly #context: Pick<RoundContext, 'observer' | 'callNumber'>;
  readonly #warnings: string[] = [];
  /** A round for another key is built and trimmed anew. */
  #trimmedRound = -1;
  #stuckRound = -1;

  constructor(maxChars: number, context: Pick<RoundContext, 'observer' | 'callNumber'>) {
    this.#maxChars = maxChars;
    this.#context = context;
  }

  /** One per builder, because it remembers what it has dropped. */
  readonly shorten = (): Shorten =>
    new InputTrimmer({
      maxChars: this.#maxChars,
      onTrim: (trim) => this.#announce(trim),
      onStuck: (round, chars) => this.#warnOf(round, chars),
    }).shorten;

  /** Warnings since the last call. */
  takeWarnings(): readonly string[] {
    return this.#warnings.splice(0);
  }

  #announce(trim: Trim): void {
    const { round, chars, keptChars, outputs, calls } = trim;
    if (round <= this.#trimmedRound) return;
    this.#trimmedRound = round;
    const left = [
      ...(outputs > 0 ? [`outputs of earlier calls became notes (${outputs})`] : []),
      ...(calls > 0 ? [`earlier calls were left out with their outputs (${calls})`] : []),
    ].join(', and ');
    this.#warnings.push(
      `The input of round ${round} has ${chars} characters, more than maxLoopChars (${this.#maxChars}): ${left}; ${keptChars} characters are left.`,
    );
    const { observer, callNumber } = this.#context;
    notify(observer, () => ({ type: 'trim', callNumber, ...trim }));
  }

  #warnOf(round: number, chars: number): void {
    if (round <= this.#stuckRound) return;
    this.#stuckRound = round;
    this.#warnings.push(
      `The input of round ${round} has ${chars} characters, more than maxLoopChars (${this.#maxChars}), and nothing more can be left out.`,
    );
  }
}
