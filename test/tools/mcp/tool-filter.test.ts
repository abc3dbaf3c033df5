import { describe, expect, it } from 'vitest';
import { createToolFilter } from '../../../src/tools/mcp/tool-filter.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { registryWith } from './helpers.js';

describe('which tools of a server are offered', () => {
  it.each<[string, { allowTools?: string[]; denyTools?: string[] }, string[]]>([
    ['all of them by default', {}, ['read_file', 'read_dir', 'write_file', 'a.b']],
    ['only allowed names', { allowTools: ['read_file'] }, ['read_file']],
    ['only allowed patterns', { allowTools: ['read_*', '*.b'] }, ['read_file', 'read_dir', 'a.b']],
    ['all but denied ones', { denyTools: ['*_file'] }, ['read_dir', 'a.b']],
    [
      'a denied one never, even where it is allowed',
      { allowTools: ['*'], denyTools: ['write_file'] },
      ['read_file', 'read_dir', 'a.b'],
    ],
    ['none where the list is empty', { allowTools: [] }, []],
    ['a star in the middle', { allowTools: ['r*d*_*e'] }, ['read_file']],
    ['nothing by a part of its name', { allowTools: ['read', 'a?b', 'a.'] }, []],
    ['nothing that would need the same letters twice', { allowTools: ['a.b*.b', '*write_file*e'] }, []],
  ])('%s', (_name, config, expected) => {
    const filter = createToolFilter(config);
    expect(['read_file', 'read_dir', 'write_file', 'a.b'].filter((name) => filter.admits(name))).toEqual(expected);
  });

  it('is decided quickly, whatever the server calls its tools', () => {
    const filter = createToolFilter({ allowTools: [`${'a*'.repeat(50)}b`] });
    expect(filter.admits('a'.repeat(50_000))).toBe(false);
  });

  it('is settled by server, with one warning for names that fit nothing', async () => {
    const servers = { docs: scripted([tool('read'), tool('write')]), mail: scripted([tool('send'), { name: 'odd' }]) };
    const registry = registryWith(
      {
        docs: { url: 'http://docs/', allowTools: ['read', 'raed', 'x*'] },
        mail: { url: 'http://mail/', denyTools: ['odd', 'nothing'] },
      },
      { open: serve(servers) },
    );
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['read', 'send']);
    expect(toolset.warnings).toEqual([
      'MCP server "docs": `allowTools` names what it does not have: "raed", "x*".',
      'MCP server "mail": `denyTools` names what it does not have: "nothing".',
    ]);
    expect((await toolsetOf(registry)).warnings).toEqual([]);
  });
});

describe('what else a server says or is told about its tools', () => {
  it('openWorldHint is passed on where it is given', async () => {
    const open = serve({
      docs: scripted([
        tool('a', { annotations: { openWorldHint: true } }),
        tool('b', { annotations: { openWorldHint: false } }),
        tool('c'),
      ]),
    });
    const toolset = await toolsetOf(registryWith({ docs: { url: 'http://docs/' } }, { open }));
    expect(toolset.tools.map(({ tool: { openWorld } }) => openWorld)).toEqual([true, false, undefined]);
  });

  it('totalTimeoutMs ends a call that shows signs of life all the time', async () => {
    const open = serve({
      docs: scripted([tool('busy')], {
        onCall: async (_name, _args, context) => {
          const { progressToken } = (context as unknown as { _meta: { progressToken: number } })._meta;
          for (let progress = 1; !context.signal.aborted; progress += 1) {
            await new Promise((resolve) => setTimeout(resolve, 5));
            await context.sendNotification({
              method: 'notifications/progress',
              params: { progressToken, progress },
            } as never);
          }
          return undefined;
        },
      }),
    });
    const toolset = await toolsetOf(registryWith({ docs: { url: 'http://docs/', totalTimeoutMs: 60 } }, { open }));
    const busy = toolNamed(toolset, 'busy');
    expect(busy.tool.totalTimeoutMs).toBe(60);
    expect(textOf(await callTool(busy, {}))).toContain('60 ms in total (total limit)');
  });
});

it.each(['serverUrl', 'httpUrl'])('an entry from the file of another client works as it is (%s)', async (url) => {
  const open = serve({ docs: scripted([tool('read'), tool('send'), tool('drop')]) });
  const entry = { [url]: 'http://docs/', disabledTools: ['send'], denyTools: ['drop'], autoApprove: ['read'] };
  const toolset = await toolsetOf(registryWith({ docs: entry as never }, { open }));
  expect([...toolset.byWireName.keys()]).toEqual(['read']);
  expect(toolset.warnings).toEqual([]);
});

describe('`allowTools` as a function', () => {
  const listed = [
    tool('read', { title: 'Read', description: 'Reads.', annotations: { readOnlyHint: true } }),
    tool('write', { annotations: { destructiveHint: true } }),
  ];

  it('decides by what the server says of each tool', async () => {
    const seen: unknown[] = [];
    const registry = registryWith(
      {
        docs: {
          url: 'http://one/',
          allowTools: (described) => {
            seen.push(described);
            return described.readOnly;
          },
        },
      },
      { open: serve({ one: scripted(listed) }) },
    );
    const toolset = await toolsetOf(registry);
    expect([...toolset.byWireName.keys()]).toEqual(['read']);
    expect(toolset.warnings).toEqual([]);
    expect(seen).toEqual([
      {
        name: 'read',
        title: 'Read',
        description: 'Reads.',
        inputSchema: { type: 'object' },
        readOnly: true,
        annotations: { readOnlyHint: true },
      },
      { name: 'write', inputSchema: { type: 'object' }, readOnly: false, annotations: { destructiveHint: true } },
    ]);
  });

  it('keeps a tool out about which it fails, or says neither yes nor no', async () => {
    const answers: Record<string, () => unknown> = {
      read: () => {
        throw new Error('no idea');
      },
      write: async () => true,
    };
    const allowTools = (described: { name: string }): boolean => answers[described.name]?.() as boolean;
    const toolset = await toolsetOf(
      registryWith({ docs: { url: 'http://one/', allowTools } }, { open: serve({ one: scripted(listed) }) }),
    );
    expect([...toolset.byWireName.keys()]).toEqual([]);
    expect(toolset.warnings).toEqual([
      expect.stringContaining('"read" is left out: the `allowTools` function failed (no idea)'),
      expect.stringContaining('"write" is left out: the `allowTools` function returned neither true nor false'),
    ]);
  });

  it('does not bring back what `denyTools` names', async () => {
    const config = { url: 'http://one/', allowTools: () => true, denyTools: ['write'] };
    const toolset = await toolsetOf(registryWith({ docs: config }, { open: serve({ one: scripted(listed) }) }));
    expect([...toolset.byWireName.keys()]).toEqual(['read']);
  });
});
