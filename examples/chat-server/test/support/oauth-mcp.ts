import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface OAuthMcp {
  readonly url: string;
  readonly origin: string;
  /** Access tokens that it gave. */
  readonly tokens: string[];
  /** Paths and queries of all requests. */
  readonly asked: string[];
  readonly close: () => void;
}

/** An MCP server that wants its user to sign in, with registration, PKCE, and a service that agrees at once. */
export async function startOAuthMcp(): Promise<OAuthMcp> {
  const [tokens, asked]: [string[], string[]] = [[], []];
  const clients = new Map<string, readonly string[]>();
  const codes = new Map<string, { readonly challenge: string; readonly client: string }>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const json = (status: number, value: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (pathname === '/.well-known/oauth-protected-resource/mcp') {
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    }
    if (pathname === '/.well-known/oauth-authorization-server') {
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        token_endpoint_auth_methods_supported: ['none'],
      });
    }
    if (pathname === '/register') {
      const client = JSON.parse(await textOf(request)) as { redirect_uris: string[] };
      const clientId = `client-${randomUUID()}`;
      clients.set(clientId, client.redirect_uris);
      return json(201, { ...client, client_id: clientId });
    }
    if (pathname === '/authorize') {
      const client = searchParams.get('client_id') ?? '';
      const redirect = searchParams.get('redirect_uri') ?? '';
      if (clients.get(client)?.includes(redirect) !== true) return json(400, { error: 'invalid_redirect' });
      const code = `code-${randomUUID()}`;
      codes.set(code, { challenge: searchParams.get('code_challenge') ?? '', client });
      const back = new URLSearchParams({ code, state: searchParams.get('state') ?? '', iss: origin });
      return void response.writeHead(302, { location: `${redirect}?${back.toString()}` }).end();
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(await textOf(request));
      const code = codes.get(form.get('code') ?? '');
      codes.delete(form.get('code') ?? '');
      const hash = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      if (code === undefined || code.challenge !== hash) return json(400, { error: 'invalid_grant' });
      const token = `secret-token-${randomUUID()}`;
      tokens.push(token);
      return json(200, { access_token: token, token_type: 'Bearer' });
    }
    if (pathname !== '/mcp') return json(404, {});
    if (!tokens.some((token) => request.headers.authorization === `Bearer ${token}`)) {
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.setHeader('www-authenticate', `Bearer resource_metadata="${metadata}"`);
      return json(401, {});
    }
    // Without sessions: every request has a server of its own.
    const transport = new StreamableHTTPServerTransport({});
    const mcp = new McpServer({ name: 'protected', version: '1' });
    mcp.registerTool('secret', { description: 'Tells it.', annotations: { readOnlyHint: true } }, () => ({
      content: [{ type: 'text', text: 'the secret of the service' }],
    }));
    await mcp.connect(transport);
    await transport.handleRequest(request, response);
  }
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `${origin}/mcp`, origin, tokens, asked, close };
}

async function textOf(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}
