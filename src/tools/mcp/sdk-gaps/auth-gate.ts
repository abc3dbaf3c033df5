import { clean } from '../../../core/clean-text.js';
import type { Redactor } from '../../../observe/redactor.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { secretsOf } from '../../../observe/redact.js';
import { raceAbort } from '../../../util/abort.js';
import { defined } from '../../../util/defined.js';
import { excerpt } from '../../../util/excerpt.js';
import { errorText } from '../../../util/error-text.js';
import { McpAccessError } from '../failure.js';
import type { FetchLike } from './guard-fetch.js';
import type { LoadModernSdk } from '../modern/load-sdk.js';
import { refused as signInRefused, SignIn, type Challenge, type Ending } from '../connect/sign-in.js';

/** How long a pending sign-in blocks a new one. */
const SIGN_IN_MS = 600_000;
/** Requests for more permissions, until it is clear that asking does not help. */
const MOST_STEP_UPS = 2;

const SIGN_IN =
  'A person must sign in at the URL that was passed to `authProvider.redirectToAuthorization`. Then pass the URL to which the browser returned to `provider.finishSignIn(server, url)`.';
const CHECK_PROVIDER = 'Check `authProvider` and the sign-in service of the server.';
/** A form is encoded like the query of a URL. */
const FORM_URL = 'https://localhost/?';

export interface AuthGateOptions {
  readonly serverUrl: URL;
  readonly provider: OAuthClientProvider;
  readonly fetch: FetchLike;
  readonly now: () => number;
  readonly keep: (secret: string) => void;
  readonly redactor: Redactor;
  /**
   * Loads the SDK for revision 2026-07-28, which signs in if installed: it also checks the origin of metadata and
   * tokens.
   */
  readonly loadModern?: LoadModernSdk | undefined;
}

interface Waiting {
  /** The token during a sign-in: the refused one, or `undefined` if the SDK had the provider forget it. */
  readonly token: string | undefined;
  readonly until: number;
}

/**
 * Sends the token of an OAuth provider and renews it once for all requests that the server refused meanwhile. The MCP
 * SDK's transports renew per request. All but one of several parallel calls then fail if refresh tokens are valid once,
 * and a second 401 fails calls that only had the old token (seen with 1.32).
 */
export class AuthGate {
  readonly #options: AuthGateOptions;
  readonly #signIn: SignIn;
  /** How often the server recently missed the same permissions. */
  readonly #stepUps = new Map<string, { times: number; readonly until: number }>();
  #renewing: Promise<void> | undefined;
  #waiting: Waiting | undefined;

  constructor(options: AuthGateOptions) {
    this.#options = options;
    this.#signIn = new SignIn(options.provider);
  }

