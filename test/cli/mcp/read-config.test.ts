import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type McpFile, readMcpFile } from '../../../src/cli/mcp/read-config.js';

interface Place {
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

async function read(path: string | undefined, { files = {}, env = {}, stdin = '' }: Place): Promise<McpFile> {
  const cwd = await mkdtemp(join(tmpdir(), 'mcp-config-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  for (const [name, content] of Object.entries(files)) await writeFile(join(cwd, name), content);
  const { signal } = new AbortController();
  const terminal = {
    cwd,
    env,
    stdin: Readable.from([stdin]),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    signal,
  };
  return readMcpFile(path, terminal, { isAllowed: true });
}

const fileOf = (servers: object): string => JSON.stringify({ mcpServers: servers });
const one = { a: { command: 'a' } };

describe('the file with the servers', () => {
  it('is .mcp.json of the folder, else mcp.json, and says which', async () => {
    const both = { '.mcp.json': fileOf(one), 'mcp.json': fileOf({ b: { command: 'b' } }) };
    expect(await read(undefined, { files: both })).toMatchObject({ name: '.mcp.json', servers: [{ key: 'a' }] });
    const { name, servers } = await read(undefined, { files: { 'mcp.json': both['mcp.json'] } });
    expect([name, servers.map(({ key }) => key)]).toEqual(['mcp.json', ['b']]);
  });

  it('is standard input for -', async () => {
    expect(await read('-', { stdin: fileOf(one) })).toMatchObject({ name: 'standard input', servers: [{ key: 'a' }] });
  });

  it('may begin with a byte order mark', async () => {
    expect((await read('x', { files: { x: `\uFEFF${fileOf(one)}` } })).servers).toHaveLength(1);
  });

  it.each([
    ['none is there', undefined, {}, 'There is no .mcp.json and no mcp.json here; name a file with --config FILE.'],
    ['it is not there', 'x.json', {}, '--config: x.json cannot be read: ENOENT'],
    ['it is no JSON', 'x.json', { 'x.json': '{' }, 'x.json is not JSON: '],
    ['it has no servers', 'x.json', { 'x.json': '{}' }, 'x.json has no object "mcpServers", such as {'],
    ['it is that of VS Code', 'x.json', { 'x.json': '{"servers":{}}' }, 'rename "servers" to "mcpServers"'],
  ])('is refused with what to do where %s', async (_name, path, files, message) => {
    await expect(read(path, { files })).rejects.toThrow(message);
  });

  it('keeps what is wrong with one server to that server', async () => {
    const config = fileOf({
      good: { command: '${HOME}/server', args: ['${X:-y}'] },
      unset: { url: 'https://example.com/mcp', headers: { Authorization: 'Bearer ${TOKEN}' } },
      neither: { args: [] },
      text: 'npx',
      off: { disabled: true, command: '${TOKEN}' },
      foreign: { serverUrl: 'https://example.com/mcp', disabledTools: ['x'] },
    });
    const { servers } = await read('x', { files: { x: config }, env: { HOME: '/home/ada' } });
    expect(servers).toEqual([
      { key: 'good', config: { command: '/home/ada/server', args: ['y'] } },
      { key: 'unset', problem: 'The environment has no "TOKEN"; set it, or write a default: ${TOKEN:-default}.' },
      { key: 'neither', problem: expect.stringContaining('has neither `command`') as string },
      { key: 'text', problem: expect.stringContaining('must be an object') as string },
      { key: 'off', isDisabled: true },
      { key: 'foreign', config: { url: 'https://example.com/mcp', denyTools: ['x'] } },
    ]);
  });
});
