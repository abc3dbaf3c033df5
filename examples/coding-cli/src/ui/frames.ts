const FRAME_MS = 33;
const TICK_MS = 100;

/** When to draw: events come faster than anybody reads, and while something runs its seconds go on without them. */
export class Frames {
  readonly #draw: () => void;
  #frame: NodeJS.Timeout | undefined;
  #tick: NodeJS.Timeout | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** One frame for many events. */
  soon(isBusy: boolean): void {
    this.#frame ??= setTimeout(this.#draw, FRAME_MS);
    if (isBusy) this.#tick ??= setInterval(this.#draw, TICK_MS);
    else this.#endTick();
  }

  /** What was due is drawn. */
  drawn(): void {
    clearTimeout(this.#frame);
    this.#frame = undefined;
  }

  stop(): void {
    this.drawn();
    this.#endTick();
  }

  #endTick(): void {
    clearInterval(this.#tick);
    this.#tick = undefined;
  }
}
