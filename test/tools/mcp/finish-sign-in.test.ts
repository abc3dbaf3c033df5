import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OAuthDiscoveryState } from '@modelcontextprotocol/sdk/client/auth.js';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import { loadModernSdk } from '../../../src/tools/mcp/modern/load-sdk.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import { toolsetOf } from '../support/call.js';
import { serveOnLoopback } from '../support/serve-on-loopback.js';
import { registryWith } from './helpers.js';
import { memoryProvider } from './oauth-server.js';

interface Service {
  readonly url: string;
  readonly origin: string;
  readonly codes: string[];
}

/** A server whose sign-in is found only by what its refusals say, and that wants the code verifier and a scope. */
async function startService(metadata: object = {}): Promise<Service> {
  const codes: string[] = [];
  const origin = await serveOnLoopback(answer);
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const json = (status: number, value: object, headers = {}): void =>
      void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
    const { pathname } = new URL(request.url ?? '/', origin);
    if (pathname === '/hidden/resource')
      return json(200, { resource: `${origin}/mcp`, authorization_servers: [`${origin}/tenant`] });
    if (pathname === '/.well-known/oauth-authorization-server/tenant') {
      return json(200, {
        issuer: `${origin}/tenant`,
        authorization_endpoint: `${origin}/tenant/authorize`,
        token_endpoint: `${origin}/tenant/token`,
        response_types_supported: ['code'],
        code_challenge_methods_supported: ['S256'],
        ...metadata,
      });
    }
    if (pathname === '/tenant/token') {
      const form = new URLSearchParams(body);
      codes.push(form.get('code') ?? '');
      if (form.get('code') !== 'good') return json(400, { error: 'invalid_grant' });
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url');
      return json(200, { access_token: `token-${challenge.length}`, token_type: 'Bearer' });
    }
    if (pathname !== '/mcp') return json(404, {});
    if (request.headers.authorization !== 'Bearer token-43') {
      const challenge = `Bearer resource_metadata="${origin}/hidden/resource", scope="mcp:tools"`;
      return json(401, {}, { 'www-authenticate': challenge });
    }
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
    if (results[method] === undefined) return json(200, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } });
    json(200, { jsonrpc: '2.0', id, result: results[method] });
  }
  return { url: `${origin}/mcp`, origin, codes };
}

type Kind = 'with the SDK of old' | 'with the SDK for revision 2026-07-28';

interface Begun {
  readonly registry: ToolRegistry;
  readonly service: Service;
  /** Where the person was sent. */
  readonly sent: URL;
  /** The URL that the service sends the person back with. */
  readonly back: (answer: Record<string, string>) => string;
  readonly names: () => Promise<string[]>;
}

async function begin(kind: Kind, metadata: object = {}, provider = memoryProvider(undefined)): Promise<Begun> {
  const service = await startService(metadata);
  const docs = { url: service.url, authProvider: provider };
  const registry =
    kind === 'with the SDK of old'
      ? registryWith({ docs })
      : createToolRegistry({ mcpServers: { docs }, connectTimeoutMs: 10_000 });
  onTestFinished(() => registry.close());
  const { warnings } = await toolsetOf(registry);
  expect(warnings.join()).toContain('provider.finishSignIn(server, url)');
  const [sent] = provider.redirects;
  if (sent === undefined) throw new Error('nobody was sent anywhere');
  return {
    registry,
    service,
    sent,
    back: (answer) => `http://127.0.0.1/callback?${new URLSearchParams(answer).toString()}`,
    names: async () => [...(await toolsetOf(registry)).byWireName.keys()],
  };
}

const KINDS: readonly Kind[] = ['with the SDK of old', 'with the SDK for revision 2026-07-28'];

it('the SDK for revision 2026-07-28 is there for these tests', async () => {
  expect(await loadModernSdk()).toBeDefined();
});

