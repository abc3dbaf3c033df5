import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { runNode } from './run-node.js';

const consumer = inject('consumer');
const root = fileURLToPath(new URL('../../', import.meta.url));
const server = join(root, 'test/tools/mcp/modern/server.mjs');
const peer = join(consumer, 'node_modules/@modelcontextprotocol/client');

interface Said {
  readonly tools: readonly string[];
  readonly warnings: readonly string[];
}

async function ask(way: 'stdio' | 'http'): Promise<Said> {
  const child = way === 'http' ? spawn(process.execPath, [server, 'http', 'reject']) : undefined;
  try {
    const [port] = child === undefined ? [] : ((await once(child.stdout, 'data')) as [Buffer]);
    const address = port === undefined ? server : `http://127.0.0.1:${port.toString().trim()}/mcp`;
    const { stdout, stderr } = await runNode(['mcp-revision.mjs', address, way], { cwd: consumer });
    expect(stderr).toBe('');
    return JSON.parse(stdout) as Said;
  } finally {
    child?.kill('SIGKILL');
  }
}

describe('where `@modelcontextprotocol/client` is not installed', () => {
  it('it does not come along', () => {
    expect(existsSync(peer)).toBe(false);
  });

  it.each(['stdio', 'http'] as const)('a server of revision 2026-07-28 only says what to install (%s)', async (way) => {
    const { tools, warnings } = await ask(way);
    expect(tools).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining('install `@modelcontextprotocol/client`')]);
  });
});

describe('where `@modelcontextprotocol/client` is installed', () => {
  beforeAll(() => {
    mkdirSync(join(peer, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules/@modelcontextprotocol/client'), peer);
  });
  afterAll(() => rmSync(peer, { force: true }));

  it.each(['stdio', 'http'] as const)('a server of revision 2026-07-28 only is used (%s)', async (way) => {
    const { tools, warnings } = await ask(way);
    expect(warnings).toEqual([]);
    expect(tools).toContain('echo');
  });
});
