import { type Clean, clean, type CleanText, type CleanValue, withoutStop } from '../core/clean-text.js';
import { ApiError, type ApiErrorOptions } from '../errors/api-error.js';
import { exchangeLimitReached } from '../errors/limit-reached.js';
import type { ObserverEvent } from '../observe/event.js';
import { redactError } from '../observe/redact-error.js';
import { redactBody, redactHeaders, Redactor, redactUrl } from '../observe/redact.js';
import { redactorsOf, type RequestRedactors } from '../observe/redactor.js';
import type { CleanFacts } from '../errors/responses-loop-error.js';
import { decodeFailure, toApiError } from '../stream/decode-failure.js';
import { errorText } from '../util/error-text.js';
import { clip } from '../util/excerpt.js';
import { asRecord } from '../util/guards.js';
import type { TransportRequest } from './transport.js';
import { parseJson } from '../util/json.js';
import { steadyNow } from '../util/timers.js';

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BODY_PREVIEW = 2000;
const MESSAGE_PREVIEW = 200;

type RequestEvent = Extract<ObserverEvent, { type: 'request' }>;

/**
 * Describes a request and its result without secrets. Computed on demand, because only failures and observers need it.
 */
export class ExchangeReport {
  readonly #request: TransportRequest;
  readonly #known: Redactor;
  readonly #startedAt = steadyNow();
  #redactors: RequestRedactors | undefined;
  #cleanUrl: CleanText | undefined;

  constructor(request: TransportRequest, known: Redactor) {
    this.#request = request;
    this.#known = known;
  }

  requestEvent(how: Partial<RequestEvent> = {}): ObserverEvent {
    const { headers, method } = this.#request;
    const content = method === 'GET' ? { method, body: undefined } : { body: this.#cleanBody };
    return { type: 'request', ...this.#place(), headers: this.#cleanHeaders(headers), ...content, ...how };
  }

  responseEvent(status: number, headers: Readonly<Record<string, string>>): ObserverEvent {
    return { type: 'response', ...this.#place(), status, headers: this.#cleanHeaders(headers), ...this.#duration() };
  }

  failureEvent(failure: unknown): ObserverEvent {
    const message = failure instanceof Error ? failure.message : String(failure);
    return { type: 'request-error', ...this.#place(), message, ...this.#duration() };
  }

  /** The request's URL without secrets. */
  get cleanUrl(): CleanText {
    return (this.#cleanUrl ??= this.#ours().text(redactUrl(this.#request.url)));
  }

  get #cleanBody(): CleanValue {
    return this.#ours().value(redactBody(this.#request.body));
  }

  /** Headers without secrets, because some proxies echo request headers. */
  #cleanHeaders(headers: Readonly<Record<string, string>>): Clean<Record<string, string>> {
    return this.#all().value(redactHeaders(headers));
  }

  #place() {
    const { callNumber, round } = this.#request;
    return { callNumber, url: this.cleanUrl, round };
  }

  #duration() {
    return { durationMs: steadyNow() - this.#startedAt };
  }

  /** The server answered with an error status. Its body and headers are cleaned in one pass, before anything is read or cut. */
  refused({ status, headers, body }: Refusal): ApiError {
    const [text, responseHeaders] = this.#all().value([body, redactHeaders(headers)] as const);
    const context = {
      ...this.#facts(),
      // Later code reads only this.
      redactor: Redactor.NONE,
      statusCode: status,
      responseHeaders,
      responseBody: clip(text, BODY_PREVIEW),
    };
    // A body that is not JSON has no members to keep; its replacement text is ours.
    const sent = parseJson(text) ?? null;
    return toApiError(explain(sent, text, context), context, sent);
  }

  /** The server sent no answer. */
  unreachable(cause: unknown): ApiError {
    const redactor = this.#all();
    const reason = redactor.text(errorText(cause));
    return this.#failure({
      code: 'connection-failed',
      isRetryable: true,
      cause: redactError(cause instanceof Error ? cause : new Error(reason), redactor),
      message: clean`Could not reach ${this.cleanUrl}: ${withoutStop(reason)}.`,
    });
  }

