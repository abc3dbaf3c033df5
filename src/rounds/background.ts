import { clean, type CleanText, withoutStop } from '../core/clean-text.js';
import type { PushStream } from '../core/push-stream.js';
import { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached, isLimitReached } from '../errors/limit-reached.js';
import { retryDelay } from '../request/retry-delay.js';
import { type DecodedEvent, TERMINALS } from '../stream/decode-event.js';
import { isEmpty, isUnfinished, wasFoundUnfinished } from '../stream/events-of-response.js';
import { Cancellation, onceAborted } from '../util/abort.js';
import { errorText } from '../util/error-text.js';
import { asId, asNumber, asRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';
import { delay } from '../util/timers.js';
import type { LastingExchange, LastingResponse } from './round-source.js';

/** Max. resumes of the stream of one round, and max. polls that fail in a row. */
const ATTEMPTS = 5;
/** Max. polls that fail in a row before a first success, because the server may know nothing of this response. */
const ATTEMPTS_IN_VAIN = 2;
/** Replicas for reading may be a moment late, so the first poll waits too. */
const FIRST_POLL_MS = 1_000;
const LONGEST_POLL_MS = 10_000;
/** Timeout of the request that cancels; nothing waits for it. */
const CANCEL_MS = 5_000;

type State =
  /** Reads a stream: the first one, or one that continues behind the event `from`. */
  | { readonly at: 'streaming'; readonly from: number | undefined }
  /** The streams were empty, incomplete or refused. No body is read until a poll returns the whole response. */
  | { readonly at: 'polling' }
  /** Reads the whole response. */
  | { readonly at: 'polled' }
  /** The server has ended the response, or was told to cancel it. */
  | { readonly at: 'ended' }
  | { readonly at: 'failed'; readonly error: ApiError };

/**
 * A response that the server continues without a reader (`background: true`). It is created once. After a cut, its
 * stream continues after the last event (`starting_after`). If the server no longer streams it (OpenAI: after five
 * minutes, openai/openai-python#2828), it is polled. An abort cancels it.
 */
export class BackgroundResponse implements LastingResponse {
  readonly #options: LastingExchange;
  #state: State = { at: 'streaming', from: undefined };
  #id: string | undefined;
  /** The number of the last event. */
  #after: number | undefined;
  #resumes = 0;

  constructor(options: LastingExchange) {
    this.#options = options;
  }

  accepts(event: DecodedEvent): boolean {
    const { at } = this.#state;
    if (at === 'polling' || at === 'failed') return false;
    const response = asRecord(event['response']);
    this.#checkId(asId(response?.['id']));
    if (!this.#isNext(asNumber(event['sequence_number']))) return false;
    if (event.type === 'error') this.#state = { at: 'ended' };
    if (!TERMINALS.has(event.type) || event.type === 'error' || response === undefined) return true;
    // A whole response that still runs, with or without a requested stream.
    if (wasFoundUnfinished(response) || (isUnfinished(response) && isEmpty(response))) return false;
    this.#state = { at: 'ended' };
    return true;
  }

  async next(broken: Error): Promise<PushStream<Uint8Array>> {
    const id = this.#id;
    const state = this.#state;
    if (state.at === 'failed') throw state.error;
    if (id === undefined || state.at === 'polled' || NO_STEP.test(id)) throw this.#fail(broken);
    const from = state.at === 'streaming' ? state.from : undefined;
    let mayResume = state.at !== 'polling' && this.#after !== undefined && this.#after !== from;
    let error = broken;
    while (mayResume && this.#resumes < ATTEMPTS) {
      try {
        return await this.#resume(id, error);
      } catch (failure) {
        if (!ApiError.isInstance(failure)) throw failure;
        error = failure;
        mayResume = failure.isRetryable;
      }
    }
    return this.#pollToEnd(id);
  }

  /** Returns the same parts. Cancels the response at an abort, and if the reader stops. */
  whileRead<Part>(reading: PushStream<Part>): PushStream<Part> {
    return async (onValue) => {
      let isWanted = true;
      const release = onceAborted(this.#options.signal, () => void this.#cancel());
      try {
        await reading((value) => {
          const wanted = onValue(value);
          isWanted = wanted !== false;
          return wanted;
        });
      } finally {
        release();
        if (!isWanted) void this.#cancel();
      }
    };
  }

  unrepeatable(error: ApiError): ApiError {
    const { statusCode = 0, isReplaySafe } = error;
    const wasRefused = statusCode >= 400 && statusCode < 500;
    const mayRun = this.#state.at !== 'failed' && this.#state.at !== 'ended';
    return mayRun && !isReplaySafe && !wasRefused ? this.#fail(error) : error;
  }

  async #cancel(): Promise<void> {
    if (this.#id === undefined || NO_STEP.test(this.#id)) return;
    if (this.#state.at === 'ended' || this.#state.at === 'failed') return;
    this.#state = { at: 'ended' };
    const signal = new Cancellation();
    const timer = setTimeout(() => signal.cancel(), CANCEL_MS);
    try {
      const { chunks } = await this.#options.ask({ method: 'POST', path: `${pathOf(this.#id)}/cancel`, signal });
      await chunks(() => false);
    } catch {
      // The cancellation ends later.
    } finally {
      clearTimeout(timer);
    }
  }

  /** Relays make up ids in their streams, so only other bodies have to bring the id of the first. */
  #checkId(id: string | undefined): void {
    this.#id ??= id;
    if (id === undefined || id === this.#id || (this.#resumes === 0 && this.#state.at !== 'polled')) return;
    throw this.#fail(new Error(`The server answered with the response ${id}.`));
  }

  /** Returns whether an event is new: some servers begin a resumed stream at its beginning. */
  #isNext(number: number | undefined): boolean {
    if (number === undefined) return true;
    const expected = (this.#after ?? -1) + 1;
    if (this.#after !== undefined && number < expected) return false;
    if (this.#state.at === 'streaming' && this.#state.from !== undefined && number > expected) {
      this.#state = { at: 'polling' };
      throw new Error(`Event ${expected} is missing.`);
    }
    this.#after = number;
    return true;
  }

  async #resume(id: string, error: Error): Promise<PushStream<Uint8Array>> {
    const { ask, announce, retry, signal } = this.#options;
    const after = this.#after ?? 0;
    this.#resumes += 1;
    if (ApiError.isInstance(error)) {
      const clock = { now: Date.now(), random: Math.random };
      const pause = retryDelay(this.#resumes, error, { ...retry, maxRetries: ATTEMPTS }, clock);
      await delay(pause ?? retry.maxDelayMs, signal);
    }
    announce({ attempt: this.#resumes, after });
    const query = { stream: 'true', starting_after: String(after) };
    const { chunks } = await ask({ method: 'GET', path: pathOf(id), query, signal });
    this.#state = { at: 'streaming', from: after };
    return chunks;
  }

  async #pollToEnd(id: string): Promise<PushStream<Uint8Array>> {
    const { signal, limits } = this.#options;
    if (this.#state.at === 'streaming') this.#state = { at: 'polling' };
    let failures = 0;
    let mostFailures = ATTEMPTS_IN_VAIN;
    for (let poll = 1, pause = FIRST_POLL_MS; poll <= limits.polls; poll += 1) {
      await delay(pause, signal);
      pause = Math.min(pause * 2, LONGEST_POLL_MS);
      try {
        const whole = await this.#poll(id);
        failures = 0;
        mostFailures = ATTEMPTS;
        if (whole !== undefined) return async (onValue) => void (await onValue(whole));
      } catch (error) {
        if (signal.aborted || isLimitReached(error)) throw error;
        failures += 1;
        const mayPass = !ApiError.isInstance(error) || error.isRetryable;
        if (!mayPass) throw this.#fail(error);
        if (failures > mostFailures) throw this.#fail(error, clean`${failures} polls failed in a row, the last one: `);
      }
    }
    const what = clean`The response ${this.#options.clean(id)} was not finished after ${limits.polls} polls`;
    throw exchangeLimitReached(this.#options.facts(), what, { name: 'limits.polls', value: limits.polls });
  }

  /** Returns the response once it is finished. */
  async #poll(id: string): Promise<Uint8Array | undefined> {
    const { ask, facts, limits, signal } = this.#options;
    const { chunks } = await ask({ method: 'GET', path: pathOf(id), signal });
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    await chunks((piece) => {
      pieces.push(piece);
      bytes += piece.length;
      return bytes <= limits.messageBytes;
    });
    if (bytes > limits.messageBytes) {
      const limit = { name: 'limits.messageBytes', value: limits.messageBytes };
      throw exchangeLimitReached(
        facts(),
        clean`The response ${this.#options.clean(id)} has more than ${limit.value} bytes`,
        limit,
      );
    }
    const whole = joined(pieces, bytes);
    const response = asRecord(parseJson(new TextDecoder().decode(whole)));
    if (response === undefined) throw new Error(`The server's answer is not a response.`);
    if (isUnfinished(response)) return undefined;
    this.#state = { at: 'polled' };
    return whole;
  }

  /** Builds the failure of `what`, if the cause does not name it. */
  #fail(cause: unknown, what: CleanText | '' = ''): ApiError {
    const { facts } = this.#options;
    const id = this.#id === undefined ? undefined : this.#options.clean(this.#id);
    const known = ApiError.isInstance(cause) ? { ...cause.facts, cause } : facts();
    const place = id === undefined ? '' : clean`: see GET /responses/${id}`;
    const failure = new ApiError({
      ...known,
      isRetryable: false,
      mayFailOver: false,
      isReplaySafe: false,
      message: clean`${what}${withoutStop(this.#options.clean(errorText(cause)))}. The response may still be running (background: true), so the request is not repeated${place}.`,
    });
    this.#state = { at: 'failed', error: failure };
    return failure;
  }
}

/** Ids that cannot be a step of a URL, or would lead up its path. */
const NO_STEP = /^\.{1,2}$|\p{Surrogate}/u;

function pathOf(id: string): string {
  return `/${encodeURIComponent(id)}`;
}

function joined(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
