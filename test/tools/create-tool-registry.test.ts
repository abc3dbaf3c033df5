import { describe, expect, it, onTestFinished } from 'vitest';
import { createToolRegistry, registryOf } from '../../src/tools/create-tool-registry.js';
import type { LocalTool } from '../../src/tools/local/local-tool.js';
import type { ToolRegistry } from '../../src/tools/loop-tool.js';
import { callTool, toolsetOf, textOf, toolNamed } from './support/call.js';
import { scripted, serve, tool } from './support/in-memory-server.js';

const local = (says: string): LocalTool => ({ execute: () => says });

function registry(): ToolRegistry {
  const made = createToolRegistry({
    mcpServers: { b: { url: 'http://b/' }, a: { url: 'http://a/' }, off: { url: 'http://off/', disabled: true } },
    tools: { zeta: local('zeta'), echo: local('local echo'), alpha: local('alpha') },
    openTransport: serve({
      a: scripted([tool('echo'), tool('x.y')]),
      b: scripted([tool('beta')]),
      off: scripted([tool('never')]),
    }),
  });
  onTestFinished(() => made.close());
  return made;
}

describe('the toolset', () => {
  it('holds MCP tools first, in the order of the settings, then local ones; disabled servers not at all', async () => {
    expect([...(await toolsetOf(registry())).byWireName.keys()]).toEqual([
      'beta',
      'a__echo',
      'x_y',
      'zeta',
      'local__echo',
      'alpha',
    ]);
  });

  it('has everything a list for people needs', async () => {
    const { declaration, source, tool: original } = toolNamed(await toolsetOf(registry()), 'x_y');
    expect({
      name: declaration.name,
      source: source.key,
      originalName: original.name,
      readOnly: original.readOnly,
      inputSchema: declaration.inputSchema,
    }).toEqual({
      name: 'x_y',
      source: 'a',
      originalName: 'x.y',
      readOnly: false,
      inputSchema: { type: 'object', properties: {} },
    });
  });

  it('leaves the caller its names, and says what became of ours', async () => {
    const toolset = await registry().toolset({ clientNames: ['beta', 'a__echo'], nameClash: 'rename' });
    expect(toolset.byWireName.has('beta')).toBe(false);
    expect(toolset.byWireName.has('a__echo')).toBe(false);
    expect(toolNamed(toolset, 'b__beta').tool.name).toBe('beta');
    expect(toolset.warnings).toEqual([
      'The tool "beta" of "b" is offered as "b__beta": the call brings a tool of that name itself.',
    ]);
  });

  it('with `loop` the MCP tool has the name, before the local one and the caller', async () => {
    const toolset = await registry().toolset({ clientNames: ['echo'], nameClash: 'loop' });
    expect(textOf(await callTool(toolNamed(toolset, 'echo'), {}))).toBe('ok');
    expect(textOf(await callTool(toolNamed(toolset, 'local__echo'), {}))).toBe('local echo');
    expect(toolset.warnings).toEqual([]);
  });

  it('has the same bytes every time', async () => {
    const one = registry();
    const bytes = async (from: ToolRegistry): Promise<string> =>
      JSON.stringify((await toolsetOf(from)).tools.map((entry) => entry.declaration));
    expect(await bytes(one)).toBe(await bytes(one));
    expect(await bytes(one)).toBe(await bytes(registry()));
  });

  it('is the same object while nothing changed, and another for a call that wants another', async () => {
    const made = registry();
    const first = await toolsetOf(made);
    expect(await toolsetOf(made)).toBe(first);
    const renamed = await made.toolset({ clientNames: ['beta'], nameClash: 'rename' });
    expect([...renamed.byWireName.keys()]).toContain('b__beta');
    const owned = await made.toolset({ clientNames: ['beta'], nameClash: 'loop' });
    expect([...owned.byWireName.keys()]).toContain('beta');
    const known = await made.toolset({ clientNames: ['beta'], nameClash: 'loop', knownOptions: new Set() });
    expect(known).not.toBe(owned);
    expect([...(await toolsetOf(made)).byWireName.keys()]).toEqual([...first.byWireName.keys()]);
  });

  it('rejects when its signal has fired', async () => {
    await expect(toolsetOf(registry(), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is empty without sources, and closed for good once closed', async () => {
    const empty = registryOf([]);
    expect(await toolsetOf(empty)).toEqual({
      tools: [],
      byWireName: new Map(),
      knownNames: [],
      warnings: [],
      instructions: [],
    });
    await empty.close();
    await expect(toolsetOf(empty)).rejects.toMatchObject({ code: 'closed' });
  });
});
