import { ApiError } from '../errors/api-error.js';
import { redactError } from '../observe/redact-error.js';
import { redactBody, redactHeaders, type Redactor, redactUrl } from '../observe/redact.js';
import { redactorsOf } from '../observe/redactor.js';
import { decodeFailure, toApiError } from '../stream/decode-failure.js';
import { errorText } from '../util/error-text.js';
import { clip } from '../util/excerpt.js';
import { asRecord } from '../util/guards.js';
import type { TransportRequest } from './transport.js';
import { lazy } from '../util/lazy.js';
import { parseJson } from '../util/json.js';

/** Everything that can be said about requests that came to nothing, and nothing that must not be. */
export interface HttpFailures {
  /** The server answered with an error status. */
  refused(answer: Refusal): ApiError;
  /** No answer at all. */
  unreachable(cause: unknown): ApiError;
  timedOut(what: string): ApiError;
  /** What `fetch` gave is of no use. */
  oddFetch(what: string): ApiError;
  /** The server sent us elsewhere. */
  redirected(location: string | undefined): ApiError;
  /** Response headers that repeat nothing they should not: some proxies echo what they were sent. */
  cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string>;
  /** The request's own URL and body, as they may be shown. */
  readonly cleanUrl: string;
  readonly cleanBody: unknown;
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BODY_PREVIEW = 2000;
const MESSAGE_PREVIEW = 200;

export function describeFailures(request: TransportRequest, known: Redactor): HttpFailures {
  // All of it is asked for only when something failed or somebody listens; what the request holds stays the same.
  const redactors = lazy(() => redactorsOf(request, known));
  // Fields of the body that merely sound like secrets would tear the conversation apart.
  const ours = (): Redactor => redactors().withoutBody.long;
  const clean = (text: string): string => redactors().whole.text(text);
  const cleanUrl = lazy(() => ours().text(redactUrl(request.url)));
  const cleanBody = (): unknown => ours().value(redactBody(request.body));
  const facts = () => ({ url: cleanUrl(), round: request.round, requestBody: cleanBody() });
  const cleanHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> =>
    redactors().whole.value(redactHeaders(headers));
  return {
    cleanHeaders,
    get cleanUrl() {
      return cleanUrl();
    },
    get cleanBody() {
      return cleanBody();
    },
    refused({ status, headers, body }) {
      const text = clean(body);
      const context = {
        ...facts(),
        clean,
        statusCode: status,
        responseHeaders: cleanHeaders(headers),
        responseBody: clip(text, BODY_PREVIEW),
      };
      // A body that is no JSON has no members to keep; what we say of it is not the server's.
      const sent = parseJson(text) ?? null;
      return toApiError(explain(sent, text, context), context, sent);
    },
    unreachable(cause) {
      const reason = clean(errorText(cause));
      const error = cause instanceof Error ? redactError(cause, redactors().whole) : new Error(reason);
      return new ApiError({
        ...facts(),
        code: 'connection-failed',
        isRetryable: true,
        cause: error,
        message: `Could not reach ${cleanUrl()}: ${reason.replace(/\.$/, '')}. Check that the server runs and that baseURL is right.`,
      });
    },
    redirected(location) {
      const target = location === undefined ? 'elsewhere' : `to ${clean(redactUrl(location))}`;
      return new ApiError({
        ...facts(),
        isRetryable: false,
        message: `${cleanUrl()} redirects ${target}. Redirects are not followed, since they would carry the key along: set baseURL to where the API is.`,
      });
    },
    oddFetch: (what) => new ApiError({ ...facts(), ...oddFetch(what, cleanUrl()) }),
    timedOut: (what) =>
      new ApiError({ ...facts(), code: 'timeout', isRetryable: true, message: `${cleanUrl()} ${what}.` }),
  };
}

function oddFetch(what: string, url: string) {
  return {
    code: 'connection-failed' as const,
    isRetryable: false,
    message: `The fetch in use gave ${what} for ${url}. It has to give a Response as the platform's own does: check the setting fetch.`,
  };
}

/** What went wrong in the server's words, or in ours where it has none for us (HTML pages, empty bodies). */
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
  return `There is no Responses API at ${url}: check baseURL, and whether this server offers /responses at all.`;
}
