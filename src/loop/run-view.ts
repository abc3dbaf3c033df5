import type { ToolOutput } from '../core/message.js';
import type { CallScope } from '../tools/call/call-scope.js';
import { progressOutput } from '../tools/call/run-limits.js';
import type { ToolProgress } from '../tools/tool-source.js';

/** Least time between two views of a run, in milliseconds. */
const LEAST_PAUSE_MS = 200;
/** The pause as a part of the elapsed run, so that the number of views grows logarithmically. */
const PART_OF_RUN = 1 / 64;

/** Shows the latest progress of a tool's run, once the reader is ready and the pause is over. */
export class RunView {
  /** At least one view was returned. */
  hasShown = false;
  readonly #scope: CallScope;
  readonly #announce: () => void;
  readonly #startedAt: number;
  #pauseEndsAt = 0;
  #latest: ToolProgress | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** A view was announced and not taken yet. */
  #isDue = false;
  #isOver = false;

  /** `announce` is called when a view is ready, and again only after it was taken. */
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
