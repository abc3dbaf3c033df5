import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { MCP_CLIENT_INFO } from '../../../src/tools/mcp/connect/connection.js';
import * as node from '../../../src/tools/mcp/stdio-node.js';
import * as stub from '../../../src/tools/mcp/stdio-stub.js';
import { isAlive, until } from '../support/servers.js';

it('the stub has the exports of the real module and says what to do instead', async () => {
  expect(Object.keys(stub)).toEqual(Object.keys(node));
  await expect(stub.openStdio({ command: 'x' })).rejects.toMatchObject({
    code: 'tool-source-unavailable',
    message: expect.stringContaining('`url`'),
  });
});

it('introduces itself with the version of the package', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(MCP_CLIENT_INFO.version).toBe(manifest.version);
});

it('ends the whole tree on Windows, before the SDK ends the first process alone', async () => {
  // As far as it can be shown elsewhere: the platform is said to be Windows, and a stand-in for `taskkill` does the work.
  await import('@modelcontextprotocol/sdk/client/stdio.js');
  const directory = await mkdtemp(join(tmpdir(), 'responses-loop-'));
  const said = join(directory, 'said');
  await writeFile(join(directory, 'taskkill'), `#!/bin/sh\necho "$@" > ${said}\nkill -9 "$2"\n`, { mode: 0o755 });
  const path = process.env['PATH'];
  const { platform } = process;
  onTestFinished(async () => {
    process.env['PATH'] = path;
    Object.defineProperty(process, 'platform', { value: platform });
    await rm(directory, { recursive: true });
  });
  process.env['PATH'] = `${directory}:${path}`;
  Object.defineProperty(process, 'platform', { value: 'win32' });
  const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000); console.error('here');`;
  const server = await node.openStdio({ command: process.execPath, args: ['-e', stubborn] });
  await server.transport.start();
  await until(() => server.stderrEnds() === 'here');
  const started = server.pid() ?? 0;
  await Promise.all([server.transport.close(), server.transport.close()]);
  expect(isAlive(started)).toBe(false);
  expect((await readFile(said, 'utf8')).trim()).toBe(`/pid ${started} /T /F`);
});
