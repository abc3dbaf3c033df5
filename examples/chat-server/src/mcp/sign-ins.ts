import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileOAuthProvider, fileOAuthProvider } from 'responses-loop/node';
import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';

export interface SignInsOptions {
  /** Where tokens are kept, a file for each address of a server. */
  readonly folder: string;
}

/** How it stands between the person and an MCP server. */
export interface SignInState {
  readonly server: string;
  readonly isSignedIn: boolean;
  /** The page of the service at which somebody has to sign in, and its host. */
  readonly signIn?: { readonly url: string; readonly host: string };
}

interface KnownServer {
  /** Absent for programs, and for servers whose config has an `Authorization` of its own. */
  readonly provider?: FileOAuthProvider;
  pending?: URL | undefined;
}

const CALLBACK = '/oauth/callback';

/** Signs the person in at MCP servers that want it. Tokens stay in files that only this user can read. */
export class SignIns {
  readonly #folder: string;
  readonly #servers = new Map<string, KnownServer>();
  #origin: string | undefined;

  constructor({ folder }: SignInsOptions) {
    this.#folder = folder;
  }

  /** Where browsers come back to. Services take loopback addresses only, so elsewhere nobody can sign in. */
  listenAt(host: string, port: number): void {
    const loopback = {
      '0.0.0.0': '127.0.0.1',
      '::': '[::1]',
      '::1': '[::1]',
      '127.0.0.1': '127.0.0.1',
      localhost: 'localhost',
    };
    const name = Object.hasOwn(loopback, host) ? loopback[host as keyof typeof loopback] : undefined;
    this.#origin = name && `http://${name}:${port}`;
  }

  /** The config with a way to sign in for each server that may want it. */
  addTo(config: McpConfig): McpConfig {
    return Object.fromEntries(
      Object.entries(config).map(([server, entry]) => {
        if (entry['disabled'] === true) return [server, entry];
        const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
        if (typeof url !== 'string' || hasAuthorization(entry)) {
          this.#servers.set(server, {});
          return [server, entry];
        }
        const known: KnownServer = { provider: this.#provider(url, (page) => void (known.pending = page)) };
        this.#servers.set(server, known);
        return [server, { ...entry, authProvider: known.provider }];
      }),
    );
  }

  list(): Promise<SignInState[]> {
    return Promise.all(
      [...this.#servers].map(async ([server, { provider, pending }]) => {
        const tokens = await provider?.tokens();
        const signIn = pending && { url: pending.href, host: pending.host };
        return { server, isSignedIn: tokens !== undefined, ...(signIn !== undefined && { signIn }) };
      }),
    );
  }

  /** The server whose sign-in has this state. Each is answered once. */
  take(state: string): string | undefined {
    for (const [server, known] of this.#servers) {
      if (state === '' || known.pending?.searchParams.get('state') !== state) continue;
      known.pending = undefined;
      return server;
    }
    return undefined;
  }

  /** Whether there was a sign-in to forget. */
  async signOut(server: string): Promise<boolean> {
    const provider = this.#servers.get(server)?.provider;
    if ((await provider?.tokens()) === undefined) return false;
    await provider?.signOut();
    return true;
  }

  /** Made when it is needed: by then the port is known. */
  #provider(url: string, open: (page: URL) => void): FileOAuthProvider {
    const file = join(this.#folder, `${createHash('sha256').update(url).digest('hex').slice(0, 32)}.json`);
    let made: FileOAuthProvider | undefined;
    const inner = (): FileOAuthProvider => {
      if (this.#origin === undefined) throw new Error('somebody has to sign in, which needs --host 127.0.0.1');
      const redirectUrl = `${this.#origin}${CALLBACK}`;
      made ??= fileOAuthProvider(file, { redirectUrl, clientName: 'chat-server', open });
      return made;
    };
    return {
      get redirectUrl() {
        return inner().redirectUrl;
      },
      get clientMetadata() {
        return inner().clientMetadata;
      },
      clientInformation: async () => {
        const [client, tokens] = await Promise.all([inner().clientInformation(), inner().tokens()]);
        // It was registered for another port: a new sign-in needs a new registration, renewed tokens the old one.
        const isOfOtherPort = client !== undefined && isRegisteredElsewhere(client, String(inner().redirectUrl));
        return isOfOtherPort && tokens?.refresh_token === undefined ? undefined : client;
      },
      saveClientInformation: (client) => inner().saveClientInformation?.(client),
      tokens: () => inner().tokens(),
      saveTokens: (tokens) => inner().saveTokens(tokens),
      redirectToAuthorization: (page) => inner().redirectToAuthorization(page),
      saveCodeVerifier: (verifier) => inner().saveCodeVerifier(verifier),
      codeVerifier: () => inner().codeVerifier(),
      saveDiscoveryState: (state) => inner().saveDiscoveryState?.(state),
      discoveryState: () => inner().discoveryState?.(),
      invalidateCredentials: (what) => inner().invalidateCredentials?.(what),
      signOut: () => inner().signOut(),
    };
  }
}

function hasAuthorization({ headers }: McpConfig[string]): boolean {
  const names = typeof headers === 'object' && headers !== null ? Object.keys(headers) : [];
  return names.some((name) => name.toLowerCase() === 'authorization');
}

function isRegisteredElsewhere(client: object, redirectUrl: string): boolean {
  const uris: unknown = Reflect.get(client, 'redirect_uris');
  return Array.isArray(uris) && !uris.includes(redirectUrl);
}
