import type { RoundPart, RoundResult } from '../core/part.js';
import { type OnValue, type PushStream, toPushStream } from '../core/push-stream.js';
import type { Round } from '../core/round.js';
import type { RequestRedactors } from '../observe/redactor.js';
import { defined } from '../util/defined.js';
import { afterEvents } from '../util/timers.js';

type Batch = readonly RoundPart[];

/** The wait for the first visible part after the first event, in milliseconds. */
const PATIENCE_MS = 50;

/** Invisible parts, after which a round can still be given up unnoticed. */
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

/** The beginning of a tool is invisible, but a preview of its result is visible. */
function isVisible(part: RoundPart): boolean {
  if (part.type === 'hosted-preview') return part.result !== undefined;
  return part.type !== 'round-end' && !INVISIBLE.has(part.type);
}

/**
 * Reads a round up to its first visible part, so that an error before it can still reject: servers report quota and
 * overload inside a 200. Stops 50 ms after the first event, so that a slow model costs no time. Removes secrets of the
 * request from the end of the round.
 */
export async function lookAhead(batches: Round['batches'], redactors: RequestRedactors): Promise<PushStream<Batch>> {
  const ahead = new LookAhead(redactors);
  const parts = toPushStream(batches);
  const reading = parts((batch) => ahead.take(batch));
  // The rejection is thrown again to the consumer of the round.
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
  readonly #redactors: RequestRedactors;
  readonly #seen: Batch[] = [];
  /** The consumer, if present. */
  #taker: OnValue<Batch> | undefined;
  #isEnough = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stopLooking: () => void = () => {};
  #goOn: () => void = () => {};
  readonly #takenOver: Promise<void>;

  constructor(redactors: RequestRedactors) {
    this.#redactors = redactors;
    this.seenEnough = new Promise((resolve) => {
      this.#stopLooking = resolve;
    });
    this.#takenOver = new Promise((resolve) => {
      this.#goOn = resolve;
    });
  }

  /** Reads no further until the round has a consumer. */
  take(read: Batch): boolean | Promise<void> {
    const last = read.at(-1);
    const isEnd = last?.type === 'round-end';
    const batch = isEnd ? [...read.slice(0, -1), { ...last, result: redactEnd(last.result, this.#redactors) }] : read;
    if (this.#taker !== undefined) return this.#taker(batch);
    this.#seen.push(batch);
    if (!this.#isEnough) this.#look(batch);
    return this.#isEnough ? this.#takenOver : true;
  }

  async handOver(taker: OnValue<Batch>): Promise<void> {
    let isWanted = true;
    // Also parts that arrive meanwhile.
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
    const end = batch.at(-1);
    // Gives up the round and the rest of its body.
    if (end?.type === 'round-end' && end.result.error !== undefined) throw end.result.error;
    // After a standstill of the process, timers fire before arrived data is read.
    this.#timer ??= setTimeout(() => afterEvents(() => this.stop()), PATIENCE_MS);
  }
}

/** Values and names of the API itself; any other text may repeat the request. */
const KNOWN_WORDS: ReadonlySet<unknown> = new Set(
  (
    'completed incomplete failed cancelled in_progress queued max_output_tokens max_tokens content_filter auto ' +
    'default flex priority scale standard current_turn all_turns input_tokens input_tokens_details output_tokens ' +
    'output_tokens_details total_tokens cached_tokens cache_write_tokens reasoning_tokens prompt_tokens ' +
    'cache_write_tokens_details ttl_30m_tokens ttl_12h_tokens web_search image_gen num_requests ' +
    'completion_tokens cost_in_usd_ticks num_sources_used num_server_side_tools_used'
  ).split(' '),
);

/**
 * Removes secrets from a round's error and from the server's other texts, which become metadata. Searches only for an
 * error or an unusual word. Ignores the body's secrets in the whole response, because its sealed reasoning may share
 * eight characters with the request's.
 */
function redactEnd(result: RoundResult, { whole, withoutBody }: RequestRedactors): RoundResult {
  const { rawFinishReason, responseFacts, usage, readBody } = result;
  // The names of our facts are our own words.
  const said = [rawFinishReason, usage.raw, ...Object.values(responseFacts ?? {})];
  const isKnownSaid = said.every(isKnown);
  if (readBody === undefined && isKnownSaid) return result;
  return {
    ...result,
    ...(isKnownSaid ? {} : whole.value(defined({ rawFinishReason, responseFacts, usage }))),
    // Searched on demand, because only the last round of a call needs it.
    ...(readBody !== undefined && { readBody: () => withoutBody.value(readBody()) }),
  };
}

function isKnown(value: unknown): boolean {
  if (typeof value === 'string') return KNOWN_WORDS.has(value);
  if (typeof value !== 'object' || value === null) return true;
  for (const [name, member] of Object.entries(value)) if (!KNOWN_WORDS.has(name) || !isKnown(member)) return false;
  return true;
}
