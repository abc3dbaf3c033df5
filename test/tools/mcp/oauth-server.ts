import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';

export interface ProtectedServer {
  readonly url: string;
  readonly sseUrl: string;
  /** The only access token the server takes. */
  valid: string;
  /** Tokens as the provider would have kept them. */
  tokens(accessToken: string, refreshToken?: string): OAuthTokens;
  /** How often the token service was asked. */
  refreshes: number;
  /** Refresh tokens that were used; each serves once. */
  readonly used: string[];
  /** `authorization` of every request to the MCP endpoint. */
  readonly seen: (string | undefined)[];
  /** Refresh tokens are answered with `invalid_grant`. */
  refusesRefresh: boolean;
  /** Headers of every request to the sign-in service. */
  readonly signInHeaders: IncomingMessage['headers'][];
}

/** An MCP server behind OAuth, with its metadata and its token service, over real HTTP. */
export async function startProtectedServer(): Promise<ProtectedServer> {
  const origin = await serveOnLoopback(answer);
  const state: ProtectedServer = {
    url: `${origin}/mcp`,
    sseUrl: `${origin}/sse`,
    valid: 'token-1',
    tokens: (access_token, refresh_token) => ({
      ...{ access_token, token_type: 'Bearer', issuer: `${origin}/` },
      ...(refresh_token === undefined ? {} : { refresh_token }),
    }),
    refreshes: 0,
    refusesRefresh: false,
    used: [],
    seen: [],
    signInHeaders: [],
  };
  const sse = new Map<string, SSEServerTransport>();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    const document = metadata(origin, pathname);
    if (document !== undefined || pathname === '/token') state.signInHeaders.push(request.headers);
    if (document !== undefined) return json(response, 200, document);
    if (pathname === '/token') return token(request, response);
    const { authorization } = request.headers;
    state.seen.push(authorization);
    if (authorization !== `Bearer ${state.valid}`) {
      const challenge = `Bearer error="invalid_token", resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
      response.setHeader('www-authenticate', challenge);
      return json(response, 401, { error: `the token ${authorization?.replace('Bearer ', '')} is no good` });
    }
    if (pathname === '/sse') {
      if (request.method !== 'GET') return json(response, 405, {});
      const transport = new SSEServerTransport('/messages', response);
      sse.set(transport.sessionId, transport);
      return echoServer().connect(transport);
    }
    if (pathname === '/messages')
      return sse.get(searchParams.get('sessionId') ?? '')?.handlePostMessage(request, response);
    // Without sessions: every request has a server of its own.
    const transport = new StreamableHTTPServerTransport({});
    await echoServer().connect(transport);
    await transport.handleRequest(request, response);
  }

  async function token(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request));
    const refresh = form.get('refresh_token') ?? '';
    state.refreshes += 1;
    if (state.refusesRefresh) return json(response, 400, { error: 'invalid_grant' });
    if (state.used.includes(refresh)) return json(response, 500, { error: 'server_error' });
    state.used.push(refresh);
    state.valid = `token-${state.refreshes + 1}`;
    json(response, 200, {
      access_token: state.valid,
      token_type: 'Bearer',
      refresh_token: `refresh-${state.refreshes + 1}`,
    });
  }
  return state;
}

function metadata(origin: string, path: string): object | undefined {
  if (path === '/.well-known/oauth-protected-resource/mcp') {
    return { resource: `${origin}/`, authorization_servers: [`${origin}/`] };
  }
  if (path !== '/.well-known/oauth-authorization-server') return undefined;
  return {
    issuer: `${origin}/`,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  };
}

function echoServer(): Server {
  const server = new Server({ name: 'protected', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [{ name: 'echo', inputSchema: { type: 'object' } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => ({
    content: [{ type: 'text', text: JSON.stringify(params.arguments) }],
  }));
  return server;
}

async function text(request: IncomingMessage): Promise<string> {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  return body;
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** A provider as an app writes it, which keeps everything in memory. */
export function memoryProvider(
  tokens: OAuthTokens | undefined,
): OAuthClientProvider & { kept: OAuthTokens | undefined; redirects: URL[] } {
  let verifier = '';
  const provider = {
    kept: tokens,
    redirects: [] as URL[],
    redirectUrl: 'http://127.0.0.1/callback',
    clientMetadata: { redirect_uris: ['http://127.0.0.1/callback'] },
    clientInformation: () => ({ client_id: 'app', client_secret: 'client-secret' }),
    tokens: () => provider.kept,
    saveTokens: (saved: OAuthTokens) => void (provider.kept = saved),
    redirectToAuthorization: (url: URL) => void provider.redirects.push(url),
    saveCodeVerifier: (value: string) => void (verifier = value),
    codeVerifier: () => verifier,
  };
  return provider;
}
