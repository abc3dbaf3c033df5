import { createAuthGate, type AuthGate } from './auth-gate.js';
import { McpAccessError } from './access-error.js';
import type { FetchLike } from './guard-fetch.js';
import { headersFetch } from './headers-fetch.js';
import { isClientConfig, isStdioConfig, type McpHttpConfig, type McpServerConfig } from './server-config.js';

/** How many secrets are remembered; tokens that expire come one after another. */
const MAX_SECRETS = 32;

/** The way to a server over HTTP, with its headers and its sign-in; one for all connections to it. */
export interface ServerAccess {
  readonly fetch: FetchLike;
  /** What was sent in confidence and must not turn up in a message. */
  secrets(): readonly string[];
  /** Why the latest request got nowhere, if that is the app's to mend: SSE clients lose the error itself. */
  problem(): McpAccessError | undefined;
  /** Changes when trying again early makes sense: somebody signed in. */
  mark(): Promise<unknown>;
}

export interface ServerAccessOptions {
  readonly config: McpServerConfig;
  readonly fetch: FetchLike;
  readonly now: () => number;
}

export function createServerAccess({ config, fetch, now }: ServerAccessOptions): ServerAccess {
  if (isClientConfig(config) || isStdioConfig(config)) {
    return { fetch, secrets: () => [], problem: () => undefined, mark: async () => undefined };
  }
  const secrets = new Set<string>();
  const keep = (secret: string): void => {
    secrets.delete(secret);
    secrets.add(secret);
    const [oldest] = secrets;
    if (secrets.size > MAX_SECRETS && oldest !== undefined) secrets.delete(oldest);
  };
  const gate = gateOf(config, fetch, now, keep);
  const send = headersFetch(gate?.fetch ?? fetch, config.headers, keep);
  let problem: McpAccessError | undefined;
  return {
    fetch: async (url, init) => {
      try {
        const response = await send(url, init);
        problem = undefined;
        return response;
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
