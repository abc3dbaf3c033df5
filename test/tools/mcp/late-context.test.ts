import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { registryWith } from './helpers.js';
import { overHttp } from './modern/run-server.js';

const later = <T>(value: T, ms: number): Promise<T> =>
  new Promise((resolve) => {
    setTimeout(() => resolve(value), ms);
  });

describe('a call whose context comes when its time is over', () => {
  it('is not made any more after `meta`, by a client of the app', async () => {
    const called: string[] = [];
    const client = {
      listTools: async () => ({ tools: [{ name: 'pay', inputSchema: { type: 'object' } }] }),
      callTool: async ({ name }: { name: string }) => {
        called.push(name);
        return { content: [] };
      },
    };
    const toolset = await toolsetOf(registryWith({ s: { client, timeoutMs: 30, meta: async () => later({}, 80) } }));
    expect(textOf(await callTool(toolNamed(toolset, 'pay'), {}))).toContain('timed out');
    await later(undefined, 120);
    expect(called).toEqual([]);
  });

  it.each(['serve', 'reject'] as const)('is not made any more after `headers` (%s)', async (legacy) => {
    const server = await overHttp(legacy);
    const headers = async (call: unknown): Promise<Record<string, string>> => later({}, call === undefined ? 0 : 250);
    const mcpServers = { s: { url: server.url, timeoutMs: 100, headers } };
    // The first speaks through the SDK of old.
    const registry = legacy === 'serve' ? registryWith(mcpServers) : createToolRegistry({ mcpServers });
    onTestFinished(() => registry.close());
    const toolset = await toolsetOf(registry);
    expect(textOf(await callTool(toolNamed(toolset, 'meta'), {}))).toContain('timed out');
    await later(undefined, 400);
    expect((await server.seen()).filter(({ body }) => body?.method === 'tools/call')).toEqual([]);
  });
});
