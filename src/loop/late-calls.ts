import { errorOutput, textOutput, type ToolOutput, type ToolResultContent } from '../core/message.js';
import type { CallPart, CallToolResult } from '../core/part.js';
import type { RoundIds } from '../core/round.js';
import { type AbortLike, raceAbort } from '../util/abort.js';
import { defined } from '../util/defined.js';
import { timerMs } from '../util/timers.js';
import { type CarrierPlace, CarrierWriter } from './carrier-writer.js';
import { type AnsweredCall, hiddenIn, isAnswered, type OwnCall, toResultPart } from './own-calls.js';

/** The output that user interfaces show for a call that continues. */
const STILL_RUNNING = textOutput('Still running.');

const STOPPED = 'Stopped: the call to the model failed before this one returned anything.';

export interface LateCallsOptions {
  /** Milliseconds that the loop waits for outputs if the model has nothing else to do. */
  readonly waitMs: number | undefined;
  /** Lets a run continue after the end of its call. Returns the interim output for the history. */
  readonly keep: (own: OwnCall) => ToolOutput;
  /** Everything that ends the call. */
  readonly ends: AbortLike;
}

/** The end of a call to the model. */
export interface LateEnd extends Pick<WaitOptions, 'show'> {
  readonly carrier: false | CarrierPlace;
  readonly ids: RoundIds;
}

interface WaitOptions {
  /** The outputs to wait for: at least one, or all. Unset: only finished ones. */
  readonly for?: 'one' | 'all' | undefined;
  readonly show: (parts: readonly CallPart[]) => Promise<void> | undefined;
}

/**
 * Tool calls of one call to the model that continue while the model runs. A server that marks a call as asynchronous
 * accepts requests without its output, and later the output, once, under the same id.
 */
export class LateCalls {
  readonly #options: LateCallsOptions;
  /** Calls whose outputs no round has sent to the model, by their ids. */
  readonly #open = new Map<string, OwnCall>();
  readonly #viewed = new Set<OwnCall>();
  /** The loop has waited up to its limit, and does not wait again. */
  #isOver = false;
  #wake: () => void = () => {};

  constructor(options: LateCallsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether the loop may continue without the output of a call, because its function and the server allow it. */
  mayRunOn({ fate, call: { members, wrapper } }: OwnCall): boolean {
    return fate.tool?.declaration.async === true && members?.['async'] === true && wrapper === undefined;
  }

  add(own: OwnCall): void {
    this.#open.set(own.call.callId, own);
  }

  /** Notes that a call has its output. The map gets the order of the ends. */
  ended(own: OwnCall): void {
    const { callId } = own.call;
    if (this.#open.get(callId) !== own) return;
    this.#open.delete(callId);
    this.#open.set(callId, own);
    this.#wake();
  }

  /** A run has a view to show. */
  viewed(own: OwnCall): void {
    this.#viewed.add(own);
    this.#wake();
  }

  /** Returns preliminary results of calls without an earlier view. */
  preliminary(): CallToolResult[] {
    return [...this.#open.values()].flatMap((own) => {
      const { view } = own;
      if (view === undefined || view.hasShown || isAnswered(own)) return [];
      view.hasShown = true;
      return [toResultPart({ ...own, output: STILL_RUNNING, isPreliminary: true })];
    });
  }

  /** Waits up to the limit, and returns the calls that have their outputs. */
  async wait({ for: wanted, show }: WaitOptions): Promise<readonly AnsweredCall[]> {
    const { waitMs = Infinity, ends } = this.#options;
    const clock = { isOver: wanted === undefined || waitMs === 0 || this.#isOver };
    const end = (): void => {
      this.#isOver = clock.isOver = true;
      this.#wake();
    };
    const timer = clock.isOver || waitMs === Infinity ? undefined : setTimeout(end, timerMs(waitMs));
    try {
      while (!clock.isOver && !this.#has(wanted)) {
        if (this.#viewed.size === 0) await raceAbort(this.#next(), ends);
        await this.#showViews(show);
      }
    } finally {
      clearTimeout(timer);
    }
    return [...this.#open.values()].filter(isAnswered);
  }

  /**
   * Waits for all, and returns them. A call that still runs gets the interim output of the history, and its result is
   * kept for the next turn.
   */
  async whole(show: WaitOptions['show']): Promise<readonly AnsweredCall[]> {
    await this.wait({ for: 'all', show });
    for (const [callId, own] of this.#open) this.#open.set(callId, this.#left(own));
    return [...this.#open.values()].filter(isAnswered);
  }

  #left(own: OwnCall): OwnCall {
    return isAnswered(own) ? own : { ...own, output: this.#options.keep(own) };
  }

  /** Removes calls, and waits for their outputs if another attempt had them. */
  async take(callIds: readonly string[]): Promise<AnsweredCall[]> {
    const calls = callIds.flatMap((callId) => this.#open.get(callId) ?? []);
    while (!calls.every(isAnswered)) await raceAbort(this.#next(), this.#options.ends);
    for (const { call } of calls) this.#open.delete(call.callId);
    return calls.filter(isAnswered);
  }

  /** Returns outputs for a request without the calls. */
  resultsOf(calls: readonly AnsweredCall[]): ToolResultContent[] {
    return calls.map(({ call: { callId, wireCallId, members, name }, output }) => {
      return { type: 'tool-result', callId, output, name, ...defined({ wireCallId, members }) };
    });
  }

  /** Ends all calls. A call that still runs has its result kept for the next turn. */
  async settle(end: LateEnd): Promise<CallPart[]> {
    const calls = await this.whole(end.show);
    this.#open.clear();
    return partsOf(calls, end);
  }

  /** Ends all calls at once, and returns them with their parts. `untold`: calls whose outputs no round has sent yet. */
  stop(
    end: LateEnd,
    untold: readonly AnsweredCall[],
  ): { readonly calls: readonly AnsweredCall[]; readonly parts: CallPart[] } {
    const open = this.#takeAll();
    for (const own of open) own.stop?.(new Error(STOPPED));
    const calls = open.map((own) => (isAnswered(own) ? own : { ...own, output: errorOutput(STOPPED) }));
    return { calls, parts: partsOf(calls, end, untold) };
  }

  #takeAll(): OwnCall[] {
    const calls = [...this.#open.values()];
    this.#open.clear();
    return calls;
  }

  #has(wanted: WaitOptions['for']): boolean {
    const calls = [...this.#open.values()];
    return wanted === 'all' ? calls.every(isAnswered) : calls.length === 0 || calls.some(isAnswered);
  }

  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #showViews(show: WaitOptions['show']): Promise<void> {
    const viewed = [...this.#viewed];
    this.#viewed.clear();
    for (const own of viewed) {
      const output = isAnswered(own) ? undefined : await own.view?.take();
      if (output !== undefined) await show([toResultPart({ ...own, output, isPreliminary: true })]);
    }
  }
}

/** Returns results that no round follows. Those of hidden calls travel in a carrier. */
function partsOf(
  calls: readonly AnsweredCall[],
  { carrier, ids }: LateEnd,
  untold: readonly AnsweredCall[] = [],
): CallPart[] {
  const shown = calls.filter(({ fate }) => fate.shownAs !== undefined).map(toResultPart);
  const hidden = hiddenIn([...untold, ...calls]);
  if (carrier === false || hidden.length === 0) return shown;
  const writer = new CarrierWriter((slot) => ids.partId(undefined, `late-${slot}`), carrier);
  return [...shown, ...writer.flushHidden({ calls: hidden, order: [], asked: [] })];
}
