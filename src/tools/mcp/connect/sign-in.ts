import type { Redactor } from '../../../observe/redactor.js';
import { clean, type CleanText } from '../../../core/clean-text.js';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { asRecord, asString } from '../../../util/guards.js';
import { excerpt } from '../../../util/excerpt.js';

/** What the server demands of a refused request. */
export interface Challenge {
  readonly status: number;
  readonly resourceMetadataUrl: URL | undefined;
  readonly scope: string | undefined;
}

/** A sign-in under way, and the facts that its end is checked against. */
interface Begun {
  readonly challenge: Challenge;
  /** The page that the user was sent to. */
  readonly url: URL;
  readonly discovery: OAuthDiscoveryState | undefined;
}

/** What is needed to complete a sign-in. */
export interface Ending {
  readonly challenge: Challenge;
  readonly provider: OAuthClientProvider;
  readonly authorizationCode: string;
  readonly iss: string | undefined;
}

/** A server sees only the path and the query of the URL. */
const ANY_HOST = 'http://localhost';
const BEGIN = 'begin a new one by a call that needs the server';

/** Remembers the sign-in under way, because the SDK leaves the server's facts to the app, which never sees them. */
export class SignIn {
  readonly #provider: OAuthClientProvider;
  #begun: Begun | undefined;

  constructor(provider: OAuthClientProvider) {
    this.#provider = provider;
  }

  /**
   * Returns the provider to begin a sign-in with. It gets a `state` if it has none: without one, any page could
   * complete a sign-in.
   */
  watched(challenge: Challenge): OAuthClientProvider {
    let discovery: OAuthDiscoveryState | undefined;
    const provider = this.#provider;
    return overlaid(provider, {
      state: () => provider.state?.() ?? crypto.randomUUID(),
      // Facts that the provider knew before count as found, because the SDK does not repeat them.
      discoveryState: async () => (discovery = await provider.discoveryState?.()),
      saveDiscoveryState: async (state: OAuthDiscoveryState) => {
        discovery = state;
        await provider.saveDiscoveryState?.(state);
      },
      redirectToAuthorization: async (url: URL) => {
        this.#begun = { challenge, url, discovery };
        await provider.redirectToAuthorization(url);
      },
    });
  }

  /** Reads the callback URL. It ends the sign-in under way, because a code is valid once. */
  take(callbackUrl: string | URL, redactor: Redactor): Ending {
    const begun = this.#begun;
    if (begun === undefined) throw refused(clean`none is in progress in this process; ${BEGIN}`);
    if (!URL.canParse(callbackUrl, ANY_HOST)) throw refused(clean`this is not a URL`);
    const answer = new URL(callbackUrl, ANY_HOST).searchParams;
    if (answer.getAll('state').length !== 1 || answer.get('state') !== begun.url.searchParams.get('state')) {
      throw refused(clean`its \`state\` is not that of the sign-in under way: it is the end of another one, or forged`);
    }
    const iss = answer.get('iss') ?? undefined;
    checkIssuer(iss, begun);
    this.#begun = undefined;
    const error = answer.get('error');
    if (error !== null) throw refused(clean`the service answered ${reasonOf(error, answer, redactor)}; ${BEGIN}`);
    const code = answer.get('code');
    if (code === null || code === '' || answer.getAll('code').length !== 1)
      throw refused(clean`the URL has no \`code\``);
    const { challenge, discovery } = begun;
    return { challenge, provider: this.#ending(discovery), authorizationCode: code, iss };
  }

  /** Whether the user was sent to sign in and has not returned. */
  get isUnderWay(): boolean {
    return this.#begun !== undefined;
  }

  /**
   * Returns the provider to complete a sign-in with: the code belongs to the service that was found at its beginning.
   */
  #ending(found: OAuthDiscoveryState | undefined): OAuthClientProvider {
    const provider = this.#provider;
    return overlaid(provider, {
      discoveryState: async () => found ?? (await provider.discoveryState?.()),
      redirectToAuthorization: () => {
        throw new Error('the code was refused');
      },
    });
  }
}

/** Checks which service answered (RFC 9207), so that no code is sent to another service. */
function checkIssuer(iss: string | undefined, { discovery, url }: Begun): void {
  const metadata = asRecord(discovery?.authorizationServerMetadata);
  const issuer = asString(metadata?.['issuer']);
  if (iss === undefined) {
    if (metadata?.['authorization_response_iss_parameter_supported'] !== true) return;
    throw refused(
      clean`it does not name the service that it comes from (\`iss\`), although that service always sends it`,
    );
  }
  // An MCP SDK before 1.25 does not pass on the facts of the service.
  const isRight = issuer === undefined ? URL.canParse(iss) && new URL(iss).origin === url.origin : iss === issuer;
  if (!isRight) throw refused(clean`it comes from another service (\`iss\`) than the person was sent to`);
}

function reasonOf(error: string, answer: URLSearchParams, redactor: Redactor): CleanText {
  const description = answer.get('error_description');
  return excerpt(redactor.text(description === null ? error : `${error}: ${description}`), 300);
}

export function refused(reason: CleanText): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'sign-in-failed', message: clean`The sign-in was not finished: ${reason}.` });
}

/** Replaces members of the provider. Its methods keep their `this`, because private fields require it. */
function overlaid(provider: OAuthClientProvider, members: Partial<OAuthClientProvider>): OAuthClientProvider {
  return new Proxy(provider, {
    get(target, key) {
      const replaced: unknown = Reflect.get(members, key);
      if (replaced !== undefined) return replaced;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    has: (target, key) => key in members || key in target,
  });
}
