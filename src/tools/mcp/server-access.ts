import { createAuthGate, type AuthGate } from './auth-gate.js';
import { McpAccessError } from './access-error.js';
import { followWithinOrigin, redirectError } from './follow-within-origin.js';
import type { FetchLike } from './guard-fetch.js';
import { headersFetch } from './headers-fetch.js';
import { limitBodies } from './limit-bodies.js';
import { isClientConfig, isStdioConfig, type McpHttpConfig, type McpServerConfig } from './server-config.js';

/** How many secrets are remembered; tokens that expire come one after another. */
const MAX_SECRETS = 32;

/** The way to a server over HTTP, with its headers and its sign-in; one for all connections to it. */
export interface ServerAccess {
  readonly fetch: FetchLike;
  /** What was sent in confidence and must not turn up in a message. */
  secrets(): readonly string[];
  /** Why the latest request got nowhere, if that is the app's to mend or a limit: SSE clients lose the error itself. */
  problem(): Error | undefined;
  /** Changes when trying again early makes sense: somebody signed in. */
  mark(): Promise<unknown>;
}

export interface ServerAccessOptions {
  readonly config: McpServerConfig;
  readonly fetch: FetchLike;
  /** Of one answer, or of one event. */
  readonly maxMessageBytes: number;
  readonly now: () => number;
}

export function createServerAccess(options: ServerAccessOptions): ServerAccess {
  const { config, now } = options;
  if (isClientConfig(config) || isStdioConfig(config)) {
    return { fetch: options.fetch, secrets: () => [], problem: () => undefined, mark: async () => undefined };
  }
  const secrets = new Set<string>();
  const keep = (secret: string): void => {
    secrets.delete(secret);
    secrets.add(secret);
    const [oldest] = secrets;
    if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest);
  };
  let problem: Error | undefined;
  const onLimit = (error: Error): void => {
    problem = error;
  };
  const fetch = limitBodies(followWithinOrigin(options.fetch), { maxBytes: options.maxMessageBytes, onLimit });
  const gate = gateOf(config, fetch, now, keep);
  const send = headersFetch(gate?.fetch ?? fetch, config.headers, keep);
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
    secrets: () => [...secrets],
    problem: () => problem,
    mark: async () => gate?.token(),
  };
}

function gateOf(
  { url, authProvider }: McpHttpConfig,
  fetch: FetchLike,
  now: () => number,
  keep: (secret: string) => void,
): AuthGate | undefined {
  return authProvider === undefined
    ? undefined
    : createAuthGate({ serverUrl: new URL(url), provider: authProvider, fetch, now, keep });
}
