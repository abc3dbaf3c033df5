import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { signInServiceOfTest } from '../../../../test/tools/mcp/sign-in-service.js';
import { CALLBACK } from '../../src/mcp/sign-ins.js';
import { eventsIn, runCoder, startCoder, startWorld } from '../support/run-coder.js';

/** Nothing listens there. */
const NOBODY = 'http://127.0.0.1:9/mcp';

test('coder mcp login keeps tokens for the next sessions in a file of the user, and logout forgets them', async () => {
  const service = await signInServiceOfTest();
  const { at, flags, server } = await startWorld(['Hello.', 'Hello.', 'Hello.']);
  const config = join(at.cwd, 'mcp.json');
  writeFileSync(
    config,
    JSON.stringify({ mcpServers: { docs: { url: service.url }, other: { url: NOBODY }, files: { command: 'true' } } }),
  );
  const mcp = (...args: string[]) => runCoder(['--mcp-config', config, 'mcp', ...args], at);
  const offered = async () => {
    const { code, stdout } = await runCoder([...flags, '--mcp-config', config, 'exec', '--json', 'Hi'], at);
    expect(code).toBe(0);
    const names = ((server.requests.at(-1)?.body['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
    const failed = eventsIn(stdout).flatMap(({ msg }) =>
      msg.type === 'mcp_status' && msg.data.server === 'docs' ? [msg.data.message] : [],
    );
    return { hasTool: names.includes('secret'), failed };
  };
  expect((await mcp('list')).stdout).toBe('docs: not signed in\nother: not signed in\nfiles: a local process\n');
  expect(await offered()).toEqual({
    hasTool: false,
    failed: [expect.stringContaining('coder mcp login docs')],
  });

  const login = startCoder(['--mcp-config', config, 'mcp', 'login', 'docs'], at);
  let shown = '';
  login.child.stderr?.on('data', (chunk: string) => (shown += chunk));
  await expect.poll(() => /^http\S+$/m.exec(shown)?.[0], { timeout: 20_000 }).toBeDefined();
  expect((await fetch(`${CALLBACK}?code=x&state=other`)).status).toBe(404);
  const answer = await fetch(/^http\S+$/m.exec(shown)?.[0] ?? '');
  expect([answer.status, await answer.text()]).toEqual([200, 'You are signed in. You may close this window.']);
  expect((await login.ended).code).toBe(0);

  const folder = join(at.home, 'mcp-sign-ins');
  const [file = ''] = readdirSync(folder);
  expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(readFileSync(join(folder, file), 'utf8')).toContain('access_token');
  // Tokens are for the address that gave them.
  expect((await mcp('list')).stdout).toContain('docs: signed in\nother: not signed in');
  expect((await offered()).hasTool).toBe(true);

  expect((await mcp('logout', 'docs')).code).toBe(0);
  expect(existsSync(join(folder, file))).toBe(false);
  expect((await offered()).hasTool).toBe(false);
});

test('a server that is not there, or is a process, is named', async () => {
  const { at } = await startWorld([]);
  const config = join(at.cwd, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { files: { command: 'true' } } }));
  const mcp = (...args: string[]) => runCoder(['--mcp-config', config, 'mcp', ...args], at);
  expect(await mcp('login', 'docs')).toMatchObject({ code: 2, stderr: expect.stringContaining('Known: files') });
  expect(await mcp('logout', 'files')).toMatchObject({ code: 2, stderr: expect.stringContaining('local process') });
  expect(await runCoder(['mcp', 'list'], at)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--mcp-config'),
  });
});

test('a sign-in at a server that does not answer fails, and tells why', async () => {
  const { at } = await startWorld([]);
  const config = join(at.cwd, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { docs: { url: NOBODY } } }));
  const { code, stderr } = await runCoder(['--mcp-config', config, 'mcp', 'login', 'docs'], at);
  expect([code, stderr]).toEqual([1, expect.stringContaining('127.0.0.1:9')]);
  expect(stderr).not.toContain('no sign-in is needed');
});
