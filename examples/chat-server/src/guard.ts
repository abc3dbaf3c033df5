import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { hostGuard, isSameText, jsonGuard } from 'responses-loop-example-shared/loopback-guard.js';
import { errorAnswer, HttpError } from './errors.js';

export interface GuardOptions {
  /** The address that is listened on. */
  readonly hostname: string;
  /** Asked for each request: a port of 0 is chosen by the system later. */
  readonly port: () => number;
  readonly allowedHosts: readonly string[];
  readonly token: string;
}

/** `Host` and `Origin` of every request, whatever it asks for. */
export function originGuard({ hostname, port, allowedHosts }: GuardOptions): MiddlewareHandler {
  const guard = hostGuard({ hostname, port, allowedHosts });
  return async (context, next) => {
    // A page on another port is of the same site, so it has our cookie; browsers say where a request comes from.
    const site = context.req.header('sec-fetch-site');
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
    const isNavigation = context.req.header('sec-fetch-mode') === 'navigate' && context.req.method === 'GET';
    if (isForeign && !(isNavigation && !context.req.path.startsWith('/api/'))) {
      return errorAnswer(new HttpError(403, 'bad_origin', 'This server answers no pages of other origins.'));
    }
    return guard(context, next);
  };
}

/** Everything under `/api` but the health check needs the token, as a bearer or in the cookie of the page. */
export function tokenGuard(options: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    if (!req.path.startsWith('/api/') || req.path === '/api/health') return next();
    const [, bearer] = /^bearer +(\S+) *$/i.exec(req.header('authorization') ?? '') ?? [];
    const given = [bearer, getCookie(context, cookieName(options))];
    const isRight = await Promise.all(
      given.map(async (token) => token !== undefined && isSameText(token, options.token)),
    );
    if (isRight.includes(true)) return next();
    const answer = errorAnswer(
      new HttpError(401, 'no_token', 'Open the address that the server printed when it started.'),
    );
    answer.headers.set('www-authenticate', 'Bearer');
    return answer;
  };
}

/** `?token=` in the address of the page becomes a cookie and leaves the address, and with it history and referrers. */
export function tokenRedirect(options: GuardOptions): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    const given = req.query('token');
    if (given === undefined || req.method !== 'GET' || req.path.startsWith('/api/')) return next();
    if (!(await isSameText(given, options.token))) {
      return errorAnswer(
        new HttpError(401, 'no_token', 'This is not the token that the server printed when it started.'),
      );
    }
    setCookie(context, cookieName(options), options.token, { httpOnly: true, sameSite: 'Strict', path: '/' });
    // Never to where two slashes would lead.
    return context.redirect(`/${req.path.replace(/^\/+/, '')}`, 303);
  };
}

/** What goes over the wire is JSON, and says so: a form of another page reaches a server without asking it first. */
export function bodyGuard(): MiddlewareHandler {
  const guard = jsonGuard();
  return async (context, next) => (context.req.path.startsWith('/api/') ? guard(context, next) : next());
}

/** Browsers know ports apart by origin, but not by cookie. */
function cookieName({ port }: GuardOptions): string {
  return `chat_token_${port()}`;
}
