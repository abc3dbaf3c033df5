import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { ToolRegistry } from '../../../src/tools/loop-tool.js';
import type { McpServers } from '../../../src/tools/mcp/server-config.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { filesystemPath } from '../support/servers.js';

const memoryPath = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/server-memory/dist/index.js', import.meta.url),
);

async function scratch(): Promise<string> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'responses-loop-')));
  onTestFinished(() => rm(directory, { recursive: true }));
  return directory;
}

function registryFor(mcpServers: McpServers): ToolRegistry {
  const registry = createToolRegistry({ mcpServers });
  onTestFinished(() => registry.close());
  return registry;
}

type Call = (name: string, args: object) => Promise<{ text: string; isError: boolean }>;

async function callerOf(registry: ToolRegistry): Promise<Call> {
  const toolset = await toolsetOf(registry);
  return async (name, args) => {
    const output = await callTool(toolNamed(toolset, name), args);
    return { text: textOf(output), isError: output.isError };
  };
}

describe('the filesystem server over stdio', () => {
  it('writes, edits and reads, and answers in words when it may not', async () => {
    const directory = await scratch();
    const call = await callerOf(
      registryFor({ files: { command: process.execPath, args: [filesystemPath, directory] } }),
    );
    const path = join(directory, 'pond.txt');

    expect(await call('write_file', { path, content: 'two ducks' })).toMatchObject({ isError: false });
    const edits = [{ oldText: 'two', newText: 'three' }];
    expect((await call('edit_file', { path, edits })).text).toMatch(/-two ducks\n.*\n?\+three ducks/);
    expect(await call('read_text_file', { path })).toEqual({ text: 'three ducks', isError: false });
    expect(await readFile(path, 'utf8')).toBe('three ducks');

    const outside = await call('read_text_file', { path: '/etc/hostname' });
    expect(outside).toEqual({ text: expect.stringMatching(/denied.*outside allowed/i) as string, isError: true });
    expect(await call('edit_file', { path, edits })).toMatchObject({ isError: true });
  });
});

describe('the memory server over stdio', () => {
  it('keeps its state over calls and, in its file, over connections', async () => {
    const env = { MEMORY_FILE_PATH: join(await scratch(), 'memory.jsonl') };
    const servers: McpServers = { memory: { command: process.execPath, args: [memoryPath], env } };
    const first = registryFor(servers);
    const call = await callerOf(first);
    const entities = [
      { name: 'Donald', entityType: 'duck', observations: ['wears a sailor suit'] },
      { name: 'Gustav', entityType: 'duck', observations: ['is lucky'] },
    ];
    expect(await call('create_entities', { entities })).toMatchObject({ isError: false });
    expect((await call('search_nodes', { query: 'lucky' })).text).toContain('Gustav');
    expect(await call('delete_entities', { entityNames: ['Gustav'] })).toMatchObject({ isError: false });
    expect((await call('search_nodes', { query: 'lucky' })).text).not.toContain('Gustav');
    await first.close();

    const again = await callerOf(registryFor(servers));
    expect((await again('read_graph', {})).text).toContain('sailor suit');
    const elsewhere = { MEMORY_FILE_PATH: join(await scratch(), 'other.jsonl') };
    const other = { command: process.execPath, args: [memoryPath], env: elsewhere };
    expect((await (await callerOf(registryFor({ other })))('read_graph', {})).text).not.toContain('Donald');
  });
});
