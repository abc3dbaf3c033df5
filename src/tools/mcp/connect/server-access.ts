import { Redactor } from '../../../observe/redact.js';
import { lazy } from '../../../util/lazy.js';
import { joinedLists, RecentTexts } from '../../../util/recent-texts.js';
import { createAuthGate, type AuthGate, type AuthGateOptions } from '../sdk-gaps/auth-gate.js';
import { McpAccessError } from './access-error.js';
import { CallsUnderWay } from '../call-context.js';
import { secretsOfServer } from '../describe-server.js';
import { followWithinOrigin, redirectError } from '../sdk-gaps/follow-within-origin.js';
import type { FetchLike } from '../sdk-gaps/guard-fetch.js';
import { headersFetch } from './headers-fetch.js';
import { connectionMark } from './client-like.js';
import { limitBodies } from '../sdk-gaps/limit-bodies.js';
import type { LoadModernSdk } from '../modern/load-sdk.js';
import { isClientConfig, isStdioConfig, type McpHttpConfig, type McpServerConfig } from '../server-config.js';

/** The way to a server over HTTP, with its headers and its sign-in; one for all connections to it. */
export interface ServerAccess {
  readonly fetch: FetchLike;
  /** Notes a call, so that its requests can be distinguished from others; absent where nothing is sent by `fetch`. */
  readonly calls?: CallsUnderWay;
  /** What its settings hold in confidence and what was sent of late; the same array until it changes. */
  readonly secrets: () => readonly string[];
  /** Takes all of that out of a text of the server, before it is cut or put into another one. */
  readonly redactor: Redactor;
  /** Why the latest request got nowhere, if that is the app's to mend or a limit: SSE clients lose the error itself. */
  problem(): Error | undefined;
  /** Ends the sign-in that a person was sent to; absent where the settings have no `authProvider`. */
  readonly finishSignIn?: (callbackUrl: string | URL) => Promise<void>;
  /** Changes when trying again early makes sense: a client was connected anew, a sign-in ended. */
  mark(): Promise<unknown>;
}

interface ServerAccessOptions {
  readonly config: McpServerConfig;
  readonly fetch: FetchLike;
  /** Of one answer, or of one event. */
  readonly maxMessageBytes: number;
  readonly now: () => number;
  readonly loadModern?: LoadModernSdk | undefined;
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
  const fetch = limitBodies(followWithinOrigin(options.fetch), { maxBytes: options.maxMessageBytes, onLimit });
  const gate = gateOf(config, { ...options, fetch, keep });
  const send = headersFetch(gate?.fetch ?? fetch, config.headers, { keep, calls });
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
    redactor: Redactor.of(own, () => sent.list()),
    problem: () => problem,
    ...(gate === undefined ? {} : { finishSignIn: (callbackUrl) => gate.finish(callbackUrl) }),
    mark: async () => gate?.token(),
  };
}

function gateOf(
  { url, authProvider }: McpHttpConfig,
  options: Omit<AuthGateOptions, 'serverUrl' | 'provider'>,
): AuthGate | undefined {
  return authProvider && createAuthGate({ ...options, serverUrl: new URL(url), provider: authProvider });
}
