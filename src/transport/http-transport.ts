import { clean, type CleanText, ownWords } from '../core/clean-text.js';
import type { PushStream } from '../core/push-stream.js';
import { ApiError } from '../errors/api-error.js';
import { exchangeLimitReached } from '../errors/limit-reached.js';
import { notify } from '../observe/notify.js';
import type { Observer } from '../observe/event.js';
import type { Redactor } from '../observe/redact.js';
import { abortError, Cancellation, onceAborted, raceAbort } from '../util/abort.js';
import { isRecord } from '../util/guards.js';
import { SilenceTimer, withTimeout } from '../util/timers.js';
import { encodeBody } from './encode-body.js';
import { bodyChunks, cancelBody } from './body-chunks.js';
import { ExchangeReport } from './exchange-report.js';
import type { HttpResponse, HttpTransport, TransportRequest } from './transport.js';

export interface HttpTransportOptions {
  /** Every request goes through it; called without `this`. @default the platform's `fetch` at the time of the call */
  readonly fetch?: typeof globalThis.fetch;
  /** Longest wait for the response headers, in milliseconds; 0 is for ever. */
  readonly headersMs: number;
  /** Longest silence inside a body, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  readonly observer?: Observer;
  /** Removes secrets from errors and events. */
  readonly redactor: Redactor;
}

/** How long an error body may take, in milliseconds: half a body is better than a wait. */
const ERROR_BODY_MS = 5000;
/** Characters kept of an error body: enough to understand it. */
const KEPT_ERROR_CHARS = 100_000;
/** Characters kept of an error page: enough to recognize it. */
const KEPT_PAGE_CHARS = 2_000;

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  return { open: (request) => new HttpExchange(request, options).open() };
}

/** A request and its response. */
class HttpExchange {
  readonly #request: TransportRequest;
  readonly #options: HttpTransportOptions;
  readonly #silence = new SilenceTimer();
  /** Our own, so that a timer can end the request too. */
  readonly #ends = new Cancellation();
  readonly #release: () => void;
  #made: ExchangeReport | undefined;

  constructor(request: TransportRequest, options: HttpTransportOptions) {
    this.#request = request;
    this.#options = options;
    this.#release = onceAborted(request.signal, (reason) => this.#ends.cancel(reason));
  }

  /** Made only for a failure or an observer. */
  get #report(): ExchangeReport {
    return (this.#made ??= new ExchangeReport(this.#request, this.#options.redactor));
  }

