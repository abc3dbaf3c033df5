import type { FileOAuthProvider } from 'responses-loop/node';
import type { Service } from './service-file.js';

type Tokens = NonNullable<Awaited<ReturnType<FileOAuthProvider['tokens']>>>;
type Client = NonNullable<Awaited<ReturnType<FileOAuthProvider['clientInformation']>>>;

export interface Revocation {
  readonly service: Service;
  readonly tokens: Tokens;
  readonly client: Client | undefined;
}

const TIMEOUT_MS = 10_000;

/** Tells the service to forget its tokens (RFC 7009). Returns what a person should know, if it did not. */
export async function revokeTokens({ service, tokens, client }: Revocation): Promise<string | undefined> {
  const url = new URL(service.revocation_endpoint);
  if (!isSafe(url)) return `${url.host} is not reached by an encrypted connection.`;
  // The one that lasts first: most services forget the other one with it.
  const all = [
    ['refresh_token', tokens.refresh_token],
    ['access_token', tokens.access_token],
  ] as const;
  for (const [hint, token] of all) {
    const problem = token === undefined ? undefined : await revoke({ url, hint, token }, service, client);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

interface Revoked {
  readonly url: URL;
  readonly hint: string;
  readonly token: string;
}

async function revoke({ url, hint, token }: Revoked, service: Service, client: Client | undefined) {
  const { header, fields } = authenticationOf(service, client);
  const body = new URLSearchParams({ token, token_type_hint: hint, ...fields });
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch(url, { method: 'POST', headers: header, body, redirect: 'error', signal });
    await response.body?.cancel();
    return response.ok ? undefined : `${url.host} answered ${response.status}.`;
  } catch (error) {
    const isLate = error instanceof DOMException && error.name === 'TimeoutError';
    return isLate ? `${url.host} did not answer in time.` : `${url.host} could not be reached.`;
  }
}

function authenticationOf(service: Service, client: Client | undefined) {
  const { client_id: id = '', client_secret: secret } = client ?? {};
  const isPublic =
    client !== undefined && 'token_endpoint_auth_method' in client && client.token_endpoint_auth_method === 'none';
  if (secret === undefined || isPublic) return { header: {}, fields: { client_id: id } };
  // Basic is what a service takes that names nothing (RFC 8414).
  const methods = service.revocation_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  if (!methods.includes('client_secret_basic')) return { header: {}, fields: { client_id: id, client_secret: secret } };
  const pair = [id, secret].map(formEncoded).join(':');
  return { header: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }, fields: {} };
}

function formEncoded(text: string): string {
  return new URLSearchParams({ x: text }).toString().slice(2);
}

function isSafe({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}
