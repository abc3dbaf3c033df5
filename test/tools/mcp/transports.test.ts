import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createToolRegistry, type ToolRegistryOptions } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpServerConfig } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';
import { everythingPath, filesystemPath, startEverything, type RunningServer } from '../support/servers.js';

const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function registryFor(servers: Record<string, McpServerConfig>, options: ToolRegistryOptions = {}): ToolRegistry {
  const registry = createToolRegistry({ mcpServers: servers, ...options });
  cleanups.push(() => registry.close());
  return registry;
}

async function everything(mode: 'streamableHttp' | 'sse'): Promise<RunningServer> {
  const server = await startEverything(mode);
  cleanups.push(() => server.kill());
  return server;
}

const transports: [string, () => Promise<McpServerConfig>][] = [
  ['stdio', async () => ({ command: process.execPath, args: [everythingPath] })],
  ['streamable HTTP', async () => ({ url: (await everything('streamableHttp')).url })],
  ['SSE, found by falling back from HTTP', async () => ({ url: (await everything('sse')).url })],
  ['SSE, asked for by type', async () => ({ url: (await everything('sse')).url, type: 'sse' })],
];

describe('the demo server over every transport', () => {
  it.each(transports)('lists and calls tools over %s', async (_name, config) => {
    const { events, observer } = recorder();
    const registry = registryFor({ everything: await config() }, { observer });
    const toolset = await toolsetOf(registry);

    expect(toolset.tools.map((tool) => tool.declaration.name)).toEqual([...toolset.byWireName.keys()].toSorted());
    expect(toolset.tools.length).toBeGreaterThanOrEqual(12);
    expect(toolset.byWireName.has('simulate-research-query')).toBe(false);
    expect(toolset.warnings).toEqual([expect.stringContaining('"simulate-research-query" is left out')]);
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), { message: 'hello' }))).toBe('Echo: hello');
    expect(textOf(await callTool(toolNamed(toolset, 'get-sum'), { a: 2, b: 3 }))).toContain('5');
    expect(events.filter((event) => event.type === 'mcp-connect')).toHaveLength(1);
    expect((await toolsetOf(registry)).warnings).toEqual([]);
  });

  it('maps images, structured values and resources of real tools', async () => {
    const toolset = await toolsetOf(registryFor({ everything: { command: process.execPath, args: [everythingPath] } }));
    const image = await callTool(toolNamed(toolset, 'get-tiny-image'), {});
    expect(image.content).toContainEqual(expect.objectContaining({ type: 'file', mediaType: 'image/png' }));

    const structured = await callTool(toolNamed(toolset, 'get-structured-content'), { location: 'New York' });
    expect(structured.isError).toBe(false);
    expect(structured.value).toMatchObject({ temperature: expect.any(Number) });

    const links = await callTool(toolNamed(toolset, 'get-resource-links'), { count: 2 });
    expect(textOf(links)).toMatch(/Resource ".+": \w+:\/\//);
  });

  it('lets the model read why the server refused the arguments', async () => {
    const toolset = await toolsetOf(registryFor({ everything: { command: process.execPath, args: [everythingPath] } }));
    const output = await callTool(toolNamed(toolset, 'get-sum'), { a: 'two' });
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/number/i);
  });

  it('gives a stdio server the settings environment and none of this process', async () => {
    process.env['RESPONSES_LOOP_TEST_SECRET'] = 'must-not-leak';
    cleanups.push(async () => {
      delete process.env['RESPONSES_LOOP_TEST_SECRET'];
    });
    const config = { command: process.execPath, args: [everythingPath], env: { GREETING: 'hi' } };
    const toolset = await toolsetOf(registryFor({ everything: config }));
    const text = textOf(await callTool(toolNamed(toolset, 'get-env'), {}));
    expect(text).toContain('"GREETING": "hi"');
    expect(text).not.toContain('must-not-leak');
  });

  it('reads a file through the real filesystem server, read-only by its annotation', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'responses-loop-'));
    cleanups.push(() => rm(directory, { recursive: true }));
    await writeFile(join(directory, 'ducks.txt'), 'two ducks');
    const toolset = await toolsetOf(
      registryFor({ files: { command: process.execPath, args: [filesystemPath, directory] } }),
    );
    const read = toolNamed(toolset, 'read_text_file');
    expect(read.tool.readOnly).toBe(true);
    expect(toolNamed(toolset, 'write_file').tool.readOnly).toBe(false);
    expect(textOf(await callTool(read, { path: join(directory, 'ducks.txt') }))).toBe('two ducks');
  });

  it('sends every HTTP request through the injected fetch, with the configured headers', async () => {
    const server = await everything('streamableHttp');
    const seen: (string | null)[] = [];
    const registry = registryFor(
      { everything: { url: server.url, headers: { 'X-Team': 'ducks' } } },
      {
        fetch: (url, init) => {
          seen.push(new Headers(init?.headers).get('x-team'));
          return fetch(url, init);
        },
      },
    );
    await callTool(toolNamed(await toolsetOf(registry), 'echo'), { message: 'x' });
    expect(seen.length).toBeGreaterThan(3);
    expect(new Set(seen)).toEqual(new Set(['ducks']));
  });
});