describe.each(KINDS)('finishSignIn() %s', (kind) => {
  it('gets the tokens from where the refusal pointed to, and the next call has the tools', async () => {
    const { registry, sent, back, names } = await begin(kind);
    expect(sent.searchParams.get('scope')).toBe('mcp:tools');
    await registry.finishSignIn('docs', back({ code: 'good', state: sent.searchParams.get('state') ?? '' }));
    expect(await names()).toEqual(['secret']);
  });

  it('takes the path and the query, as a server sees them', async () => {
    const { registry, sent, names } = await begin(kind);
    await registry.finishSignIn('docs', `/callback?code=good&state=${sent.searchParams.get('state')}`);
    expect(await names()).toEqual(['secret']);
  });

  it.each([
    ['no state', {}],
    ['another state', { state: 'forged' }],
  ])('rejects a code with %s, and accepts the right one afterwards', async (_name, answer: Record<string, string>) => {
    const { registry, service, sent, back, names } = await begin(kind);
    await expect(registry.finishSignIn('docs', back({ code: 'evil', ...answer }))).rejects.toMatchObject({
      code: 'sign-in-failed',
      message: expect.stringContaining('`state`') as string,
    });
    expect(service.codes).toEqual([]);
    await registry.finishSignIn('docs', back({ code: 'good', state: sent.searchParams.get('state') ?? '' }));
    expect(await names()).toEqual(['secret']);
  });

  it('uses the state of the provider where it has one', async () => {
    const provider = Object.assign(memoryProvider(undefined), { state: () => 'of the app' });
    const { registry, sent, back, names } = await begin(kind, {}, provider);
    expect(sent.searchParams.get('state')).toBe('of the app');
    await registry.finishSignIn('docs', back({ code: 'good', state: 'of the app' }));
    expect(await names()).toEqual(['secret']);
  });

  it('rejects a code from another service', async () => {
    const { registry, service, sent, back, names } = await begin(kind);
    const state = sent.searchParams.get('state') ?? '';
    for (const iss of ['https://evil.example', `${service.origin}/tenant/`, service.origin, '']) {
      await expect(registry.finishSignIn('docs', back({ code: 'good', state, iss }))).rejects.toThrow('`iss`');
    }
    expect(service.codes).toEqual([]);
    await registry.finishSignIn('docs', back({ code: 'good', state, iss: `${service.origin}/tenant` }));
    expect(await names()).toEqual(['secret']);
  });

  it('takes no code without `iss` of a service that always says who it is', async () => {
    const { registry, service, sent, back } = await begin(kind, {
      authorization_response_iss_parameter_supported: true,
    });
    const state = sent.searchParams.get('state') ?? '';
    await expect(registry.finishSignIn('docs', back({ code: 'good', state }))).rejects.toThrow('`iss`');
    expect(service.codes).toEqual([]);
  });

  it('takes no such code either where the provider knew the service already', async () => {
    let known: OAuthDiscoveryState | undefined;
    const provider = Object.assign(memoryProvider(undefined), {
      discoveryState: () => known,
      saveDiscoveryState: (state: OAuthDiscoveryState) => void (known = state),
    });
    const { service } = await begin(kind, { authorization_response_iss_parameter_supported: true }, provider);
    // As after a restart of the app.
    const docs = { url: service.url, authProvider: provider };
    const registry = kind === KINDS[0] ? registryWith({ docs }) : createToolRegistry({ mcpServers: { docs } });
    onTestFinished(() => registry.close());
    await toolsetOf(registry);
    const state = provider.redirects[1]?.searchParams.get('state') ?? '';
    for (const answer of ['', '&iss=https://evil.example', `&iss=${service.origin}/other`])
      await expect(registry.finishSignIn('docs', `/?code=good&state=${state}${answer}`)).rejects.toThrow('`iss`');
    expect(service.codes).toEqual([]);
    await registry.finishSignIn('docs', `/?code=good&state=${state}&iss=${service.origin}/tenant`);
    expect(service.codes).toEqual(['good']);
  });

  it('says what the service answered, without control characters, and lets the next call begin anew', async () => {
    const provider = memoryProvider(undefined);
    const { registry, sent, back } = await begin(kind, {}, provider);
    const state = sent.searchParams.get('state') ?? '';
    const denied = back({ error: 'access_denied', error_description: 'no \u001b[2J', state });
    await expect(registry.finishSignIn('docs', denied)).rejects.toThrow('access_denied: no \\u{1b}[2J');
    // The pause after the failure is over by then.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await toolsetOf(registry);
    expect(provider.redirects).toHaveLength(2);
    await expect(registry.finishSignIn('docs', back({ code: 'good', state }))).rejects.toThrow('`state`');
  });

  it('says that the code was refused', async () => {
    const { registry, sent, back } = await begin(kind);
    const state = sent.searchParams.get('state') ?? '';
    await expect(registry.finishSignIn('docs', back({ code: 'bad', state }))).rejects.toMatchObject({
      code: 'sign-in-failed',
    });
  });

  it('takes an answer that comes twice at once only once', async () => {
    const { registry, service, sent, back, names } = await begin(kind);
    const url = back({ code: 'good', state: sent.searchParams.get('state') ?? '' });
    const both = await Promise.allSettled([registry.finishSignIn('docs', url), registry.finishSignIn('docs', url)]);
    expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(service.codes).toEqual(['good']);
    expect(await names()).toEqual(['secret']);
  });

  it('serves once', async () => {
    const { registry, sent, back } = await begin(kind);
    const url = back({ code: 'good', state: sent.searchParams.get('state') ?? '' });
    await registry.finishSignIn('docs', url);
    await expect(registry.finishSignIn('docs', url)).rejects.toThrow('none is in progress');
  });
});

