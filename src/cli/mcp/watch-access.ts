import { isTellingHeader } from '../../observe/secret-names.js';

/** How a server treats the user's credentials. */
export interface SignIn {
  readonly state: 'no process wants one' | 'not needed' | 'signed in' | 'needed' | 'refused' | 'unknown';
  /** What the user can do about it. */
  readonly how?: string;
}

const TOKEN_IN_HEADERS = 'put a token into its "headers": { "Authorization": "Bearer ${TOKEN}" }';

/** A `fetch` that remembers the server's demands for a sign-in, and the agreed revision. */
export class AccessWatch {
  #hasCredentials = false;
  #challenge: { readonly status: number; readonly text: string } | undefined;
  revision: string | undefined;

  readonly fetch = async (url: string | URL, init?: RequestInit): Promise<Response> => {
    const headers = new Headers(init?.headers);
    this.#hasCredentials ||= [...headers.keys()].some((name) => isTellingHeader(name) && name !== 'mcp-session-id');
    this.revision = headers.get('mcp-protocol-version') ?? this.revision;
    const response = await globalThis.fetch(url, init);
    if (response.status === 401 || response.status === 403)
      this.#challenge = { status: response.status, text: response.headers.get('www-authenticate') ?? '' };
    return response;
  };

  signIn(isConnected: boolean): SignIn {
    if (isConnected) return { state: this.#hasCredentials ? 'signed in' : 'not needed' };
    if (this.#challenge === undefined) return { state: 'unknown' };
    const { status, text } = this.#challenge;
    if (this.#hasCredentials)
      return { state: 'refused', how: `The server answered ${status} to the credentials of the entry: renew them.` };
    const metadata = /resource_metadata="?([^"\s,]+)/.exec(text)?.[1];
    const oauth = `it signs people in with OAuth (${metadata}): here, use --sign-in, or ${TOKEN_IN_HEADERS}; in a program, give the entry an \`authProvider\` and end the sign-in with \`provider.finishSignIn()\``;
    const how = metadata === undefined ? `${TOKEN_IN_HEADERS}, or whatever header it takes` : oauth;
    return { state: 'needed', how: `The server answered ${status}: ${how}.` };
  }
}
