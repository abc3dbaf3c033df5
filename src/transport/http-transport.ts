import { ApiError } from '../errors/api-error.js';
import { notify } from '../observe/notify.js';
import type { Observer } from '../observe/event.js';
import { redactBody, redactHeaders, redactSecrets, redactUrl } from '../observe/redact.js';
import { toApiError } from '../stream/decode-failure.js';
import { abortError, followAbort, raceAbort } from '../util/abort.js';
import { withTimeout } from '../util/timeout.js';
import { bodyChunks } from './body-chunks.js';
import type { Transport, TransportRequest, TransportResponse } from './transport.js';

export interface HttpTransportOptions {
  /** Every request goes through it; called without `this`. Default: the platform's `fetch` at the time of the call. */
  readonly fetch?: typeof globalThis.fetch;
  /** Longest wait for the response headers, in milliseconds; 0 is for ever. */
  readonly headersMs: number;
  /** Longest silence inside a body, in milliseconds; 0 is for ever. */
  readonly idleMs: number;
  readonly observer?: Observer;
  /** Texts that must never appear in an error. */
  readonly secrets: () => readonly string[];
}

const BODY_PREVIEW = 2000;

export function createHttpTransport(options: HttpTransportOptions): Transport {
  return { open: (request) => open(request, options) };
}

async function open(request: TransportRequest, options: HttpTransportOptions): Promise<TransportResponse> {
  const url = redactUrl(request.url);
  const started = Date.now();
  notify(options.observer, () => ({
    type: 'request',
    url,
    round: request.round,
    headers: redactHeaders(request.headers),
    body: redactBody(request.body),
  }));
  // Our own controller, so that a timer can end the request too.
  const { controller, release } = followAbort(request.signal);
  let response: Response;
  try {
    response = await send(request, options, controller);
  } catch (error) {
    release();
    controller.abort();
    if (request.signal.aborted) throw abortError(request.signal);
    throw error;
  }
  const headers = Object.fromEntries(response.headers.entries());
  const durationMs = Date.now() - started;
  notify(options.observer, () => ({
    type: 'response',
    url,
    round: request.round,
    status: response.status,
    headers: redactHeaders(headers),
    durationMs,
  }));
  const chunks = bodyChunks(response, {
    signal: controller.signal,
    idleMs: options.idleMs,
    onIdle: () => timeoutError(request, `sent nothing for ${options.idleMs} ms (timeouts.idleMs)`),
  });
  if (!response.ok) {
    try {
      throw await failureOf(request, options, response.status, headers, chunks);
    } finally {
      release();
    }
  }
  return { status: response.status, headers, chunks: releasing(chunks, release) };
}

async function send(request: TransportRequest, options: HttpTransportOptions, controller: AbortController): Promise<Response> {
  const fetch = options.fetch ?? globalThis.fetch;
  if (request.signal.aborted) throw abortError(request.signal);
  const sent = Promise.resolve(
    // Comma operator free call: browsers refuse a `fetch` that is called as a method (vercel/ai#14134).
    fetch(request.url, {
      method: 'POST',
      headers: { ...request.headers },
      body: JSON.stringify(request.body),
      signal: controller.signal,
    }),
  );
  const onTimeout = (): Error => timeoutError(request, `did not answer within ${options.headersMs} ms (timeouts.headersMs)`);
  try {
    return await withTimeout(raceAbort(sent, request.signal), options.headersMs, onTimeout);
  } catch (error) {
    if (request.signal.aborted || ApiError.isInstance(error)) throw error;
    throw unreachable(request, options, error);
  }
}

/** Releases the abort listener once the body is over, whichever way. */
async function* releasing(chunks: AsyncIterable<Uint8Array>, release: () => void): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } finally {
    release();
  }
}

async function failureOf(
  request: TransportRequest,
  options: HttpTransportOptions,
  status: number,
  headers: Readonly<Record<string, string>>,
  chunks: AsyncIterable<Uint8Array>,
): Promise<ApiError> {
  const text = redactSecrets(await readText(chunks), options.secrets());
  const context = {
    url: redactUrl(request.url),
    statusCode: status,
    responseHeaders: redactHeaders(headers),
    responseBody: text.slice(0, BODY_PREVIEW),
    requestBody: redactBody(request.body),
    round: request.round,
  };
  return toApiError(bodyOrHint(text, status, context.url), context);
}

/** What went wrong in the server's words, or in ours where it has none for us (HTML pages, empty bodies). */
function bodyOrHint(text: string, status: number, url: string): unknown {
  const preview = text.trim().slice(0, 200);
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null) return status === 404 ? withHint(body, url) : body;
  } catch {
    // Not JSON: said below.
  }
  const said = preview === '' ? 'with an empty body' : `with ${JSON.stringify(preview)}`;
  const hint = status === 404 ? ` ${notFoundHint(url)}` : '';
  return { error: { message: `The server answered HTTP ${status} ${said}.${hint}` } };
}

function withHint(body: object, url: string): object {
  return 'error' in body || 'message' in body || 'detail' in body ? body : { error: { message: `Not found. ${notFoundHint(url)}` } };
}

function notFoundHint(url: string): string {
  return `There is no Responses API at ${url}: check baseURL, and whether this server offers /responses at all.`;
}

async function readText(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of chunks) text += decoder.decode(chunk, { stream: true });
  } catch {
    // Half an error message is better than none.
  }
  return text + decoder.decode();
}

function unreachable(request: TransportRequest, options: HttpTransportOptions, cause: unknown): ApiError {
  const url = redactUrl(request.url);
  return new ApiError({
    code: 'connection-failed',
    url,
    isRetryable: true,
    requestBody: redactBody(request.body),
    round: request.round,
    cause,
    message: redactSecrets(`Could not reach ${url}: ${reasonOf(cause)}. Check that the server runs and that baseURL is right.`, options.secrets()),
  });
}

/** Node hides the reason in `cause`: "fetch failed" alone helps nobody. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.cause.message !== '' ? `${error.message} (${error.cause.message})` : error.message;
}

function timeoutError(request: TransportRequest, what: string): ApiError {
  const url = redactUrl(request.url);
  return new ApiError({ code: 'timeout', url, isRetryable: true, round: request.round, message: `${url} ${what}.` });
}
