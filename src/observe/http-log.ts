import type { Observer, ObserverEvent } from './event.js';
import { ignoreErrors } from '../util/error-text.js';
import { excerpt } from '../util/excerpt.js';

/** A line of an HTTP log: a request, its answer, or its failure. */
export interface HttpLogEntry {
  /** `end` is the arrival of the response's head, before its body. An error status is `error`. */
  readonly phase: 'start' | 'end' | 'error';
  /** Milliseconds since the epoch. */
  readonly ts: number;
  /** Milliseconds since the request was sent. */
  readonly dur?: number;
  readonly method: 'POST';
  /** Without secrets. */
  readonly url: string;
  /** The HTTP status; absent if the server did not answer. */
  readonly status?: number;
  /** Credentials are cut to their last four characters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The first 2,000 characters of the request's body, or of the error; if cut, the last one is `…`. */
  readonly body?: string;
}

const PREVIEW_CHARS = 2_000;
const FIRST_ERROR_STATUS = 400;

/**
 * An observer that turns HTTP exchanges with the model server into log entries.
 *
 * @example
 * createResponsesProvider({ onEvent: httpLog((entry) => window.dispatchEvent(new CustomEvent('http', { detail: entry }))) });
 */
export function httpLog(write: (entry: HttpLogEntry) => void, now: () => number = Date.now): Observer {
  return (event) => {
    const entry = entryOf(event);
    if (entry !== undefined) ignoreErrors(() => write({ ts: now(), method: 'POST', ...entry }));
  };
}

function entryOf(event: ObserverEvent): Omit<HttpLogEntry, 'ts' | 'method'> | undefined {
  switch (event.type) {
    case 'request':
      return {
        phase: 'start',
        url: event.url,
        headers: event.headers,
        body: preview(JSON.stringify(event.body)),
      };
    case 'response':
      return {
        phase: event.status >= FIRST_ERROR_STATUS ? 'error' : 'end',
        dur: event.durationMs,
        url: event.url,
        status: event.status,
        headers: event.headers,
      };
    case 'request-error':
      return {
        phase: 'error',
        dur: event.durationMs,
        url: event.url,
        body: preview(event.message),
      };
    default:
      return undefined;
  }
}

function preview(text: string): string {
  return text.length <= PREVIEW_CHARS ? text : excerpt(text, PREVIEW_CHARS - 1);
}
