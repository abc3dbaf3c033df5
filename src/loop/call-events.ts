import type { FinishReason, RoundResult } from '../core/part.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { defined } from '../util/defined.js';
import type { AbortLike } from '../util/abort.js';

export interface CallEventsOptions {
  readonly callNumber: number;
  /** The caller's abort. */
  readonly signal: AbortLike;
  readonly observer?: Observer | undefined;
  readonly now: () => number;
}

/** A call and its rounds, told to whoever watches: whatever begins has an end. */
export class CallEvents {
  readonly #options: CallEventsOptions;
  readonly #startedAt: number;
  #round: { readonly index: number; readonly startedAt: number; firstPartAt: number | undefined } | undefined;

  constructor(options: CallEventsOptions, modelId: string) {
    this.#options = options;
    const { callNumber, observer, now } = options;
    this.#startedAt = now();
    notify(observer, () => ({ type: 'call-start', callNumber, modelId }));
  }

  roundStart(index: number, tools: readonly string[]): void {
    const { callNumber, observer, now } = this.#options;
    this.#round = { index, startedAt: now(), firstPartAt: undefined };
    notify(observer, () => ({ type: 'round-start', callNumber, round: index, tools }));
  }

  firstPart(): void {
    if (this.#round !== undefined) this.#round.firstPartAt ??= this.#options.now();
  }

  roundEnd(result: RoundResult, calls: number): void {
    this.#endRound({
      finishReason: result.finishReason,
      usage: result.usage,
      calls,
      ...defined({ responseId: result.responseId }),
    });
  }

  end(finishReason: FinishReason, rounds: number, error?: unknown): void {
    const { callNumber, observer, now, signal } = this.#options;
    const reason = signal.aborted ? 'aborted' : finishReason;
    // It never got as far as a result.
    this.#endRound({ finishReason: reason, usage: {}, calls: 0 });
    notify(observer, () => ({
      type: 'call-end',
      callNumber,
      finishReason: reason,
      rounds,
      durationMs: now() - this.#startedAt,
      ...(error === undefined || signal.aborted ? {} : { error: describe(error) }),
    }));
  }

  #endRound(how: RoundEnding): void {
    const round = this.#round;
    if (round === undefined) return;
    this.#round = undefined;
    const { callNumber, observer, now } = this.#options;
    notify(observer, () => ({
      type: 'round-end',
      callNumber,
      round: round.index,
      ...how,
      durationMs: now() - round.startedAt,
      ...(round.firstPartAt === undefined ? {} : { firstPartMs: round.firstPartAt - round.startedAt }),
    }));
  }
}

type RoundEnding = Pick<
  Extract<Parameters<Observer>[0], { type: 'round-end' }>,
  'responseId' | 'finishReason' | 'usage' | 'calls'
>;

function describe(error: unknown): { readonly message: string; readonly code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  return ResponsesLoopError.isInstance(error) ? { message, code: error.code } : { message };
}
