import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { callTool, toolsetOf, textOf, toolNamed } from '../../support/call.js';
import { until } from '../../support/servers.js';
import { modernServer, overHttp, registryFor, run } from './run-server.js';

async function connected(mode: 'auto' | 'legacy', url?: string): Promise<Client> {
  const client = new Client({ name: 'app', version: '1' }, { versionNegotiation: { mode } });
  const transport =
    url === undefined
      ? new StdioClientTransport({ command: process.execPath, args: [modernServer, 'stdio', 'serve'] })
      : new StreamableHTTPClientTransport(new URL(url));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

describe('a connected client of `@modelcontextprotocol/client`', () => {
  it('is listed once a minute in revision 2026-07-28, where only who subscribes hears of changes', async () => {
    const server = await overHttp('reject');
    let time = 0;
    const registry = registryFor(await connected('auto', server.url), { now: () => time });
    await toolsetOf(registry);
    await run(registry, 'grow');
    time = 61_000;
    expect([...(await toolsetOf(registry)).byWireName.keys()]).toContain('extra');
    expect((await server.seen()).filter(({ body }) => body?.method === 'tools/list')).toHaveLength(2);
  });

  it('is listed when the time is over that the server gave', async () => {
    const server = await overHttp('reject', { TTL_MS: '5000' });
    let time = 0;
    const registry = registryFor(await connected('auto', server.url), { now: () => time });
    await toolsetOf(registry);
    await run(registry, 'grow');
    time = 5_100;
    expect([...(await toolsetOf(registry)).byWireName.keys()]).toContain('extra');
  });

  it('in an older revision is listed when it hears of a change, and not before', async () => {
    let time = 0;
    const registry = registryFor(await connected('legacy'), { now: () => time });
    await toolsetOf(registry);
    time = 3_600_000;
    await run(registry, 'grow');
    await until(async () => (await toolsetOf(registry)).byWireName.has('extra'));
  });

  it.each(['auto', 'legacy'] as const)('loses the call, not more, when its server dies (%s)', async (mode) => {
    const registry = registryFor(await connected(mode));
    const output = await callTool(toolNamed(await toolsetOf(registry), 'die-writing'), {});
    expect(textOf(output)).toMatch(/was lost while "die-writing" ran .*may or may not have taken effect/);
  });

  it.each(['auto', 'legacy'] as const)('has what the server answers as an error of the call (%s)', async (mode) => {
    const client = await connected(mode);
    const registry = registryFor({ client });
    const { byWireName } = await toolsetOf(registry);
    const tool = byWireName.get('echo');
    if (tool === undefined) throw new Error('no tool');
    const output = await callTool(tool, { text: 5 });
    expect(output.isError).toBe(true);
    expect(textOf(output)).not.toContain('was lost');
    expect(await run(registry, 'echo', { text: 'still' })).toBe('echo still');
  });
});
