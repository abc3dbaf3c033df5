import { Redactor } from '../../../src/observe/redactor.js';
import { describe, expect, it } from 'vitest';
import { AuthGate } from '../../../src/tools/mcp/sdk-gaps/auth-gate.js';
import { openTransport, type OpenTransport } from '../../../src/tools/mcp/connect/open-transport.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { until } from '../support/servers.js';
import { registryWith } from './helpers.js';
import { memoryProvider, startProtectedServer } from './oauth-server.js';

describe('OAuth', () => {
  it.each(['url', 'sseUrl'] as const)(
    'a token that was refused is renewed, and the server never misses a call (%s)',
    async (address) => {
      const server = await startProtectedServer();
      const provider = memoryProvider(server.tokens('token-0', 'refresh-0'));
      const registry = registryWith({
        docs: { url: server[address], authProvider: provider, headers: { 'X-Team': 'ducks' } },
      });
      const toolset = await toolsetOf(registry);
      expect(toolset.warnings).toEqual([]);
      expect(textOf(await callTool(toolNamed(toolset, 'echo'), { a: 1 }))).toBe('{"a":1}');
      expect(server.seen[0]).toBe('Bearer token-0');
      expect(server.seen.at(-1)).toBe('Bearer token-2');
      expect(provider.kept?.access_token).toBe('token-2');
      // Headers of the settings are for the server, not for where it signs people in.
      expect(server.signInHeaders.length).toBeGreaterThan(1);
      expect(server.signInHeaders.map((headers) => headers['x-team'])).toEqual(
        server.signInHeaders.map(() => undefined),
      );
    },
  );

  it('five parallel calls that are refused share one renewal', async () => {
    const server = await startProtectedServer();
    const provider = memoryProvider(server.tokens('token-1', 'refresh-1'));
    const toolset = await toolsetOf(registryWith({ docs: { url: server.url, authProvider: provider } }));
    expect(server.refreshes).toBe(0);

    server.valid = 'other';
    const outputs = await Promise.all([1, 2, 3, 4, 5].map((n) => callTool(toolNamed(toolset, 'echo'), { n })));
    expect(outputs.map(textOf)).toEqual([1, 2, 3, 4, 5].map((n) => JSON.stringify({ n })));
    expect(server.refreshes).toBe(1);
    expect(server.used).toEqual(['refresh-1']);
  });

  it('a refusal that arrives late, of a token that was renewed meanwhile, renews nothing', async () => {
    const server = await startProtectedServer();
    const provider = memoryProvider(server.tokens('token-0', 'refresh-0'));
    let arrive = (): void => {};
    const arrived = new Promise<void>((resolve) => (arrive = resolve));
    const gate = new AuthGate({
      serverUrl: new URL(server.url),
      provider,
      now: () => 0,
      keep: () => {},
      redactor: Redactor.NONE,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        if (String(url).endsWith('?late') && response.status === 401) await arrived;
        return response;
      },
    });
    const late = gate.fetch(`${server.url}?late`);
    await until(() => server.seen.length === 1);
    const quick = await gate.fetch(server.url);
    arrive();
    expect([quick.status, (await late).status]).not.toContain(401);
    expect(server.refreshes).toBe(1);
    for (const response of [quick, await late]) await response.body?.cancel();
  });

  it('where a person has to sign in only this server is left out, with what to do, and asked for once', async () => {
    const server = await startProtectedServer();
    const provider = memoryProvider(undefined);
    const open = serve({ other: scripted([tool('a')]) });
    let time = 0;
    const { events, observer } = recorder();
    const protectedOnly = registryWith(
      { docs: { url: server.url, authProvider: provider } },
      { now: () => time, observer },
    );
    const warnings = (await toolsetOf(protectedOnly)).warnings;
    expect(warnings).toEqual([
      expect.stringMatching(
        /MCP server "docs" \(URL .*requires a sign-in.*`authProvider\.redirectToAuthorization`.*`provider\.finishSignIn\(server, url\)`/,
      ),
    ]);
    expect(provider.redirects.map((url) => url.pathname)).toEqual(['/authorize']);
    expect(events).toContainEqual({ type: 'mcp-error', server: 'docs', message: warnings[0] });
    expect((await toolsetOf(registryWith({ other: { url: 'http://other/' } }, { open }))).tools).toHaveLength(1);

    // A second sign-in would spoil the first one.
    time = 60_000;
    expect((await toolsetOf(protectedOnly)).warnings).toEqual(warnings);
    expect(provider.redirects).toHaveLength(1);

    // Signed in: no pause is waited for.
    provider.kept = server.tokens(server.valid);
    const toolset = await toolsetOf(protectedOnly);
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), {}))).toBe('{}');

    // Signed out again during the day: the output names the server, the next toolset warns.
    server.valid = 'nobody has this one';
    const output = await callTool(toolNamed(toolset, 'echo'), {});
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/MCP server "docs".*requires a sign-in/);
    expect((await toolsetOf(protectedOnly)).warnings).toEqual([expect.stringContaining('requires a sign-in')]);
    expect(provider.redirects).toHaveLength(2);
  });

  it('says so of an SSE server too, whose client loses the reason', async () => {
    const server = await startProtectedServer();
    const entry = { url: server.sseUrl, type: 'sse', authProvider: memoryProvider(undefined) } as const;
    const { warnings } = await toolsetOf(registryWith({ docs: entry }));
    expect(warnings).toEqual([expect.stringMatching(/MCP server "docs".*requires a sign-in.*redirectToAuthorization/)]);
  });

  it('asks again for a sign-in that came to nothing, after ten minutes', async () => {
    const server = await startProtectedServer();
    const provider = memoryProvider(undefined);
    let time = 0;
    const registry = registryWith({ docs: { url: server.url, authProvider: provider } }, { now: () => time });
    await toolsetOf(registry);
    time = 599_999;
    await toolsetOf(registry);
    expect(provider.redirects).toHaveLength(1);
    time = 700_000;
    await toolsetOf(registry);
    expect(provider.redirects).toHaveLength(2);
  });

  it('a refresh token that was refused begins one sign-in, although the SDK forgets the tokens on the way', async () => {
    const server = await startProtectedServer();
    server.refusesRefresh = true;
    const provider = memoryProvider(server.tokens('token-0', 'refresh-0'));
    provider.invalidateCredentials = (scope) => {
      if (scope !== 'verifier') provider.kept = undefined;
    };
    let time = 0;
    const registry = registryWith({ docs: { url: server.url, authProvider: provider } }, { now: () => time });
    const { warnings } = await toolsetOf(registry);
    expect(warnings).toEqual([expect.stringContaining('requires a sign-in')]);
    const verifier = provider.codeVerifier();
    const asked = server.seen.length;
    // The pause after the failure goes on ...
    expect((await toolsetOf(registry)).warnings).toEqual(warnings);
    expect(server.seen).toHaveLength(asked);
    // ... and when it is over, the sign-in under way is still waited for.
    time = 60_000;
    expect((await toolsetOf(registry)).warnings).toEqual(warnings);
    expect(provider.redirects).toHaveLength(1);
    expect(provider.codeVerifier()).toBe(verifier);
    provider.kept = server.tokens(server.valid);
    expect((await toolsetOf(registry)).warnings).toEqual([]);
  });

  it('somebody who signs in while the redirect is still under way has the request go through', async () => {
    const server = await startProtectedServer();
    const provider = memoryProvider(undefined);
    provider.redirectToAuthorization = () => void (provider.kept = server.tokens(server.valid));
    const { warnings } = await toolsetOf(registryWith({ docs: { url: server.url, authProvider: provider } }));
    expect(warnings).toEqual([]);
  });

  it('a provider whose `tokens()` never answers costs only its own server, and only once', async () => {
    const server = await startProtectedServer();
    let asked = 0;
    const mute = { ...memoryProvider(undefined), tokens: () => ((asked += 1), new Promise<never>(() => {})) };
    const servers = {
      docs: { url: server.url, authProvider: mute },
      other: { url: 'http://other/' },
    };
    const open: OpenTransport = (config, ...rest) =>
      (String('url' in config && config.url) === 'http://other/'
        ? serve({ other: scripted([tool('a')]) })
        : openTransport)(config, ...rest);
    const registry = registryWith(servers, { open, connectTimeoutMs: 50, now: () => 0 });
    const { byWireName, warnings } = await toolsetOf(registry);
    expect([...byWireName.keys()]).toEqual(['a']);
    expect(warnings).toEqual([expect.stringMatching(/MCP server "docs".*no answer within 50 ms/)]);
    const before = asked;
    expect((await toolsetOf(registry)).warnings).toEqual(warnings);
    expect(asked).toBe(before);
  });

  it('a provider whose `tokens()` never answers keeps nobody from closing', async () => {
    let ask = (): void => {};
    const asked = new Promise<void>((resolve) => (ask = resolve));
    const mute = { ...memoryProvider(undefined), tokens: () => (ask(), new Promise<never>(() => {})) };
    const registry = registryWith({ docs: { url: 'http://127.0.0.1:9/mcp', authProvider: mute } });
    const toolset = toolsetOf(registry);
    await asked;
    await registry.close();
    await expect(toolset).rejects.toMatchObject({ code: 'closed' });
  });

  it('a provider or a sign-in service that fails is a warning without tokens in it', async () => {
    const server = await startProtectedServer();
    const failing = memoryProvider(server.tokens('token-0-secret', 'refresh-0'));
    failing.saveTokens = () => {
      throw new Error('cannot store token-0-secret');
    };
    failing.redirectToAuthorization = () => {
      throw new Error('no browser for token-0-secret');
    };
    const { warnings } = await toolsetOf(registryWith({ docs: { url: server.url, authProvider: failing } }));
    expect(warnings).toEqual([expect.stringMatching(/"docs".*signing in failed.*Check `authProvider`/)]);
    expect(warnings.join()).not.toContain('token-0-secret');
  });
});

