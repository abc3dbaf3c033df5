import { redactUrl } from '../../../observe/redact.js';
import { ignoreErrors } from '../../../util/error-text.js';
import { McpAccessError } from '../failure.js';
import type { FetchLike } from './guard-fetch.js';

const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
/** These statuses repeat the request at another place; others turn it into a GET and lose its body. */
const KEEP_METHOD: ReadonlySet<number> = new Set([307, 308]);

/**
 * Follows redirects within the origin of a request only: `fetch` would carry headers such as `X-Api-Key` to any host,
 * as the MCP SDK before 1.32 did. Returns any other redirect as it is.
 */
export function followWithinOrigin(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    let place = new URL(url);
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(followed === 0 ? url : place, { ...init, redirect: 'manual' });
      // The app's own `fetch` may follow redirects: the headers are sent by then, but the answer is not used.
      if (response.redirected && leavesOrigin(response, place)) throw elsewhere(new URL(response.url));
      const target = redirectTarget(response, place);
      const mayFollow = target !== undefined && isSameOrigin(target, place) && keepsRequest(response.status, init);
      if (!mayFollow || followed === MAX_REDIRECTS) return response;
      ignoreErrors(() => response.body?.cancel());
      place = target;
    }
  };
}

/** Returns why a redirect cannot be used as an answer. */
export function redirectError(response: Response, url: string | URL): McpAccessError | undefined {
  // Browsers hide the target of a redirect.
  if (response.type === 'opaqueredirect') return new McpAccessError('it redirects elsewhere', FIX);
  const target = redirectTarget(response, new URL(url));
  return target === undefined ? undefined : elsewhere(target);
}

const FIX = 'Redirects that leave the origin or change the request are not followed: set `url` to where the server is.';

function elsewhere(target: URL): McpAccessError {
  return new McpAccessError(`it redirects to ${redactUrl(target.href)}`, FIX);
}

function redirectTarget({ status, headers }: Response, from: URL): URL | undefined {
  const location = REDIRECTS.has(status) ? headers.get('location') : null;
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

function leavesOrigin({ url }: Response, from: URL): boolean {
  return URL.canParse(url) && new URL(url).origin !== from.origin;
}

/** User info in an address is a credential of its author. */
function isSameOrigin(to: URL, from: URL): boolean {
  return to.origin === from.origin && to.username === '' && to.password === '';
}

function keepsRequest(status: number, init: RequestInit | undefined): boolean {
  return KEEP_METHOD.has(status) || (init?.method ?? 'GET').toUpperCase() === 'GET';
}
