import type { ToolOutput } from '../core/message.js';
import type { CallScope } from '../tools/call/call-scope.js';
import { progressOutput } from '../tools/call/run-limits.js';
import type { ToolProgress } from '../tools/tool-source.js';

/** Least time between two views of a run, in milliseconds. */
const LEAST_PAUSE_MS = 200;
/** The pause is this part of the run so far, so that the number of views grows with its logarithm. */
const PART_OF_RUN = 1 / 64;

/** Shows how far the run of a tool has come: always the latest, once the reader is ready and the pause is over. */
export class RunView {
  /** At least one view was handed out. */
  hasShown = false;
  readonly #scope: CallScope;
  readonly #announce: () => void;
  readonly #startedAt: number;
  #pauseEndsAt = 0;
  #latest: ToolProgress | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Was announced, and the reader has not taken it. */
  #isDue = false;
  #isOver = false;

  /** `announce` is called when there is something to take; not again before it was taken. */
  constructor(scope: CallScope, announce: () => void) {
    this.#scope = scope;
    this.#announce = announce;
    this.#startedAt = scope.now();
  }

  note(step: ToolProgress): void {
    if (this.#isOver) return;
    this.#latest = step;
    if (this.#isDue || this.#timer !== undefined) return;
    // The clock may be set back meanwhile.
    const wait = Math.min(this.#pauseEndsAt - this.#scope.now(), this.#pause());
    if (wait <= 0) this.#come();
    else this.#timer = setTimeout(() => this.#come(), wait);
  }

  /** Returns the view; `undefined` if the run is over, or if the view may not be shown. */
  async take(): Promise<ToolOutput | undefined> {
    const step = this.#latest;
    this.#latest = undefined;
    this.#isDue = false;
    this.#pauseEndsAt = this.#scope.now() + this.#pause();
    if (step === undefined || this.#isOver) return undefined;
    const output = await progressOutput(step, this.#scope);
    this.hasShown ||= output !== undefined;
    return output;
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #come(): void {
    this.#timer = undefined;
    this.#isDue = true;
    this.#announce();
  }

  #pause(): number {
    return Math.max(LEAST_PAUSE_MS, (this.#scope.now() - this.#startedAt) * PART_OF_RUN);
  }
}
