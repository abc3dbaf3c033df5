import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { typesOf, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { BIN, dataOf, homeOf, newFolder, spawnChat, spawnIn, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel({ delayMs: 50 });
});
afterAll(async () => {
  await model.close();
});

/** `undefined`: nothing holds it yet. */
function pidIn(lock: string): number | undefined {
  try {
    return (JSON.parse(readFileSync(lock, 'utf8')) as { pid: number }).pid;
  } catch {
    return undefined;
  }
}

describe('the program', () => {
  it('prints one line on stdout, and makes a token that it keeps', async () => {
    const workspace = newFolder();
    const { said, child, ended } = spawnChat({ workspace, env: { CHAT_TOKEN: '' } });
    await until(
      () => said.stdout,
      (text) => text.includes('\n'),
    );
    const [, token] = /^Chat: http:\/\/127\.0\.0\.1:\d+\/#token=([\w-]{20,})\n$/.exec(said.stdout) ?? [];
    const file = dataOf(workspace, 'token');
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    child.kill('SIGINT');
    expect(await ended).toMatchObject({ code: 0 });
    expect(existsSync(dataOf(workspace, 'lock'))).toBe(false);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'at %s stores the running turn, ends its MCP servers, and is gone within 5 s',
    async (signal) => {
      const mcp = countingServer(newFolder());
      const chat = await startChat({ baseURL: model.baseURL, args: mcp.args });
      const text = Array.from({ length: 200 }, (_, n) => `w${n}`).join(' ');
      const turn = chat.send('s', `call wait {}`).catch(() => undefined);
      await until(
        () => mcp.did(),
        (did) => did.includes('wait began'),
      );
      const other = chat.send('t', text).catch(() => undefined);
      await until(
        async () => (await (await chat.fetch('GET', '/api/sessions/t')).text()).includes('"running":true'),
        (running) => running,
      );
      await until(
        () => model.requests.length,
        (count) => count > 1,
      );
      const begun = Date.now();
      expect(await chat.end(signal)).toMatchObject({ code: 0 });
      expect(Date.now() - begun).toBeLessThan(8_000);
      expect(typesOf((await turn)?.chunks ?? [])).toContain('abort');
      await other;
      const file = dataOf(chat.workspace, 'sessions/s/messages.jsonl');
      expect(readFileSync(file, 'utf8')).toContain('"toolName":"wait"');
      expect(mcp.did()).not.toContain('wait ended');
    },
  );

  it.each([
    ['that listens', true],
    ['that still starts', false],
  ])(
    'ends with npm, which at SIGTERM ends the shell it was started in and nothing else: a server %s',
    async (_what, isListening) => {
      const folder = newFolder();
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { chat: `true && node ${BIN}` } }));
      const { child, said, ended } = spawnIn(
        'npm',
        ['run', '--silent', 'chat', '--', '--offline', '--no-open', '--port', '0'],
        folder,
      );
      const lock = dataOf(folder, 'lock');
      const pid = await until(
        () => pidIn(lock),
        (found) => found !== undefined && (!isListening || said.stdout.includes('\n')),
      );
      child.kill('SIGTERM');
      await until(
        () => existsSync(lock),
        (isHeld) => !isHeld,
        15_000,
      ).catch((error: unknown) => {
        process.kill(pid ?? 0, 'SIGKILL');
        throw error;
      });
      // It holds the pipes of npm as long as it lives.
      await ended;
    },
  );

  it('outlives the shell it was started from, where that is no shell of npm but one below another script', async () => {
    const folder = newFolder();
    const script = '"$@" & echo "pid $!"; while [ ! -e gone ]; do sleep 0.05; done';
    const server = [process.execPath, BIN, '--offline', '--no-open', '--port', '0'];
    // As in a terminal that `npm run terminal` opened.
    const env = { npm_lifecycle_event: 'terminal', npm_lifecycle_script: 'tmux' };
    const { child, said } = spawnIn('sh', ['-c', script, 'sh', ...server], folder, env);
    const text = await until(
      () => said.stdout,
      (all) => all.includes('pid ') && all.includes('Chat: '),
    );
    const [, pid] = /pid (\d+)/.exec(text) ?? [];
    const [, port] = /:(\d+)\//.exec(text) ?? [];
    try {
      writeFileSync(join(folder, 'gone'), '');
      await new Promise((resolve) => child.once('exit', resolve));
      // It looks twice a second.
      await sleep(2_000);
      expect((await fetch(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
    } finally {
      process.kill(Number(pid), 'SIGKILL');
    }
  });

  it('refuses a data folder that another server has, with its pid, and takes over one of a server that was killed', async () => {
    const workspace = newFolder();
    const first = await startChat({ workspace });
    const second = await spawnChat({ workspace }).ended;
    expect(second).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(String(first.pid)) as string });
    await first.end('SIGKILL');
    const third = await startChat({ workspace });
    expect((await third.end()).code).toBe(0);
  });

  it('refuses a port that is taken, and says so', async () => {
    const first = await startChat();
    const { code, stderr } = await spawnChat({ args: ['--port', String(first.port)] }).ended;
    expect(code).toBe(2);
    expect(stderr).toMatch(/Port \d+ of 127\.0\.0\.1 cannot be used: the port is in use/);
  });

  it.each([
    ['another address without a token', ['--host', '0.0.0.0'], { CHAT_TOKEN: '' }, /CHAT_TOKEN/],
    ['a short token', [], { CHAT_TOKEN: 'short' }, /16 characters/],
    ['a token that no header holds', [], { CHAT_TOKEN: 'sixteen characters' }, /CHAT_TOKEN/],
    ['a workspace that is not there', ['-w', '/nowhere/at/all'], {}, /folder .* not found/],
    ['a port that is none', ['--port', 'x'], {}, /whole number/],
    ['a grace that is none', ['--grace', '1.5'], {}, /whole number/],
    ['an unknown option', ['--bad'], {}, /unknown option/],
    ['a config that is not there', ['--mcp-config', '/nowhere.json'], {}, /cannot be read/],
  ])('refuses %s with exit code 2', async (_what, args, env, message) => {
    const { code, stderr, stdout } = await spawnChat({ args, env }).ended;
    expect(stderr).toMatch(message);
    expect([code, stdout]).toEqual([2, '']);
  });

  it('refuses a secret that is empty, as a full disk leaves it', async () => {
    const workspace = newFolder();
    homeOf(workspace);
    mkdirSync(dataOf(workspace), { recursive: true, mode: 0o700 });
    writeFileSync(dataOf(workspace, 'secret'), '');
    expect(await spawnChat({ workspace }).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/secret has to hold/) as string,
    });
  });

  it('reads a session whose file was garbled from its messages', async () => {
    const instant = await startScriptedModel();
    const workspace = newFolder();
    const first = await startChat({ baseURL: instant.baseURL, workspace });
    await first.send('g', 'hello');
    await first.end();
    writeFileSync(dataOf(workspace, 'sessions/g/session.json'), '{"version":1,');
    const chat = await startChat({ baseURL: instant.baseURL, workspace });
    expect((await chat.session('g')).messages).toHaveLength(2);
    await chat.send('g', 'next');
    expect((await chat.session('g')).messages).toHaveLength(4);
    expect(chat.stderr).toMatch(/session\.json of g was rebuilt/);
    await instant.close();
  });
});
