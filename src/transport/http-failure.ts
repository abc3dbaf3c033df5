import { ApiError } from '../errors/api-error.js';
import { redactError } from '../observe/redact-error.js';
import { redactBody, redactHeaders, redactSecrets, redactUrl, secretsOf } from '../observe/redact.js';
import { decodeFailure, toApiError } from '../stream/decode-failure.js';
import { errorText } from '../util/error-text.js';
import { clip } from '../util/excerpt.js';
import { asRecord } from '../util/guards.js';
import type { TransportRequest } from './transport.js';
import { parseJson } from '../util/parse-json.js';

/** Everything that can be said about requests that came to nothing, and nothing that must not be. */
export interface HttpFailures {
  /** The server answered with an error status. */
  refused(answer: Refusal): ApiError;
  /** No answer at all. */
  unreachable(cause: unknown): ApiError;
  timedOut(what: string): ApiError;
  /** The server sent us elsewhere. */
  redirected(location: string | undefined): ApiError;
  /** Response headers that repeat nothing they should not: some proxies echo what they were sent. */
  cleanHeaders(headers: Readonly<Record<string, string>>): Record<string, string>;
}

interface Refusal {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const BODY_PREVIEW = 2000;
const MESSAGE_PREVIEW = 200;

export function describeFailures(request: TransportRequest, configured: () => readonly string[]): HttpFailures {
  const url = redactUrl(request.url);
  // Asked for only when something failed.
  const secrets = (): string[] => [...configured(), ...(request.secrets ?? []), ...secretsOf(request)];
  const clean = (text: string): string => redactSecrets(text, secrets());
  const facts = () => ({ url, round: request.round, requestBody: redactBody(request.body) });
  const cleanHeaders = (headers: Readonly<Record<string, string>>): Record<string, string> => {
    const known = secrets();
    return Object.fromEntries(
      Object.entries(redactHeaders(headers)).map(([name, value]) => [name, redactSecrets(value, known)]),
    );
  };
  return {
    cleanHeaders,
    refused({ status, headers, body }) {
      const text = clean(body);
      const context = {
        ...facts(),
        statusCode: status,
        responseHeaders: cleanHeaders(headers),
        responseBody: clip(text, BODY_PREVIEW),
      };
      return toApiError(explain(text, status, url), context);
    },
    unreachable(cause) {
      const reason = clean(errorText(cause));
      const error = cause instanceof Error ? redactError(cause, secrets()) : new Error(reason);
      return new ApiError({
        ...facts(),
        code: 'connection-failed',
        isRetryable: true,
        cause: error,
        message: `Could not reach ${url}: ${reason}. Check that the server runs and that baseURL is right.`,
      });
    },
    redirected(location) {
      const target = location === undefined ? 'elsewhere' : `to ${clean(redactUrl(location))}`;
      return new ApiError({
        ...facts(),
        isRetryable: false,
        message: `${url} redirects ${target}. Redirects are not followed, since they would carry the key along: set baseURL to where the API is.`,
      });
    },
    timedOut: (what) => new ApiError({ ...facts(), code: 'timeout', isRetryable: true, message: `${url} ${what}.` }),
  };
}

/** What went wrong in the server's words, or in ours where it has none for us (HTML pages, empty bodies). */
function explain(text: string, status: number, url: string): unknown {
  const body = asRecord(parseJson(text));
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
