import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface SignInServiceOptions {
  /** The only client, if the service registers nobody. */
  readonly client?: { readonly id: string; readonly secret?: string } | undefined;
  /** What its revocation endpoint answers. Default: it has none. */
  readonly revocation?: { status: number } | undefined;
  /** The server takes everybody. */
  readonly isOpen?: boolean | undefined;
}

interface Client {
  readonly secret: string | undefined;
  /** Absent: any. */
  readonly redirects: readonly string[] | undefined;
}

/**
 * An MCP server whose service registers clients, checks their secrets and code verifiers, and gives each refresh token once.
 * Whoever asks for its page has agreed.
 */
export class SignInService {
  readonly origin: string;
  /** The access token that counts. */
  valid = '';
  refresh = '';
  renewals = 0;
  /** Registrations, as they were asked for. */
  readonly clients: unknown[] = [];
  /** All access tokens that it gave. */
  readonly tokens: string[] = [];
  /** Paths and queries of all requests. */
  readonly asked: string[] = [];
  readonly revoked: string[] = [];
  readonly close: () => void;
  readonly #options: SignInServiceOptions;
  readonly #clients = new Map<string, Client>();
  readonly #codes = new Map<string, { readonly challenge: string; readonly client: string }>();

  constructor(origin: string, close: () => void, options: SignInServiceOptions) {
    this.origin = origin;
    this.close = close;
    this.#options = options;
    const { client } = options;
    if (client !== undefined) this.#clients.set(client.id, { secret: client.secret, redirects: undefined });
  }

  get url(): string {
    return `${this.origin}/mcp`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.asked.push(request.url ?? '');
    const url = new URL(request.url ?? '/', this.origin);
    const page = Object.hasOwn(this.#pages, url.pathname) ? this.#pages[url.pathname] : undefined;
    if (url.pathname === '/mcp') return this.#mcp(request, response);
    if (url.pathname === '/authorize') return this.#authorize(url, response);
    const [status, value] = page === undefined ? [404, {}] : page(await textOf(request), request);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  }

  readonly #pages: Readonly<Record<string, (body: string, request: IncomingMessage) => [number, object]>> = {
    '/.well-known/oauth-protected-resource/mcp': () => [
      200,
      { resource: this.url, authorization_servers: [this.origin] },
    ],
    '/.well-known/oauth-authorization-server': () => {
      const { client, revocation } = this.#options;
      return [
        200,
        {
          issuer: this.origin,
          authorization_endpoint: `${this.origin}/authorize`,
          token_endpoint: `${this.origin}/token`,
          ...(client === undefined && { registration_endpoint: `${this.origin}/register` }),
          ...(revocation !== undefined && { revocation_endpoint: `${this.origin}/revoke` }),
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          token_endpoint_auth_methods_supported: client?.secret === undefined ? ['none'] : ['client_secret_basic'],
        },
      ];
    },
    '/register': (body) => {
      const asked = JSON.parse(body) as { redirect_uris: string[] };
      const id = `client-${randomUUID()}`;
      this.clients.push(asked);
      this.#clients.set(id, { secret: undefined, redirects: asked.redirect_uris });
      return [201, { ...asked, client_id: id }];
    },
    '/token': (body, request) => {
      const form = new URLSearchParams(body);
      const id = this.#clientOf(form, request);
      const code = this.#codes.get(form.get('code') ?? '');
      this.#codes.delete(form.get('code') ?? '');
      const hash = createHash('sha256').update(form.get('code_verifier') ?? '');
      const isRenewal = this.refresh !== '' && form.get('refresh_token') === this.refresh;
      if (id === undefined) return [401, { error: 'invalid_client' }];
      const isCode = code?.client === id && code.challenge === hash.digest('base64url');
      if (!isCode && !isRenewal) return [400, { error: 'invalid_grant' }];
      if (isRenewal) this.renewals += 1;
      [this.valid, this.refresh] = [`secret-token-${randomUUID()}`, `secret-refresh-${randomUUID()}`];
      this.tokens.push(this.valid);
      return [200, { access_token: this.valid, token_type: 'Bearer', refresh_token: this.refresh }];
    },
    '/revoke': (body, request) => {
      const form = new URLSearchParams(body);
      if (this.#clientOf(form, request) === undefined) return [401, { error: 'invalid_client' }];
      const status = this.#options.revocation?.status ?? 404;
      if (status === 200) this.revoked.push(`${form.get('token_type_hint')} ${form.get('token')}`);
      return [status, {}];
    },
  };

  /** `undefined`, if it does not show that it is one of ours. */
  #clientOf(form: URLSearchParams, { headers }: IncomingMessage): string | undefined {
    const basic = Buffer.from((headers.authorization ?? '').replace(/^Basic /, ''), 'base64').toString();
    const [id = '', secret] = headers.authorization === undefined ? [form.get('client_id') ?? ''] : basic.split(':');
    const client = this.#clients.get(id);
    return client !== undefined && client.secret === secret ? id : undefined;
  }

  #authorize({ searchParams }: URL, response: ServerResponse): void {
    const client = searchParams.get('client_id') ?? '';
    const redirect = searchParams.get('redirect_uri') ?? '';
    const known = this.#clients.get(client);
    if (known === undefined || known.redirects?.includes(redirect) === false) {
      response.writeHead(400).end('{"error":"invalid_redirect"}');
      return;
    }
    const code = `code-${randomUUID()}`;
    this.#codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', client });
    const back = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: this.origin });
    response.writeHead(302, { location: `${redirect}?${back.toString()}` }).end();
  }

  /** Without sessions: every request has a server of its own. */
  async #mcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isSignedIn = this.valid !== '' && request.headers.authorization === `Bearer ${this.valid}`;
    if (!isSignedIn && this.#options.isOpen !== true) {
      const metadata = `${this.origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
      return;
    }
    const transport = new StreamableHTTPServerTransport({});
    const mcp = new McpServer({ name: 'protected', version: '1' });
    mcp.registerTool('secret', { description: 'Tells it.', annotations: { readOnlyHint: true } }, () => ({
      content: [{ type: 'text', text: 'the secret of the service' }],
    }));
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  }
}

/** It runs until `close()`. */
export async function startSignInService(options: SignInServiceOptions = {}): Promise<SignInService> {
  const server = createServer((request, response) => void service.answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  const service: SignInService = new SignInService(origin, close, options);
  return service;
}

/** One that ends with the test. */
export async function signInServiceOfTest(options: SignInServiceOptions = {}): Promise<SignInService> {
  const service = await startSignInService(options);
  onTestFinished(service.close);
  return service;
}

async function textOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
