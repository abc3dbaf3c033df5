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
import { HttpFailures } from './http-failure.js';
import type { HttpResponse, HttpTransport, TransportRequest } from './transport.js';

export interface HttpTransportOptions {
  /** Every request goes through it; called without `this`. Default: the platform's `fetch` at the time of the call. */
  readonly fetch?: typeof globalThis.fetch;
  /** Longest wait for the response headers, in milliseconds; 0 is for ever. */
  readonly headersMs: number;
  /** Longest silence inside a body, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  readonly observer?: Observer;
  /** Takes out what must never appear in an error or an event. */
  readonly redactor: Redactor;
}

/** How long an error body may take, in milliseconds: half of one is better than waiting. */
const ERROR_BODY_MS = 5000;
/** What is kept of an error body: enough to understand it. */
const KEPT_ERROR_CHARS = 100_000;
/** What is kept of an error page: enough to recognise it. */
const KEPT_PAGE_CHARS = 2_000;

export function createHttpTransport(options: HttpTransportOptions): HttpTransport {
  return { open: (request) => open(request, options) };
}

async function open(request: TransportRequest, options: HttpTransportOptions): Promise<HttpResponse> {
  // A moment lies between the draft and here: what was aborted in it is not announced either.
  if (request.signal.aborted) throw abortError(request.signal);
  const started = Date.now();
  let made: HttpFailures | undefined;
  // Only if something failed or an observer is there.
  const failures = (): HttpFailures => (made ??= new HttpFailures(request, options.redactor));
  const { callNumber, round } = request;
  notify(options.observer, () => ({
    type: 'request',
    callNumber,
    url: failures().cleanUrl,
    round,
    headers: failures().cleanHeaders(request.headers),
    ...(request.method === 'GET' ? { method: 'GET', body: undefined } : { body: failures().cleanBody }),
  }));
  const exchange: Exchange = { silence: new SilenceTimer(), failures, ...endsOf(request) };
  let response: Response;
  try {
    response = await send(request, options, exchange);
  } catch (error) {
    giveUp(exchange);
    const failure = request.signal.aborted ? abortError(request.signal) : error;
    notify(options.observer, () => ({
      type: 'request-error',
      callNumber,
      url: failures().cleanUrl,
      round,
      message: failure instanceof Error ? failure.message : String(failure),
      durationMs: Date.now() - started,
    }));
    throw failure;
  }
  const durationMs = Date.now() - started;
  try {
    const headers = Object.fromEntries(response.headers.entries());
    notify(options.observer, () => ({
      type: 'response',
      callNumber,
      url: failures().cleanUrl,
      round,
      status: response.status,
      headers: failures().cleanHeaders(headers),
      durationMs,
    }));
    const chunks = chunksOf(response, options, exchange);
    if (!response.ok) throw await failureOf(response, headers, chunks, { failures, ...request });
    return { status: response.status, headers, chunks };
  } catch (error) {
    // With it ends the body, if it was not read; it may be one that cannot be.
    giveUp(exchange);
    throw error;
  }
}

/** A request under way. */
interface Exchange extends RequestEnds {
  readonly silence: SilenceTimer;
  readonly failures: () => HttpFailures;
}

function giveUp({ ends, release, silence }: Exchange): void {
  release();
  silence.stop();
  ends.cancel();
}

function chunksOf(response: Response, { idleMs }: HttpTransportOptions, exchange: Exchange): PushStream<Uint8Array> {
  const { ends, release, silence, failures } = exchange;
  return bodyChunks(response, {
    signal: ends,
    idleMs,
    silence,
    giveUp: () => ends.cancel(),
    onEnd: release,
    onOddChunk: (what) => failures().oddFetch(`a body with a chunk of type ${what}`),
    onIdle: () => failures().timedOut(`sent nothing for ${idleMs} ms (timeouts.idleMs)`),
  });
}

async function failureOf(
  response: Response,
  headers: Readonly<Record<string, string>>,
  chunks: PushStream<Uint8Array>,
  { failures, limits: { messageBytes } }: Pick<TransportRequest, 'limits'> & { readonly failures: () => HttpFailures },
): Promise<ApiError> {
  if (isRedirect(response)) return failures().redirected(headers['location']);
  const { text, isTooLong } = await readText(chunks, messageBytes);
  const failure = failures().refused({ status: response.status, headers, body: text });
  if (!isTooLong) return failure;
  const what = `${failure.message} The body of the error has more than ${messageBytes} bytes`;
  return exchangeLimitReached(failure.facts, what, { name: 'limits.messageBytes', value: messageBytes });
}

interface RequestEnds {
  /** Our own, so that a timer can end the request too. */
  readonly ends: Cancellation;
  /** The same for `fetch` alone: to wait for a real signal is dear. */
  readonly signal: AbortSignal;
  readonly release: () => void;
}

function endsOf(request: TransportRequest): RequestEnds {
  const ends = new Cancellation();
  const controller = new AbortController();
  onceAborted(ends, (reason) => controller.abort(reason));
  const release = onceAborted(request.signal, (reason) => ends.cancel(reason));
  return { ends, signal: controller.signal, release };
}

async function send(
  request: TransportRequest,
  options: HttpTransportOptions,
  { ends, signal, silence, failures }: Exchange,
): Promise<Response> {
  const { url, method = 'POST' } = request;
  if (ends.aborted) throw abortError(ends);
  const init = {
    method,
    headers: { ...request.headers },
    ...(method === 'POST' && { body: encodeBody(request.body) }),
    signal,
    // A redirect would carry our headers, keys among them, wherever it points.
    redirect: 'manual' as const,
  };
  // Looked up now and called without `this`: browsers refuse a `fetch` that is called as a method (vercel/ai#14134).
  const fetch = options.fetch ?? globalThis.fetch;
  // Also one that gives no promise, or throws at once.
  const answer = new Promise<unknown>((resolve) => {
    resolve(fetch(url, init));
  });
  try {
    silence.begin(options.headersMs, () =>
      ends.cancel(failures().timedOut(`did not answer within ${options.headersMs} ms (timeouts.headersMs)`)),
    );
    const response = await raceAbort(answer, ends);
    silence.end();
    if (!isResponse(response)) throw failures().oddFetch(describe(response));
    return response;
  } catch (error) {
    void discard(answer);
    if (ends.aborted) throw abortError(ends);
    if (ApiError.isInstance(error)) throw error;
    throw failures().unreachable(error);
  }
}

/** Some are made by hand: what is used of them has to be there. */
function isResponse(value: unknown): value is Response {
  if (!isRecord(value) || typeof value['status'] !== 'number') return false;
  const { headers } = value;
  return isRecord(headers) && typeof headers['entries'] === 'function';
}

function describe(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return isRecord(value) ? 'an object that is no Response' : `a ${typeof value}`;
}

/** An answer that comes after the request was given up would keep its connection. */
async function discard(answer: Promise<unknown>): Promise<void> {
  try {
    const late = await answer;
    if (isResponse(late)) cancelBody(late);
  } catch {
    // No answer came.
  }
}

/** Browsers hide where a redirect leads. */
function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || (response.status >= 300 && response.status < 400);
}

interface ErrorText {
  readonly text: string;
  readonly isTooLong: boolean;
}

async function readText(chunks: PushStream<Uint8Array>, messageBytes: number): Promise<ErrorText> {
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
