import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { ResponsesLoopError } from '../../../errors/responses-loop-error.js';
import { asRecord, asString } from '../../../util/guards.js';
import { excerpt } from '../../../util/excerpt.js';

/** What a refused request has to bring, as the server said it. */
export interface Challenge {
  readonly status: number;
  readonly resourceMetadataUrl: URL | undefined;
  readonly scope: string | undefined;
}

/** A sign-in that a person was sent to, and all that its end is checked against. */
interface Begun {
  readonly challenge: Challenge;
  /** Where the person was sent. */
  readonly url: URL;
  readonly discovery: OAuthDiscoveryState | undefined;
}

/** All that it takes to end a sign-in. */
export interface Ending {
  readonly challenge: Challenge;
  readonly provider: OAuthClientProvider;
  readonly authorizationCode: string;
  readonly iss: string | undefined;
}

/** A server sees no more of the URL than the path and what follows. */
const ANY_HOST = 'http://localhost';
const BEGIN = 'begin a new one by a call that needs the server';

/** Remembers the sign-in under way: the SDK leaves what the server said to the app, which never sees it. */
export class SignIn {
  readonly #provider: OAuthClientProvider;
  #begun: Begun | undefined;

  constructor(provider: OAuthClientProvider) {
    this.#provider = provider;
  }

  /** The provider to begin a sign-in with. One without a `state` of its own gets one: without it, any page could end a sign-in. */
  watched(challenge: Challenge): OAuthClientProvider {
    let discovery: OAuthDiscoveryState | undefined;
    const provider = this.#provider;
    return overlaid(provider, {
      state: () => provider.state?.() ?? crypto.randomUUID(),
      // What the provider knew before counts as found: the SDK does not say it again.
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

  /** Reads what the service sent the person back with. The sign-in under way is over then, as a code serves once. */
  take(callbackUrl: string | URL): Ending {
    const begun = this.#begun;
    if (begun === undefined) throw refused(`none is under way in this process; ${BEGIN}`);
    if (!URL.canParse(callbackUrl, ANY_HOST)) throw refused('this is not a URL');
    const answer = new URL(callbackUrl, ANY_HOST).searchParams;
    if (answer.getAll('state').length !== 1 || answer.get('state') !== begun.url.searchParams.get('state')) {
      throw refused('its `state` is not that of the sign-in under way: it is the end of another one, or forged');
    }
    const iss = answer.get('iss') ?? undefined;
    checkIssuer(iss, begun);
    this.#begun = undefined;
    const error = answer.get('error');
    if (error !== null) throw refused(`the service answered ${reasonOf(error, answer)}; ${BEGIN}`);
    const code = answer.get('code');
    if (code === null || code === '' || answer.getAll('code').length !== 1) throw refused('the URL has no `code`');
    const { challenge, discovery } = begun;
    return { challenge, provider: this.#ending(discovery), authorizationCode: code, iss };
  }

  /** Whether a person was sent to sign in, and did not come back yet. */
  get isUnderWay(): boolean {
    return this.#begun !== undefined;
  }

  /** The provider to end a sign-in with: the code belongs to the service that was found when it began. */
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

/** Which service answered (RFC 9207): a code of another one must not be taken to the right one, nor the other way round. */
function checkIssuer(iss: string | undefined, { discovery, url }: Begun): void {
  const metadata = asRecord(discovery?.authorizationServerMetadata);
  const issuer = asString(metadata?.['issuer']);
  if (iss === undefined) {
    if (metadata?.['authorization_response_iss_parameter_supported'] !== true) return;
    throw refused('it does not say which service it comes from (`iss`), though that service always does');
  }
  // An MCP SDK before 1.25 does not pass on what it found out about the service.
  const isRight = issuer === undefined ? URL.canParse(iss) && new URL(iss).origin === url.origin : iss === issuer;
  if (!isRight) throw refused('it comes from another service (`iss`) than the person was sent to');
}

function reasonOf(error: string, answer: URLSearchParams): string {
  const description = answer.get('error_description');
  return excerpt(description === null ? error : `${error}: ${description}`, 300);
}

export function refused(reason: string): ResponsesLoopError {
  return new ResponsesLoopError({ code: 'sign-in-failed', message: `The sign-in was not finished: ${reason}.` });
}

/** The provider with some members replaced. Its methods keep their `this`: private fields know no other. */
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