  async fetch(url: string | URL, init?: RequestInit): Promise<Response> {
    const { fetch } = this.#options;
    const guarded = <T>(promise: Promise<T>): Promise<T> => raceAbort(inWords(promise), init?.signal ?? undefined);
    const sent = await guarded(this.token());
    const response = await fetch(url, withToken(init, sent));
    const challenge = readChallenge(response);
    if (challenge === undefined) return response;
    await response.body?.cancel();
    await guarded(this.#authorize(sent, challenge));
    return fetch(url, withToken(init, await guarded(this.token())));
  }

  /**
   * Completes a sign-in.
   *
   * @throws ResponsesLoopError `sign-in-failed`
   */
  async finish(callbackUrl: string | URL): Promise<void> {
    try {
      await finishSignIn(this.#options, this.#signIn.take(callbackUrl, this.#options.redactor));
    } finally {
      // After the right callback, the next call may begin another sign-in; a forged one changes nothing.
      if (!this.#signIn.isUnderWay) this.#waiting = undefined;
    }
  }

  /** Returns the present access token. */
  async token(): Promise<string | undefined> {
    const { provider, keep } = this.#options;
    const tokens = await provider.tokens();
    for (const secret of [tokens?.access_token, tokens?.refresh_token]) if (secret !== undefined) keep(secret);
    return tokens?.access_token;
  }

  async #authorize(refused: string | undefined, challenge: Challenge): Promise<void> {
    const current = await this.token();
    // Another request has renewed it meanwhile, or a sign-in was completed.
    if (current !== undefined && current !== refused && challenge.status === 401) return;
    // A second sign-in would break the first: the provider keeps one code verifier.
    const waiting = this.#waiting;
    if (waiting !== undefined && waiting.token === current && this.#options.now() < waiting.until) throw needsSignIn();
    this.#waiting = undefined;
    if (challenge.status === 403 && this.#renewing === undefined) this.#countStepUp(challenge.scope);
    this.#renewing ??= this.#renew(refused, challenge).finally(() => {
      this.#renewing = undefined;
    });
    await this.#renewing;
  }

  /** Without a limit, the user would be sent to sign in again and again. */
  #countStepUp(scope = ''): void {
    const now = this.#options.now();
    for (const [known, { until }] of this.#stepUps) if (now >= until) this.#stepUps.delete(known);
    const entry = this.#stepUps.get(scope) ?? { times: 0, until: now + SIGN_IN_MS };
    if (entry.times === MOST_STEP_UPS) {
      throw new McpAccessError(
        `it demands the permission ${JSON.stringify(excerpt(scope, 100))} again and again`,
        'Check what the account may do, and what the sign-in service grants.',
      );
    }
    entry.times += 1;
    this.#stepUps.set(scope, entry);
  }

  async #renew(refused: string | undefined, challenge: Challenge): Promise<void> {
    const provider = this.#signIn.watched(challenge);
    if ((await authenticate(this.#options, { challenge, provider })) === 'AUTHORIZED') return;
    const token = await this.token();
    // Some providers return from the redirect only after the sign-in.
    if (token !== undefined && token !== refused) return;
    this.#waiting = { token, until: this.#options.now() + SIGN_IN_MS };
    throw needsSignIn();
  }
}

async function finishSignIn(options: AuthGateOptions, ending: Ending): Promise<void> {
  options.keep(ending.authorizationCode);
  try {
    await authenticate(options, ending);
  } catch (error) {
    throw signInRefused(
      clean`the service did not issue a token (${excerpt(options.redactor.text(errorText(error)), 300)})`,
    );
  }
}

async function authenticate(
  { serverUrl, fetch, keep, loadModern }: AuthGateOptions,
  { provider, challenge, authorizationCode, iss }: Partial<Ending> & Pick<Ending, 'challenge' | 'provider'>,
): Promise<string> {
  const { resourceMetadataUrl, scope, status } = challenge;
  // Only the user can grant more permissions, not a refresh token; those granted before must not be lost.
  const isMore = status === 403 && authorizationCode === undefined;
  const wanted = isMore ? unionOf((await provider.tokens())?.scope, scope) : scope;
  const auth = (await loadModern?.())?.auth ?? (await import('@modelcontextprotocol/sdk/client/auth.js')).auth;
  return auth(provider, {
    serverUrl,
    // The plain `fetch`: the headers of the settings are for the server, not for its sign-in service.
    fetchFn: keeping(fetch, keep),
    ...defined({ resourceMetadataUrl, scope: wanted, authorizationCode, iss }),
    // Supported by the SDK for revision 2026-07-28.
    ...(isMore ? { forceReauthorization: true } : {}),
  });
}

function unionOf(...scopes: readonly (string | undefined)[]): string | undefined {
  const words = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter((word) => word !== ''));
  return words.size === 0 ? undefined : [...words].join(' ');
}

async function inWords<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    if (error instanceof McpAccessError) throw error;
    throw new McpAccessError(`signing in failed: ${errorText(error)}`, CHECK_PROVIDER);
  }
}

/**
 * Remembers secrets sent to a sign-in service (client secrets, codes, refresh tokens), because its errors may repeat
 * them.
 */
function keeping(fetch: FetchLike, keep: (secret: string) => void): FetchLike {
  return (url, init) => {
    const headers = Object.fromEntries(new Headers(init?.headers).entries());
    const form = init?.body instanceof URLSearchParams ? init.body.toString() : '';
    const sent = secretsOf({ url: `${FORM_URL}${form}`, headers, body: undefined });
    for (const secret of sent) keep(secret);
    return fetch(url, init);
  };
}

function needsSignIn(): McpAccessError {
  return new McpAccessError('it requires a sign-in', SIGN_IN);
}

function withToken(init: RequestInit | undefined, token: string | undefined): RequestInit {
  const headers = new Headers(init?.headers);
  if (token !== undefined && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  return { ...init, headers };
}

/** Returns what a refused request needs; `undefined` for any other answer. */
function readChallenge({ status, headers }: Response): Challenge | undefined {
  const text = headers.get('www-authenticate') ?? '';
  if (status !== 401 && !(status === 403 && field(text, 'error') === 'insufficient_scope')) return undefined;
  const url = field(text, 'resource_metadata');
  return {
    status,
    resourceMetadataUrl: url !== undefined && URL.canParse(url) ? new URL(url) : undefined,
    scope: field(text, 'scope'),
  };
}

function field(header: string, name: string): string | undefined {
  const match = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]*)"|([^\\s,]+))`).exec(header);
  return match?.[1] ?? match?.[2];
}
