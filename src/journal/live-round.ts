import type { RoundRecord } from './journal.js';
import type { RoundPart } from '../core/part.js';
import { type OnValue, toPushStream } from '../core/push-stream.js';
import type { Round, RoundSignal } from '../core/round.js';
import { abortError, raceAbort } from '../util/abort.js';
import { toError } from '../util/error-text.js';
import { toFailure } from './failure-record.js';
import { RoundRecorder } from './round-record.js';

type Batch = readonly RoundPart[];
type Take = OnValue<Batch>;

/**
 * A round on its first run. It passes on parts at the reader's pace up to the first part that lets a tool act, and
 * withholds the rest until the record is kept. A tool would otherwise act in vain for a round without a record, because
 * a retry gives its calls other ids.
 */
export class LiveRound {
  readonly #round: Round;
  readonly #signal: RoundSignal;
  readonly #recorder = new RoundRecorder();
  #held: RoundPart[] | undefined;
  #failure: Error | undefined;
  #takeOver: (take: Take) => void = () => {};
  readonly #taker: Promise<Take>;

  constructor(round: Round, signal: RoundSignal) {
    this.#round = round;
    this.#signal = signal;
    this.#taker = new Promise((resolve) => {
      this.#takeOver = resolve;
    });
  }

  /** Reads the round once it has a consumer. Rejects if the call is given up, so that no partial record is kept. */
  async record(known: Omit<RoundRecord, 'parts'>): Promise<RoundRecord> {
    const signal = this.#signal;
    const { batches, warnings = [] } = this.#round;
    const take = await raceAbort(this.#taker, signal);
    try {
      await raceAbort(
        toPushStream(batches)((batch) => this.#pass(batch, take)),
        signal,
      );
    } catch (error) {
      this.#failure = toError(error);
    }
    if (signal.aborted) throw abortError(signal);
    return {
      ...known,
      at: Date.now(),
      ...(warnings.length > 0 && { warnings }),
      parts: this.#recorder.parts(),
      ...(this.#failure !== undefined && { failure: toFailure(this.#failure) }),
    };
  }

  /** Passes the round on; withheld parts follow once `kept` resolves, because the record exists then. */
  async handOver(take: Take, kept: Promise<unknown>): Promise<void> {
    this.#takeOver(take);
    await kept;
    if (this.#held !== undefined) await take(this.#held);
    if (this.#failure !== undefined) throw this.#failure;
  }

  #pass(batch: Batch, take: Take): ReturnType<Take> {
    this.#recorder.add(batch);
    if (this.#held !== undefined) {
      this.#held.push(...batch);
      return true;
    }
    const first = batch.findIndex(letsAct);
    if (first === -1) return take(batch);
    this.#held = batch.slice(first);
    return first === 0 ? true : take(batch.slice(0, first));
  }
}

/** Whether a part lets a tool of ours or the client act, or lets a person decide. */
function letsAct({ type }: RoundPart): boolean {
  return type === 'tool-call' || type === 'item' || type === 'round-end';
}
