import type { FinishReason, RoundResult } from '../core/part.js';
import type { ToolDeclaration } from '../core/tool.js';
import { ResponsesLoopError } from '../errors/responses-loop-error.js';
import type { Observer } from '../observe/event.js';
import { notify } from '../observe/notify.js';
import { defined } from '../util/defined.js';
import type { LoopOptions } from './loop-options.js';

/** Reports a call and its rounds to the observer: each start has an end. */
export class CallEvents {
  readonly #options: LoopOptions;
  readonly #observer: Observer;
  readonly #startedAt: number;
  #isOver = false;
  #rounds = 0;
  #round: { readonly index: number; readonly startedAt: number; firstPartMs?: number; answerMs?: number } | undefined;

  constructor(options: LoopOptions, observer: Observer) {
    this.#options = options;
    this.#observer = observer;
    const { callNumber, call, now } = options;
    this.#startedAt = now();
    notify(this.#observer, () => ({ type: 'call-start', callNumber, modelId: call.modelId }));
  }

  roundStart(index: number, tools: readonly ToolDeclaration[]): void {
    const { callNumber, now } = this.#options;
    this.#rounds += 1;
    this.#round = { index, startedAt: now() };
    const names = tools.map((tool) => tool.name);
    notify(this.#observer, () => ({ type: 'round-start', callNumber, round: index, tools: names }));
  }

  /** The first part of the round arrived, or its whole answer. */
  notes(what: 'firstPartMs' | 'answerMs'): void {
    const round = this.#round;
    if (round !== undefined) round[what] ??= this.#options.now() - round.startedAt;
  }

  /** `modelId`: another model than the call's own. */
  roundEnd(result: RoundResult, calls: number, modelId: string | undefined): void {
    const { finishReason, usage, responseId } = result;
    this.#endRound({ finishReason, usage, calls, ...defined({ responseId, modelId }) });
  }

  end(finishReason: FinishReason, error?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const { callNumber, now, signal } = this.#options;
    const reason = signal.aborted ? 'aborted' : finishReason;
    // The round ended without a result.
    this.#endRound({ finishReason: reason, usage: {}, calls: 0 });
    notify(this.#observer, () => ({
      type: 'call-end',
      callNumber,
      finishReason: reason,
      rounds: this.#rounds,
      durationMs: now() - this.#startedAt,
      ...(error === undefined || signal.aborted ? {} : { error: describe(error) }),
    }));
  }

  #endRound(how: RoundEnding): void {
    const round = this.#round;
    if (round === undefined) return;
    this.#round = undefined;
    const { callNumber, now } = this.#options;
    const { index, startedAt, ...times } = round;
    notify(this.#observer, () => ({
      type: 'round-end',
      callNumber,
      round: index,
      ...how,
      durationMs: now() - startedAt,
      ...times,
    }));
  }
}

type RoundEnding = Pick<
  Extract<Parameters<Observer>[0], { type: 'round-end' }>,
  'responseId' | 'finishReason' | 'usage' | 'calls' | 'modelId'
>;

function describe(error: unknown): { readonly message: string; readonly code?: string } {
  const message = error instanceof Error ? error.message : String(error);
  return ResponsesLoopError.isInstance(error) ? { message, code: error.code } : { message };
}