  unanswered(headersMs: number): ApiError {
    return this.#timedOut(clean`did not answer within ${headersMs} ms (timeouts.headersMs)`);
  }

  silent(idleMs: number): ApiError {
    return this.#timedOut(clean`sent nothing for ${idleMs} ms (timeouts.idleMs)`);
  }

  /** The server sent more than may wait for a slow reader. */
  flooded(messageBytes: number): ApiError {
    const what = clean`${this.cleanUrl} sent more than ${messageBytes} bytes while the reader had paused`;
    return exchangeLimitReached({ url: this.cleanUrl }, what, { name: 'limits.messageBytes', value: messageBytes });
  }

  #timedOut(what: CleanText): ApiError {
    return this.#failure({ code: 'timeout', isRetryable: true, message: clean`${this.cleanUrl} ${what}.` });
  }

  /** The result of `fetch` cannot be used. */
  oddFetch(what: CleanText): ApiError {
    return this.#failure({
      code: 'connection-failed',
      isRetryable: false,
      message: clean`The fetch in use returned ${what} for ${this.cleanUrl}, and not a Response: check the setting fetch.`,
    });
  }

  /** The server redirected the request. */
  redirected(location: string | undefined): ApiError {
    const target = location === undefined ? 'elsewhere' : clean`to ${this.#all().text(redactUrl(location))}`;
    return this.#failure({
      isRetryable: false,
      message: clean`${this.cleanUrl} redirects ${target}. Redirects are not followed: set baseURL to the address of the API.`,
    });
  }

  #failure(facts: Omit<CleanFacts<ApiErrorOptions>, 'url'>): ApiError {
    return new ApiError({ ...this.#facts(), ...facts });
  }

  #facts() {
    const { url, body, round } = this.#request;
    const [cleanUrl, requestBody] = this.#ours().value([redactUrl(url), redactBody(body)] as const);
    this.#cleanUrl = cleanUrl;
    return { url: cleanUrl, round, requestBody };
  }

  #all(): Redactor {
    return this.#ofRequest().whole;
  }

  /** For our own texts, because body fields with secret-like names would black out the conversation. */
  #ours(): Redactor {
    return this.#ofRequest().withoutBody.long;
  }

  #ofRequest(): RequestRedactors {
    return (this.#redactors ??= redactorsOf(this.#request, this.#known));
  }
}

/** Returns the server's error text, or ours if it sent none (HTML pages, empty bodies). */
function explain(
  sent: unknown,
  text: string,
  { statusCode: status, url }: { readonly statusCode: number; readonly url: string },
): unknown {
  const body = asRecord(sent);
  if (body !== undefined) return status === 404 && isAboutTheRoute(body) ? withHint(body, url) : body;
  const preview = clip(text.trim(), MESSAGE_PREVIEW);
  const said = preview === '' ? 'with an empty body' : `with ${JSON.stringify(preview)}`;
  const hint = status === 404 ? ` ${notFoundHint(url)}` : '';
  return { error: { message: `The server answered HTTP ${status} ${said}.${hint}` } };
}

/** A 404 may also be about a model, a deployment, a response or an item; then the URL was right. */
function isAboutTheRoute(body: Record<string, unknown>): boolean {
  const error = asRecord(body['error']) ?? body;
  const { message, serverCode = '' } = decodeFailure(body);
  return (
    typeof error['param'] !== 'string' &&
    !/model|deployment|response with id|item with id/i.test(`${serverCode} ${message}`)
  );
}

function withHint(body: Record<string, unknown>, url: string): object {
  const { message, serverCode } = decodeFailure(body);
  const said = message.trimEnd();
  const sentence = /[.!?:;…]$/.test(said) ? said : `${said}.`;
  return {
    error: { message: `${sentence} ${notFoundHint(url)}`, ...(serverCode === undefined ? {} : { code: serverCode }) },
  };
}

function notFoundHint(url: string): string {
  return `No Responses API at ${url}: check baseURL, and whether this server supports /responses.`;
}