it('of fixed headers only those that tell are kept out of what is said', async () => {
  const server = await startProtectedServer();
  const headers = { 'X-Wanted': 'token', Authorization: 'Bearer wr0ng' };
  const { warnings } = await toolsetOf(registryWith({ docs: { url: server.url, headers } }));
  expect(warnings[0]).toMatch(/the token \[redacted\] is no good/);
});

describe('headers from a function', () => {
  it('are asked for before every request, and never shown', async () => {
    const server = await startProtectedServer();
    let asked = 0;
    const registry = registryWith({
      docs: {
        url: server.url,
        headers: async () => {
          asked += 1;
          return { Authorization: `Bearer ${asked > 8 ? 'expired-secret' : server.valid}` };
        },
      },
    });
    const toolset = await toolsetOf(registry);
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), {}))).toBe('{}');
    expect(asked).toBe(server.seen.length);
    expect(asked).toBeGreaterThan(3);
    asked = 100;
    const output = await callTool(toolNamed(toolset, 'echo'), {});
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/the token .*\[redacted\].* is no good/);
    expect(textOf(output)).not.toContain('expired-secret');
  });

  it('are hidden whole if they hold two words, of which the first may be a secret, too', async () => {
    const server = await startProtectedServer();
    let isOut = false;
    const headers = () => ({ Authorization: isOut ? 'gr4velOrchid zebraT1mber' : `Bearer ${server.valid}` });
    const toolset = await toolsetOf(registryWith({ docs: { url: server.url, headers } }));
    isOut = true;
    const output = await callTool(toolNamed(toolset, 'echo'), {});
    expect(textOf(output)).toMatch(/the token .* is no good/);
    // The words share no piece: what hides the second does not hide the first.
    expect(textOf(output)).not.toMatch(/gr4v|chid|zebr|mber/);
  });

  it.each<[string, () => never, RegExp]>([
    [
      'that throws',
      () => {
        throw new TypeError('vault refused hunter22');
      },
      /`headers` function failed \(TypeError\).*Check the function/,
    ],
    [
      'that rejects',
      () => Promise.reject(new Error('vault refused hunter22')) as never,
      /`headers` function failed \(Error\)/,
    ],
    ['that returns nothing', () => undefined as never, /not an object of strings/],
    [
      'that returns a header no request may have',
      () => ({ 'X-Key': 'hunter22\n\u0000' }) as never,
      /header "X-Key".*forbids/,
    ],
  ])('%s name the server and hold no secret', async (_name, headers, message) => {
    const server = await startProtectedServer();
    const { warnings } = await toolsetOf(registryWith({ docs: { url: server.url, headers } }));
    expect(warnings).toEqual([expect.stringMatching(message)]);
    expect(warnings[0]).toContain('MCP server "docs"');
    expect(warnings[0]).not.toContain('hunter22');
    expect(server.seen).toEqual([]);
  });

  it('that fail during the day make an output that names the server', async () => {
    const server = await startProtectedServer();
    let isBroken = false;
    const headers = (): Record<string, string> => {
      if (isBroken) throw new Error('vault refused hunter22');
      return { Authorization: `Bearer ${server.valid}` };
    };
    const toolset = await toolsetOf(registryWith({ docs: { url: server.url, headers } }));
    isBroken = true;
    const output = await callTool(toolNamed(toolset, 'echo'), {});
    expect(textOf(output)).toMatch(/MCP server "docs".*`headers` function failed/);
  });
});
