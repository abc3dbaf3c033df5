import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { errorText } from '../util/error-text.js';
import { isRecord } from '../util/guards.js';
import { parseJson } from '../util/json.js';

/** Names the owner of the sign-in, and leads the user to the page of the service. */
export interface FileOAuthOptions {
  /** The page to which the browser returns, for example `http://127.0.0.1:8976/callback`. */
  readonly redirectUrl: string | URL;
  /** Sends the user to the page of the service, in a browser. It is called once for each sign-in. */
  readonly open: (page: URL) => void | Promise<void>;
  /** The name that the service shows to the user. @default `'responses-loop'` */
  readonly clientName?: string | undefined;
  /** The requested permissions, separated by spaces. @default those that the server names */
  readonly scope?: string | undefined;
  /** The client, if the service takes no registrations. @default one is registered, and kept in the file */
  readonly client?: OAuthClientInformationMixed | undefined;
}

/** An `authProvider` that keeps tokens in a file. */
export interface FileOAuthProvider extends OAuthClientProvider {
  /** Forgets the tokens and the registration. The next call that needs the server begins a sign-in. */
  signOut(): Promise<void>;
}

/**
 * An `authProvider` for one MCP server and one user that keeps tokens and the registration of the client in a file. The file
 * is written whole, only its owner can read it, and several processes may share it. Code verifiers stay in this process.
 *
 * @param path The file. Keep it outside of folders that tools can read. Missing folders are made, for the owner alone.
 * @throws Error (from its methods) for a file that others can read, or with something else in it
 * @example
 * const authProvider = fileOAuthProvider(join(homedir(), '.config', 'my-app', 'docs.json'), {
 *   redirectUrl: 'http://127.0.0.1:8976/callback',
 *   open: (page) => console.log(`Sign in: ${page}`),
 * });
 * const provider = createResponsesProvider({ mcpServers: { docs: { url: 'https://docs.example.com/mcp', authProvider } } });
 */
export function fileOAuthProvider(path: string, options: FileOAuthOptions): FileOAuthProvider {
  const { redirectUrl, open: openPage, clientName = 'responses-loop', scope, client } = options;
  const file = new SignInFile(path);
  let verifier: string | undefined;
  let discovery: OAuthDiscoveryState | undefined;
  return {
    redirectUrl,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [String(redirectUrl)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on the machine of its user can keep no secret.
      token_endpoint_auth_method: 'none',
      ...(scope !== undefined && { scope }),
    },
    clientInformation: async () => client ?? (await file.read()).client,
    saveClientInformation: async (registered) => {
      if (client === undefined) await file.change((kept) => ({ ...kept, client: registered }));
    },
    tokens: async () => (await file.read()).tokens,
    saveTokens: (tokens) => file.change((kept) => ({ ...kept, tokens })),
    redirectToAuthorization: openPage,
    saveCodeVerifier: (code) => {
      verifier = code;
    },
    codeVerifier: () => {
      if (verifier === undefined) throw new Error('No sign-in began in this process.');
      return verifier;
    },
    saveDiscoveryState: (state) => {
      discovery = state;
    },
    discoveryState: () => discovery,
    invalidateCredentials: async (what) => {
      if (what === 'verifier' || what === 'all') verifier = undefined;
      if (what === 'discovery' || what === 'all') discovery = undefined;
      if (what === 'all') await file.forget('client', 'tokens');
      if (what === 'client' || what === 'tokens') await file.forget(what);
    },
    signOut: () => file.change(() => ({})),
  };
}

interface Kept {
  client?: OAuthClientInformationMixed;
  tokens?: OAuthTokens;
}

const OTHERS = 0o077;

/** Reads the file each time, because another process may have renewed the tokens. */
class SignInFile {
  readonly #path: string;
  #changing: Promise<unknown> = Promise.resolve();
  /** The text that this process knows. */
  #known: string | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  async read(): Promise<Kept> {
    const text = await this.#text();
    this.#known = text;
    if (text === undefined) return {};
    const kept = parseJson(text);
    if (isRecord(kept) && isClient(kept['client']) && isTokens(kept['tokens'])) return kept;
    throw this.#error('it is no sign-in of fileOAuthProvider. Delete it to sign in again');
  }

  /** Changes follow one another. */
  change(to: (kept: Kept) => Kept): Promise<void> {
    const changing = this.#changing.then(async () => this.#write(to(await this.read())));
    this.#changing = changing.catch(() => {});
    return changing;
  }

  /** Takes members out that a service refused. A file that another process has written since is left: it has newer ones. */
  async forget(...names: readonly (keyof Kept)[]): Promise<void> {
    const refused = this.#known;
    await this.change((kept) => {
      if (this.#known !== refused) return kept;
      const left = { ...kept };
      for (const name of names) delete left[name];
      return left;
    });
  }

  async #text(): Promise<string | undefined> {
    const handle = await open(this.#path, 'r').catch((error: unknown) => {
      if (isRecord(error) && error['code'] === 'ENOENT') return undefined;
      throw this.#error(errorText(error));
    });
    if (handle === undefined) return undefined;
    try {
      const { mode } = await handle.stat();
      // Windows has no such modes.
      if (process.platform !== 'win32' && (mode & OTHERS) !== 0)
        throw this.#error('other users can read it. Allow it to its owner alone (chmod 600), or delete it');
      return await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  }

  async #write(kept: Kept): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
    const draft = `${this.#path}.${randomUUID()}.tmp`;
    const text = `${JSON.stringify(kept, undefined, 2)}\n`;
    try {
      await writeFile(draft, text, { mode: 0o600, flag: 'wx' });
      await rename(draft, this.#path);
      this.#known = text;
    } catch (error) {
      await rm(draft, { force: true });
      throw this.#error(errorText(error));
    }
  }

  #error(reason: string): Error {
    return new Error(`The sign-in in ${JSON.stringify(this.#path)} cannot be used: ${reason}.`);
  }
}

function isClient(value: unknown): value is OAuthClientInformationMixed | undefined {
  return value === undefined || (isRecord(value) && typeof value['client_id'] === 'string');
}

function isTokens(value: unknown): value is OAuthTokens | undefined {
  return value === undefined || (isRecord(value) && typeof value['access_token'] === 'string');
}
