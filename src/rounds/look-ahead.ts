import type { RoundPart } from '../core/part.js';
import { type PushStream, fromAsyncIterable, type OnValue } from '../core/push-stream.js';
import type { Round } from '../core/round.js';

type Batch = readonly RoundPart[];

/** How long to wait for the first visible part once the first event is there, in milliseconds. */
const PATIENCE_MS = 50;

/** Parts that show nothing yet: after them a round may still be given up without anybody noticing. */
const INVISIBLE: ReadonlySet<RoundPart['type']> = new Set([
  'response',
  'raw',
  'text-start',
  'text-end',
  'reasoning-start',
  'reasoning-end',
  'tool-input-start',
  'tool-input-end',
]);

/** A tool that has only begun shows nothing, a preview of its result does. */
function isVisible(part: RoundPart): boolean {
  if (part.type === 'hosted-preview') return part.result !== undefined;
  return part.type !== 'round-end' && !INVISIBLE.has(part.type);
}

/**
 * Reads a round up to its first visible part, so that an error before it can still reject: servers report quota and
 * overload inside a 200. Gives up looking 50 ms after the first event, so that a slow thinker costs nobody time.
 */
export async function lookAhead(batches: Round['batches']): Promise<PushStream<Batch>> {
  const ahead = new LookAhead();
  const reading = fromAsyncIterable(batches)((batch) => ahead.take(batch));
  // Whoever takes the round over hears of it.
  reading.catch(() => {});
  try {
    await Promise.race([reading, ahead.seenEnough]);
  } finally {
    ahead.stop();
  }
  return async (take) => {
    await ahead.handOver(take);
    await reading;
  };
}

class LookAhead {
  readonly seenEnough: Promise<void>;
  readonly #seen: Batch[] = [];
  /** The one who gets the batches, once there is one. */
  #taker: OnValue<Batch> | undefined;
  #isEnough = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopLooking: () => void = () => {};
  #goOn: () => void = () => {};
  readonly #takenOver: Promise<void>;

  constructor() {
    this.seenEnough = new Promise((resolve) => {
      this.#stopLooking = resolve;
    });
    this.#takenOver = new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** Nothing is read beyond what was looked at before somebody takes it. */
  take(batch: Batch): boolean | Promise<void> {
    if (this.#taker !== undefined) return this.#taker(batch);
    this.#seen.push(batch);
    if (!this.#isEnough) this.#look(batch);
    return this.#isEnough ? this.#takenOver : true;
  }

  async handOver(taker: OnValue<Batch>): Promise<void> {
    let isWanted = true;
    // Also what comes in the meantime.
    for (const batch of this.#seen) {
      const wanted: ReturnType<OnValue<Batch>> = isWanted && taker(batch);
      isWanted = wanted !== false;
      await wanted;
    }
    this.#taker = isWanted ? taker : () => false;
    this.#goOn();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#isEnough = true;
    this.#stopLooking();
  }

  #look(batch: Batch): void {
    if (batch.some(isVisible)) return this.stop();
    const end = batch.find((part) => part.type === 'round-end');
    // The round is given up; what is left of its body too.
    if (end?.result.error !== undefined) throw end.result.error;
    this.#timer ??= setTimeout(() => this.stop(), PATIENCE_MS);
  }
}
