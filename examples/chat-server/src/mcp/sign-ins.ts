import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type FileOAuthProvider, fileOAuthProvider } from 'responses-loop/node';
import type { McpConfig } from 'responses-loop-example-shared/mcp-config.js';
import { clientOf, type GivenClient } from './given-client.js';
import { revokeTokens } from './revoke-tokens.js';
import { ServiceFile } from './service-file.js';

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
  /** The service registers nobody by itself. A person has to do that there, with this address to come back to. */
  readonly registerWith?: string;
}

/** `problem`: why the service may still know the tokens. */
export type SignOutOutcome =
  | { readonly isSignedOut: false }
  | { readonly isSignedOut: true; readonly problem: string | undefined };

interface KnownServer {
  /** Absent for programs, and for servers whose config has an `Authorization` of its own. */
  readonly provider?: FileOAuthProvider;
  readonly service?: ServiceFile;
  /** Of the config. */
  readonly client?: GivenClient | undefined;
  pending?: URL | undefined;
  /** A sign-in began without a client, and did not get to its page. */
  lacksClient?: boolean;
}

interface Place extends Pick<KnownServer, 'client'> {
  readonly file: string;
  readonly service: ServiceFile;
  /** How the sign-in stands. */
  readonly known: () => KnownServer;
}

const CALLBACK = '/oauth/callback';

const NO_WAY_BACK =
  'This server needs a sign-in, but a browser cannot return to this address. Start the server with --host 127.0.0.1 to sign in.';

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
        const { oauth: _oauth, ...others } = entry;
        const url = entry['url'] ?? entry['serverUrl'] ?? entry['httpUrl'];
        if (typeof url !== 'string' || hasAuthorization(entry)) {
          this.#servers.set(server, {});
          return [server, others];
        }
        const known = this.#know(url, clientOf(server, entry));
        this.#servers.set(server, known);
        return [server, { ...others, authProvider: known.provider }];
      }),
    );
  }

  list(): Promise<SignInState[]> {
    return Promise.all(
      [...this.#servers].map(async ([server, { provider, pending, lacksClient }]) => {
        const isSignedIn = (await provider?.tokens()) !== undefined;
        if (pending !== undefined) return { server, isSignedIn, signIn: { url: pending.href, host: pending.host } };
        const mayGive = lacksClient === true && !isSignedIn;
        return { server, isSignedIn, ...(mayGive && { registerWith: String(provider?.redirectUrl) }) };
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

  /** The tokens are forgotten here in any case. */
  async signOut(server: string): Promise<SignOutOutcome> {
    const { provider, service, client: ofConfig } = this.#servers.get(server) ?? {};
    const tokens = await provider?.tokens();
    if (provider === undefined || tokens === undefined) return { isSignedOut: false };
    const [client, known] = await Promise.all([provider.clientInformation(), service?.read()]);
    await provider.signOut();
    await service?.forget();
    // What a person entered is not asked for again.
    if (client !== undefined && ofConfig === undefined && isGiven(client))
      await provider.saveClientInformation?.(client);
    const problem = known && (await revokeTokens({ service: known, tokens, client }));
    return { isSignedOut: true, problem };
  }

  /** Keeps what a person registered at the service. Returns whether this server waits for it. */
  async giveClient(server: string, client: GivenClient): Promise<boolean> {
    const known = this.#servers.get(server);
    if (known?.provider === undefined || known.lacksClient !== true) return false;
    await known.provider.saveClientInformation?.(client);
    known.lacksClient = false;
    return true;
  }

  #know(url: string, client: GivenClient | undefined): KnownServer {
    const file = join(this.#folder, createHash('sha256').update(url).digest('hex').slice(0, 32));
    const service = new ServiceFile(`${file}.service.json`);
    const place: Place = { file: `${file}.json`, service, client, known: () => known };
    const known: KnownServer = { provider: this.#provider(place), service, client };
    return known;
  }

  /** Made when it is needed: by then the port is known. */
  #provider({ file, service, client: ofConfig, known }: Place): FileOAuthProvider {
    let made: FileOAuthProvider | undefined;
    const open = (page: URL): void => void Object.assign(known(), { pending: page, lacksClient: false });
    const inner = (): FileOAuthProvider => {
      if (this.#origin === undefined) throw new Error(NO_WAY_BACK);
      const redirectUrl = `${this.#origin}${CALLBACK}`;
      made ??= fileOAuthProvider(file, { redirectUrl, clientName: 'chat-server', client: ofConfig, open });
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
        if (this.#origin === undefined) return undefined;
        const [client, tokens] = await Promise.all([inner().clientInformation(), inner().tokens()]);
        // It was registered for another port: a new sign-in needs a new registration, renewed tokens the old one.
        const isOfOtherPort = client !== undefined && isRegisteredElsewhere(client, String(inner().redirectUrl));
        const usable = isOfOtherPort && tokens?.refresh_token === undefined ? undefined : client;
        known().lacksClient = usable === undefined;
        return usable;
      },
      saveClientInformation: (client) => inner().saveClientInformation?.(client),
      // Asked for before each request, also to a server that wants nobody to sign in.
      tokens: () => (this.#origin === undefined ? undefined : inner().tokens()),
      saveTokens: async (tokens) => {
        await inner().saveTokens(tokens);
        const discovered = await inner().discoveryState?.();
        if (discovered !== undefined) await service.keep(discovered.authorizationServerMetadata);
      },
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

/** A registration names the addresses that it is for. */
function isGiven(client: object): boolean {
  return !('redirect_uris' in client);
}
