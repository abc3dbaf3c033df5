import type { HonoRequest, MiddlewareHandler } from 'hono';
import { bearsToken, hostGuard, jsonGuard } from 'responses-loop-example-shared/loopback-guard.js';
import { errorAnswer, HttpError } from './errors.js';

export interface GuardOptions {
  /** The address that is listened on. */
  readonly hostname: string;
  /** Asked for each request: a port of 0 is chosen by the system later. */
  readonly port: () => number;
  readonly allowedHosts: readonly string[];
  readonly token: string;
  /** Called for each request that has the token. */
  readonly onEntered?: (() => void) | undefined;
}

/** `Host` and `Origin` of every request, whatever it asks for. */
export function originGuard({ hostname, port, allowedHosts }: GuardOptions): MiddlewareHandler {
  const guard = hostGuard({ hostname, port, allowedHosts });
  return async (context, next) => {
    // A page of another port or site has no business with the API; browsers say where a request comes from.
    const site = context.req.header('sec-fetch-site');
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
    const isNavigation = context.req.header('sec-fetch-mode') === 'navigate' && context.req.method === 'GET';
    if (isForeign && !(isNavigation && !context.req.path.startsWith('/api/'))) {
      return errorAnswer(new HttpError(403, 'bad_origin', 'This server refuses pages of other origins.'));
    }
    return guard(context, next);
  };
}

/** Everything under `/api` but the health check needs the token, in the header that only our own page and programs set. */
export function tokenGuard({ token, onEntered }: GuardOptions): MiddlewareHandler {
  return async ({ req }, next) => {
    if (!req.path.startsWith('/api/') || req.path === '/api/health') return next();
    if (await bearsToken(req.raw, token)) {
      onEntered?.();
      return next();
    }
    const answer = errorAnswer(new HttpError(401, 'no_token', refusalFor(req)));
    answer.headers.set('www-authenticate', 'Bearer');
    return answer;
  };
}

function refusalFor(req: HonoRequest): string {
  const what =
    'Open the address that the server printed when it started, or send its token as "Authorization: Bearer …".';
  if (req.query('token') !== undefined) return `A token in the query opens nothing. ${what}`;
  return /(^|;\s*)chat_token_/.test(req.header('cookie') ?? '') ? `A token in a cookie opens nothing. ${what}` : what;
}

/** What goes over the wire is JSON, and says so: a form of another page reaches a server without asking it first. */
export function bodyGuard(): MiddlewareHandler {
  const guard = jsonGuard();
  return async (context, next) => (context.req.path.startsWith('/api/') ? guard(context, next) : next());
}
