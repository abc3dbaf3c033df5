import { isHarmlessHeader, Redactor } from '../../../observe/redact.js';
import { isTextRecord } from '../../../util/check.js';
import { defined } from '../../../util/defined.js';
import { lazy } from '../../../util/lazy.js';
import { joinedLists, RecentTexts } from '../../../util/recent-texts.js';
import { AuthGate, type AuthGateOptions } from '../sdk-gaps/auth-gate.js';
import { askApp, CallsUnderWay } from '../call-context.js';
import { secretsOfServer } from '../describe-server.js';
import { followWithinOrigin, redirectError } from '../sdk-gaps/follow-within-origin.js';
import { McpAccessError } from '../failure.js';
import type { FetchLike } from '../sdk-gaps/guard-fetch.js';
import { connectionMark } from './client-like.js';
import { limitBodies } from '../sdk-gaps/limit-bodies.js';
import {
  isClientConfig,
  isStdioConfig,
  type McpCallContext,
  type McpHeaders,
  type McpHeaderValues,
  type McpLimits,
  type McpServerConfig,
} from '../server-config.js';

/** Reaches a server over HTTP, with its headers and its sign-in; shared by all connections to it. */
export interface ServerAccess {
  readonly fetch: FetchLike;
  /** Registers a call, so that its requests can be matched; absent if nothing is sent by `fetch`. */
  readonly calls?: CallsUnderWay;
  /** Returns the secrets of the settings and of recent requests; the same array until they change. */
  readonly secrets: () => readonly string[];
  /** Removes these secrets from a text of the server, before the text is cut or embedded. */
  readonly redactor: Redactor;
  /**
   * Returns why the latest request failed, if the app has to fix it or a limit ended it: SSE clients lose the error.
   */
  problem(): Error | undefined;
  /** Completes a sign-in; absent if the settings have no `authProvider`. */
  readonly finishSignIn?: (callbackUrl: string | URL) => Promise<void>;
  /** Returns a value that changes if an early retry makes sense: a reconnected client, a completed sign-in. */
  mark(): Promise<unknown>;
}

interface ServerAccessOptions extends Pick<AuthGateOptions, 'fetch' | 'now' | 'loadModern'> {
  readonly config: McpServerConfig;
  readonly limits: Pick<McpLimits, 'messageBytes'>;
}

export function createServerAccess(options: ServerAccessOptions): ServerAccess {
  const { config, now } = options;
  const own = lazy(() => secretsOfServer(config));
  if (isClientConfig(config) || isStdioConfig(config)) {
    const { fetch } = options;
    const mark = async (): Promise<unknown> => (isClientConfig(config) ? connectionMark(config.client) : undefined);
    return { fetch, secrets: own, redactor: Redactor.of(own), problem: () => undefined, mark };
  }
  const calls = new CallsUnderWay();
  const sent = new RecentTexts(now);
  const keep = (secret: string): void => sent.add(secret);
  let problem: Error | undefined;
  const onLimit = (error: Error): void => {
    problem = error;
  };
  const fetch = limitBodies(followWithinOrigin(options.fetch), { maxBytes: options.limits.messageBytes, onLimit });
  const { url: serverUrl, authProvider: provider, headers } = config;
  const redactor = Redactor.of(own, () => sent.list());
  const gate = provider && new AuthGate({ ...options, fetch, keep, redactor, serverUrl: new URL(serverUrl), provider });
  const send = headersFetch(gate ? (url, init) => gate.fetch(url, init) : fetch, headers, calls, keep);
  return {
    fetch: async (url, init) => {
      try {
        const response = await send(url, init);
        problem = redirectError(response, url);
        if (problem === undefined) return response;
        await response.body?.cancel();
        throw problem;
      } catch (error) {
        problem = error instanceof McpAccessError ? error : undefined;
        throw error;
      }
    },
    calls,
    secrets: joinedLists([own, () => sent.list()]),
    redactor,
    problem: () => problem,
    ...defined({ finishSignIn: gate && ((callbackUrl: string | URL) => gate.finish(callbackUrl)) }),
    mark: async () => gate?.token(),
  };
}

/** Adds the headers of the settings to every request, with their values at that moment. */
function headersFetch(
  fetch: FetchLike,
  headers: McpHeaders | undefined,
  calls: CallsUnderWay,
  keepSecret: (secret: string) => void,
): FetchLike {
  if (headers === undefined) return fetch;
  return async (url, init) => {
    const merged = new Headers(init?.headers);
    const isAsked = typeof headers === 'function';
    const call = isAsked ? calls.of(init) : undefined;
    const values = isAsked ? await ask(headers, call) : headers;
    // The app's function may have taken too long: an aborted call is not sent.
    call?.signal.throwIfAborted();
    for (const [name, value] of Object.entries(values)) {
      setHeader(merged, name, value);
      // `describe-server.ts` knows which fixed headers are secrets.
      if (!isAsked || isHarmlessHeader(name)) continue;
      keepSecret(value);
      // In `Bearer …`, the text after the scheme is a secret too.
      keepSecret(value.replace(/^\w+\s+/, ''));
    }
    return fetch(url, { ...init, headers: merged });
  };
}

const FIX = 'Check the function: it must return an object of header values, or a promise of one.';

async function ask(
  headers: Exclude<McpHeaders, McpHeaderValues>,
  call: McpCallContext | undefined,
): Promise<McpHeaderValues> {
  const fail = (why: string): Error => new McpAccessError(`its \`headers\` function ${why}`, FIX);
  const values = await askApp(() => headers(call), fail);
  if (!isTextRecord(values)) throw fail('returned something that is not an object of strings');
  return values;
}

/** The platform's own error repeats the value. */
function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new McpAccessError(`the header ${JSON.stringify(name)} has a name or a value that HTTP forbids`, FIX);
  }
}
