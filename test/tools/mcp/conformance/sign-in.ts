import { ClientCredentialsProvider, PrivateKeyJwtProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { defined } from '../../../../src/util/defined.js';
import { asString } from '../../../../src/util/guards.js';

const CALLBACK = 'http://localhost:3000/callback';
/** An address that the runner knows. */
const CLIENT_METADATA = 'https://conformance-test.local/client-metadata.json';

/** A provider as an app writes it, with everything in memory. */
class AppProvider {
  /** Where a person has to go. */
  wanted: URL | undefined;
  readonly redirectUrl = CALLBACK;
  readonly clientMetadataUrl = CLIENT_METADATA;
  readonly clientMetadata = {
    client_name: 'conformance',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'native',
  };
  #client: OAuthClientInformationMixed | undefined;
  #tokens: OAuthTokens | undefined;
  #verifier = '';

  constructor(client: OAuthClientInformationMixed | undefined) {
    this.#client = client;
  }
  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.#client;
  }
  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.#client = client;
  }
  tokens(): OAuthTokens | undefined {
    return this.#tokens;
  }
  saveTokens(tokens: OAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.wanted = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  invalidateCredentials(scope: string): void {
    if (scope === 'all' || scope === 'tokens') this.#tokens = undefined;
    if (scope === 'all' || scope === 'client') this.#client = undefined;
  }
}

export function appProvider(scenario: string, context: Record<string, unknown>): OAuthClientProvider {
  const clientId = asString(context['client_id']) ?? '';
  const clientSecret = asString(context['client_secret']) ?? '';
  if (scenario === 'auth/client-credentials-basic') return new ClientCredentialsProvider({ clientId, clientSecret });
  if (scenario === 'auth/client-credentials-jwt') {
    const privateKey = asString(context['private_key_pem']) ?? '';
    const algorithm = asString(context['signing_algorithm']) ?? 'ES256';
    return new PrivateKeyJwtProvider({ clientId, privateKey, algorithm });
  }
  const issuer = asString(context['issuer']);
  const client = { client_id: clientId, client_secret: clientSecret, ...defined({ issuer }) };
  return new AppProvider(scenario === 'auth/pre-registration' ? client : undefined);
}

/** Does what a person does who agrees; the URL that the browser comes back to. */
export async function followRedirect(provider: OAuthClientProvider): Promise<string | undefined> {
  if (!(provider instanceof AppProvider) || provider.wanted === undefined) return undefined;
  const { wanted } = provider;
  provider.wanted = undefined;
  const response = await fetch(wanted, { redirect: 'manual' });
  await response.body?.cancel();
  return response.headers.get('location') ?? undefined;
}
