import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TestTerminal } from '../../../examples/coding-cli/test/support/terminal.js';
import { signInServiceOfTest } from '../../tools/mcp/sign-in-service.js';
import { everythingPath } from '../../tools/support/servers.js';
import { run, type Ran } from '../support/run.js';

const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));
const REDIRECT = 'http://127.0.0.1:33418/callback';

function place(servers: object) {
  const cwd = mkdtempSync(join(tmpdir(), 'mcp-sign-in-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, 'home'));
  writeFileSync(join(cwd, 'servers.json'), JSON.stringify({ mcpServers: servers }));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(cwd, 'home'), NO_COLOR: '1' };
  const mcp = (...args: string[]): Promise<Ran> => run(['mcp', '--config', 'servers.json', ...args], { cwd, env });
  const inTerminal = (...args: string[]): TestTerminal => {
    const command = ['--import', import.meta.resolve('tsx'), main, 'mcp', '--config', 'servers.json', ...args];
    const terminal = new TestTerminal({ command: process.execPath, args: command, cwd, env, columns: 400, rows: 40 });
    onTestFinished(() => terminal[Symbol.dispose]());
    return terminal;
  };
  return { env, mcp, inTerminal };
}

describe('mcp --sign-in', () => {
  it('shows the page, takes only the answer to it, and keeps the tokens for the next runs', async () => {
    const service = await signInServiceOfTest();
    const { env, mcp, inTerminal } = place({ docs: { url: service.url } });
    expect((await mcp('docs')).out).toMatch(/sign-in: needed\. .*use --sign-in/);

    const terminal = inTerminal('docs', '--sign-in');
    await terminal.shows('Open this page, and agree there:');
    const [page = ''] = /http:\S+\/authorize\S+/.exec(terminal.text) ?? [];
    const back = (await fetch(page, { redirect: 'manual' })).headers.get('location') ?? '';
    expect((await fetch(`${REDIRECT}?code=evil&state=forged`)).status).toBe(404);
    const answer = await fetch(back);
    expect([answer.status, await answer.text()]).toEqual([200, 'You are signed in. You may close this window.']);
    expect((await terminal.exited).exitCode).toBe(0);
    expect(terminal.text).toContain('docs: signed in');

    const folder = join(env.HOME, '.local', 'state', 'responses-loop', 'sign-ins');
    const [file = ''] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const { code, out } = await mcp('docs');
    expect(code).toBe(0);
    expect(out).toContain('sign-in: signed in');
    expect(out).not.toContain('secret-token-');

    expect((await mcp('docs', '--sign-out')).code).toBe(0);
    expect(readFileSync(join(folder, file), 'utf8')).not.toContain('token');
    expect((await mcp('docs')).code).toBe(1);
  }, 60_000);

  it('ends if the service refuses', async () => {
    const service = await signInServiceOfTest();
    const { inTerminal } = place({ docs: { url: service.url } });
    const terminal = inTerminal('docs', '--sign-in');
    await terminal.shows('Open this page, and agree there:');
    const state = new URL(/http:\S+\/authorize\S+/.exec(terminal.text)?.[0] ?? '').searchParams.get('state');
    const answer = await fetch(`${REDIRECT}?error=access_denied&state=${state}`);
    expect(answer.status).toBe(400);
    expect((await terminal.exited).exitCode).toBe(1);
    expect(terminal.text).toContain('access_denied');
  }, 60_000);

  it('wants one server that is reached over HTTP', async () => {
    const { mcp } = place({ a: { command: 'no-such' }, b: { url: 'http://127.0.0.1:1/mcp' } });
    expect(await mcp('--sign-in')).toMatchObject({
      code: 2,
      err: expect.stringContaining('--sign-in wants one SERVER'),
    });
    expect((await mcp('a', '--sign-in')).err).toContain('"a" is a local process');
    expect((await mcp('b', '--sign-in', '--call', 'x')).err).toContain('with one SERVER and no other action');
    expect(await mcp('b', '--sign-in')).toMatchObject({ code: 1 });
  });
});

describe('mcp, one tool', () => {
  const servers = { everything: { command: process.execPath, args: [everythingPath] } };

  it('is shown whole: its description, and each argument', async () => {
    const { mcp } = place(servers);
    const { code, out } = await mcp('everything', 'get-sum');
    expect(code).toBe(0);
    expect(out).toContain('\n    a: a number, required\n      First number\n');
    expect((await mcp('everything')).out).toContain('\n      a: a number, required\n');
    expect(await mcp('everything', 'nothing')).toMatchObject({
      code: 2,
      err: expect.stringContaining('TOOL: unknown tool "nothing". There are: '),
    });
  });

  it('is called by a form, which asks again until a value fits', async () => {
    const { inTerminal } = place(servers);
    const terminal = inTerminal('everything', '--call', 'get-sum');
    await terminal.shows('a: a number, required');
    terminal.write('two\r');
    await terminal.shows('This must be a number');
    terminal.write('2\r');
    await terminal.shows('b: a number, required');
    terminal.write('40\r');
    expect((await terminal.exited).exitCode).toBe(0);
    expect(terminal.text).toContain('--call get-sum {"a":2,"b":40}');
    expect(terminal.text).toContain('The sum of 2 and 40 is 42.');
  }, 60_000);

  it('is not called if the user leaves the form', async () => {
    const { inTerminal } = place(servers);
    const terminal = inTerminal('everything', '--call', 'echo');
    await terminal.shows('message: text, required');
    terminal.write('\u0004');
    expect((await terminal.exited).exitCode).toBe(1);
    expect(terminal.text).toContain('Nothing was called.');
  }, 60_000);
});