describe('finishSignIn()', () => {
  it('of a server without an `authProvider` says so', async () => {
    const registry = registryWith({ docs: { url: 'http://127.0.0.1:9/' } });
    await expect(registry.finishSignIn('docs', '/?code=1')).rejects.toThrow(
      'No MCP server "docs" with an `authProvider`',
    );
  });

  it('keeps what the provider keeps for itself', async () => {
    class Own {
      readonly #inner = memoryProvider(undefined);
      readonly redirects = this.#inner.redirects;
      get redirectUrl() {
        return this.#inner.redirectUrl;
      }
      get clientMetadata() {
        return this.#inner.clientMetadata;
      }
      clientInformation() {
        return this.#inner.clientInformation();
      }
      tokens() {
        return this.#inner.tokens();
      }
      saveTokens(tokens: never) {
        return this.#inner.saveTokens(tokens);
      }
      redirectToAuthorization(url: URL) {
        return this.#inner.redirectToAuthorization(url);
      }
      saveCodeVerifier(verifier: string) {
        return this.#inner.saveCodeVerifier(verifier);
      }
      codeVerifier() {
        return this.#inner.codeVerifier();
      }
    }
    const { registry, sent, back, names } = await begin('with the SDK of old', {}, new Own() as never);
    await registry.finishSignIn('docs', back({ code: 'good', state: sent.searchParams.get('state') ?? '' }));
    expect(await names()).toEqual(['secret']);
  });
});

describe('a server that always wants one more permission', () => {
  it('has a person sent to sign in three times, and then says so', async () => {
    const origin = await serveOnLoopback(async (request, response) => {
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/.well-known/oauth-authorization-server') {
        const here = `http://${request.headers.host}`;
        const endpoints = { authorization_endpoint: `${here}/authorize`, token_endpoint: `${here}/token` };
        const supported = { response_types_supported: ['code'], code_challenge_methods_supported: ['S256'] };
        return void response.end(JSON.stringify({ issuer: here, ...endpoints, ...supported }));
      }
      if (pathname === '/token') {
        response.writeHead(200, { 'content-type': 'application/json' });
        return void response.end(
          JSON.stringify({ access_token: `t${Math.random()}`, token_type: 'Bearer', scope: 'a' }),
        );
      }
      if (pathname !== '/mcp') return void response.writeHead(404).end();
      const isSignedIn = request.headers.authorization !== undefined;
      const challenge = isSignedIn ? 'Bearer error="insufficient_scope", scope="b"' : 'Bearer scope="a"';
      response.writeHead(isSignedIn ? 403 : 401, { 'www-authenticate': challenge }).end();
    });
    const provider = memoryProvider(undefined);
    let time = 0;
    const registry = registryWith({ docs: { url: `${origin}/mcp`, authProvider: provider } }, { now: () => time });
    for (let signIn = 1; signIn <= 3; signIn += 1) {
      await toolsetOf(registry);
      expect(provider.redirects).toHaveLength(signIn);
      const state = provider.redirects.at(-1)?.searchParams.get('state');
      await registry.finishSignIn('docs', `/callback?code=good&state=${state}`);
      time += 60_000;
    }
    expect(provider.redirects.at(-1)?.searchParams.get('scope')).toBe('a b');
    const { warnings } = await toolsetOf(registry);
    expect(provider.redirects).toHaveLength(3);
    expect(warnings.join()).toContain('it demands the permission "b" again and again');
  });
});
