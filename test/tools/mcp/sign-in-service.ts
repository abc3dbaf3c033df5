import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { serveOnLoopback } from '../support/serve-on-loopback.js';

/** An MCP server whose service registers clients, checks code verifiers, and gives each refresh token once. */
export async function startSignInService(redirectUrl: string) {
  const clients: unknown[] = [];
  const challenges = new Map<string, string>();
  const service = { valid: '', refresh: '', renewals: 0, clients };
  const issue = (): object => {
    const count = service.renewals + 1;
    [service.valid, service.refresh] = [`token-${count}`, `refresh-${count}`];
    return { access_token: service.valid, token_type: 'Bearer', refresh_token: service.refresh };
  };
  const origin = await serveOnLoopback(answer);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const json = (status: number, value: object, headers = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    if (pathname === '/.well-known/oauth-protected-resource/mcp')
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [origin] });
    if (pathname === '/.well-known/oauth-authorization-server')
      return json(200, {
        issuer: origin,
        authorization_endpoint: `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        registration_endpoint: `${origin}/register`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
      });
    if (pathname === '/register') {
      clients.push(JSON.parse(body));
      return json(201, { ...(JSON.parse(body) as object), client_id: `client-${clients.length}` });
    }
    if (pathname === '/authorize') {
      challenges.set('good', searchParams.get('code_challenge') ?? '');
      const back = new URLSearchParams({ code: 'good', state: searchParams.get('state') ?? '' });
      return void response.writeHead(302, { location: `${redirectUrl}?${back.toString()}` }).end();
    }
    if (pathname === '/token') {
      const form = new URLSearchParams(body);
      const hash = createHash('sha256').update(form.get('code_verifier') ?? '');
      const isCode = challenges.get(form.get('code') ?? '') === hash.digest('base64url');
      const isRenewal = form.get('refresh_token') === service.refresh;
      if (!isCode && !isRenewal) return json(400, { error: 'invalid_grant' });
      if (isRenewal) service.renewals += 1;
      return json(200, issue());
    }
    if (pathname !== '/mcp') return json(404, {});
    if (service.valid === '' || request.headers.authorization !== `Bearer ${service.valid}`)
      return json(
        401,
        {},
        { 'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"` },
      );
    if (request.method !== 'POST') return json(405, {});
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return void response.writeHead(202).end();
    const results: Record<string, object> = {
      initialize: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      },
      'tools/list': { tools: [{ name: 'secret', inputSchema: { type: 'object' } }] },
    };
    json(200, { jsonrpc: '2.0', id, result: results[method] ?? {} });
  }
  return Object.assign(service, { url: `${origin}/mcp` });
}