  async open(): Promise<HttpResponse> {
    const { signal, observer = this.#options.observer } = this.#request;
    // A request aborted since its draft is not announced.
    if (signal.aborted) throw abortError(signal);
    notify(observer, () => this.#report.requestEvent());
    let response: Response;
    try {
      response = await this.#send();
    } catch (error) {
      this.#giveUp();
      const failure = signal.aborted ? abortError(signal) : error;
      notify(observer, () => this.#report.failureEvent(failure));
      throw failure;
    }
    try {
      const { status } = response;
      const headers = Object.fromEntries(response.headers.entries());
      notify(observer, () => this.#report.responseEvent(status, headers));
      const chunks = this.#chunksOf(response);
      if (!response.ok) throw await this.#failureOf(response, headers, chunks);
      return { status, headers, chunks };
    } catch (error) {
      // Also ends an unread body, which may be unreadable.
      this.#giveUp();
      throw error;
    }
  }

  #giveUp(): void {
    this.#release();
    this.#silence.stop();
    this.#ends.cancel();
  }

  async #send(): Promise<Response> {
    const { url, method = 'POST', headers, body } = this.#request;
    const { headersMs } = this.#options;
    const ends = this.#ends;
    if (ends.aborted) throw abortError(ends);
    // The same end for `fetch` alone, because a real signal is expensive.
    const controller = new AbortController();
    onceAborted(ends, (reason) => controller.abort(reason));
    const init = {
      method,
      headers: { ...headers },
      ...(method === 'POST' && { body: encodeBody(body) }),
      signal: controller.signal,
      // A redirect would carry our headers, keys among them, to its target.
      redirect: 'manual' as const,
    };
    // Looked up now and called without `this`: browsers refuse a `fetch` that is called as a method (vercel/ai#14134).
    const fetch = this.#options.fetch ?? globalThis.fetch;
    // Also a `fetch` that returns no promise, or throws at once.
    const answer = new Promise<unknown>((resolve) => {
      resolve(fetch(url, init));
    });
    try {
      this.#silence.begin(headersMs, () => ends.cancel(this.#report.unanswered(headersMs)));
      const response = await raceAbort(answer, ends);
      this.#silence.end();
      if (!isResponse(response)) throw this.#report.oddFetch(describe(response));
      return response;
    } catch (error) {
      void discard(answer);
      if (ends.aborted) throw abortError(ends);
      if (ApiError.isInstance(error)) throw error;
      throw this.#report.unreachable(error);
    }
  }

  #chunksOf(response: Response): PushStream<Uint8Array> {
    const { idleMs } = this.#options;
    return bodyChunks(response, {
      signal: this.#ends,
      idleMs,
      silence: this.#silence,
      giveUp: () => this.#ends.cancel(),
      onEnd: this.#release,
      onOddChunk: (what) => this.#report.oddFetch(clean`a body with a chunk of type ${ownWords(what)}`),
      onIdle: () => this.#report.silent(idleMs),
    });
  }

  async #failureOf(
    response: Response,
    headers: Readonly<Record<string, string>>,
    chunks: PushStream<Uint8Array>,
  ): Promise<ApiError> {
    if (isRedirect(response)) return this.#report.redirected(headers['location']);
    const { messageBytes } = this.#request.limits;
    const { text, isTooLong } = await readText(chunks, messageBytes);
    const failure = this.#report.refused({ status: response.status, headers, body: text });
    if (!isTooLong) return failure;
    const what = clean`${failure.facts.message} The body of the error has more than ${messageBytes} bytes`;
    return exchangeLimitReached(failure.facts, what, { name: 'limits.messageBytes', value: messageBytes });
  }
}

/** Checks the members that are used, because tests and apps build their own. */
function isResponse(value: unknown): value is Response {
  if (!isRecord(value) || typeof value['status'] !== 'number') return false;
  const { headers } = value;
  return isRecord(headers) && typeof headers['entries'] === 'function';
}

function describe(value: unknown): CleanText {
  if (value === undefined || value === null) return clean`${value === null ? 'null' : 'undefined'}`;
  return isRecord(value) ? clean`an object that is not a Response` : clean`a ${typeof value}`;
}

/** A late answer to an aborted request would keep its connection. */
async function discard(answer: Promise<unknown>): Promise<void> {
  try {
    const late = await answer;
    if (isResponse(late)) cancelBody(late);
  } catch {
    // No answer arrived.
  }
}

/** Browsers hide the target of a redirect. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

async function readText(chunks: PushStream<Uint8Array>, messageBytes: number) {
  const decoder = new TextDecoder();
  let text = '';
  let firstVisible = '';
  let bytes = 0;
  const reading = chunks((chunk) => {
    bytes += chunk.length;
    if (text.length >= KEPT_ERROR_CHARS) return bytes <= messageBytes;
    const more = decoder.decode(chunk, { stream: true });
    text += more;
    firstVisible ||= more.trimStart().slice(0, 1);
    return bytes <= messageBytes && (firstVisible !== '<' || text.length < KEPT_PAGE_CHARS);
  });
  try {
    await withTimeout(reading, ERROR_BODY_MS, () => new Error('The error body took too long.'));
  } catch {
    // Half an error message is better than none.
  }
  return { text: text + decoder.decode(), isTooLong: bytes > messageBytes };
}
