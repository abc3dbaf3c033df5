import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Report } from '../../../src/cli/mcp/report.js';
import { startProtectedServer } from '../../tools/mcp/oauth-server.js';
import { everythingPath, filesystemPath, isAlive, startEverything, until } from '../../tools/support/servers.js';
import { run, type Ran, type RunOptions } from '../support/run.js';

const hostilePath = fileURLToPath(new URL('../../support/hostile-mcp-server.mjs', import.meta.url));
const main = fileURLToPath(new URL('../../../src/cli/main.ts', import.meta.url));

const node = (...args: readonly string[]) => ({ command: process.execPath, args });
const hostile = (mode: string) => node(hostilePath, mode);
const everything = node(everythingPath);

async function folderWith(servers: object): Promise<string> {
  const cwd = await mkdtemp(join(tmpdir(), 'mcp-command-'));
  onTestFinished(() => rm(cwd, { recursive: true }));
  await writeFile(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers: servers }));
  return cwd;
}

async function mcp(servers: object, args: readonly string[] = [], options: RunOptions = {}): Promise<Ran> {
  return run(['mcp', '--config', '.mcp.json', ...args], { cwd: await folderWith(servers), ...options });
}

async function reportOf(servers: object, args: readonly string[] = []): Promise<Report & { readonly file: string }> {
  const { out } = await mcp(servers, ['--json', ...args]);
  return JSON.parse(out) as Report & { readonly file: string };
}

describe('mcp, with the servers of the protocol', () => {
  it('shows what a model sees of a server, and where that was read', async () => {
    const { code, out, err } = await mcp({ everything });
    expect([code, err]).toEqual([0, '.mcp.json: asking everything\n']);
    expect(out).toMatch(/^everything: connected in \d+ ms\n {2}command ".+everything/);
    expect(out).toMatch(/mcp-servers\/everything 2\.0\.0, MCP 2025-11-25, instructions of [\d,]+ characters/);
    expect(out).toMatch(/12 tools, [\d,]+ characters, about [\d,]+ tokens/);
    expect(out).toContain('the tool "simulate-research-query" is left out: it can only run as a task');
    expect(out).toContain('fixed in all tools: removed $schema from parameters');
    expect(out).toContain(
      'read-only, not destructive, idempotent, closed world; runs without asking under approveByAnnotations()',
    );
    expect(out).toContain('not destructive, idempotent, open world; asks first under approveByAnnotations()');
    expect(out).toMatch(/\n12 tools, [\d,]+ characters, about [\d,]+ tokens \(4 characters count as a token\)\n$/);
  });

  it('one that fails does not hide the others, and is the exit code', async () => {
    const servers = {
      gone: { command: 'no-such-program' },
      half: { url: 'nowhere' },
      off: { disabled: true },
      everything,
    };
    const { code, out } = await mcp(servers);
    expect(code).toBe(1);
    expect(out).toContain('gone: failed\n  command "no-such-program"\n  ! MCP server "gone"');
    expect(out).toContain('half: failed\n  ! mcpServers["half"] has a `url` that is not an absolute http or https URL');
    expect(out).toContain('off: disabled\n');
    expect(out).toContain('everything: connected');
    const one = await mcp(servers, ['everything']);
    expect([one.code, one.err]).toEqual([0, '.mcp.json: asking everything\n']);
  });

  it.each(['a process', 'HTTP'])(
    'prints each request and answer of %s with --messages, without secrets',
    async (kind) => {
      const TOKEN = 'sk-live-0123456789abcdef';
      const http = kind === 'HTTP' ? await startEverything('streamableHttp') : undefined;
      onTestFinished(() => http?.kill());
      const server = http
        ? { url: http.url, headers: { authorization: `Bearer ${TOKEN}` } }
        : { ...everything, env: { API_KEY: TOKEN } };
      const call = ['--call', 'echo', JSON.stringify({ message: `hi \u202e ${TOKEN}` }), '--messages'];
      const { code, out, err } = await mcp({ everything: server }, call);
      expect([code, out]).toEqual([0, expect.stringContaining('hi')]);
      const lines = err.split('\n').filter((line) => /^everything [→←] /.test(line));
      const methods = lines.flatMap((line) => /"method":"([^"]+)"/.exec(line)?.[1] ?? []);
      expect(methods).toEqual(
        expect.arrayContaining(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']),
      );
      expect(lines.find((line) => line.startsWith('everything ← ') && line.includes('Echo: hi'))).toContain(
        '"result":',
      );
      expect(err).not.toContain('\u202e');
      expect(err).not.toContain(TOKEN);
    },
  );

  it('names tools as they are together, and says what the entry left out', async () => {
    const files = { ...node(filesystemPath, tmpdir()), denyTools: ['write_*', 'mistyped'], deferTools: ['read_*'] };
    const { servers } = await reportOf({ a: files, b: node(filesystemPath, tmpdir()) });
    const [a, b] = servers;
    expect(a?.filteredOut).toEqual(['write_file']);
    expect(a?.warnings).toEqual(['MCP server "a": `denyTools` names tools that it does not have: mistyped.']);
    expect(a?.tools.find(({ originalName }) => originalName === 'read_file')).toMatchObject({
      name: 'a__read_file',
      annotations: { readOnly: true, openWorld: false },
      runsUnasked: true,
      isDeferred: true,
    });
    // No other server has it.
    expect(b?.tools.map(({ name }) => name)).toContain('write_file');
    expect(b?.tools.find(({ name }) => name === 'b__edit_file')).toMatchObject({ runsUnasked: false });
  });

  it('adds sizes up as the requests have them', async () => {
    const { servers, totals } = await reportOf({ everything });
    const echo = servers[0]?.tools.find(({ name }) => name === 'echo');
    const { name, description, schema: parameters } = echo ?? {};
    const sent = JSON.stringify({ type: 'function', name, description, parameters, strict: false });
    expect(echo?.chars).toBe(sent.length);
    expect(echo?.estimatedTokens).toBe(Math.ceil(sent.length / 4));
    expect(totals.chars).toBe(servers[0]?.tools.reduce((sum, { chars }) => sum + chars, 0));
    expect(totals.tools).toBe(12);
  });
});

describe('mcp --call', () => {
  const call = (tool: string, json: string[] = [], options: RunOptions = {}): Promise<Ran> =>
    mcp({ everything, files: node(filesystemPath, tmpdir()) }, ['--call', tool, ...json], options);

  it('prints what the model would read', async () => {
    expect(await call('get-sum', ['{"a":2,"b":40}'])).toMatchObject({ code: 0, out: 'The sum of 2 and 40 is 42.\n' });
    expect((await call('get-tiny-image')).out).toMatch(/^.+\n\[image\/png, [\d,]+ bytes\]\n.+\n$/);
  });

  it('reads arguments from standard input, and gives JSON', async () => {
    const { code, out } = await call('echo', ['-', '--json'], { stdin: '{"message":"hi"}' });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({ isError: false, content: [{ type: 'text', text: 'Echo: hi' }] });
  });

  it('ends with 1 where the tool says that it failed', async () => {
    const { code, out } = await call('read_text_file', ['{"path":"/proc/version"}']);
    expect(code).toBe(1);
    expect(out).toContain('Access denied');
  });

  it.each([
    ['no such tool', ['nope'], 'unknown tool "nope". There are: echo, '],
    ['no JSON', ['echo', '{'], 'the arguments are not JSON'],
    ['no object', ['echo', '[1]'], 'must be one JSON object'],
    [
      'what does not fit',
      ['get-sum', '{"a":"2"}'],
      'does not fit the schema of "get-sum":\n  the arguments: needs "b"\n  a: must be a number, not a string',
    ],
    ['two texts', ['echo', '{}', '{}'], 'as one JSON text: put it in quotes'],
  ])('refuses %s with what is wrong', async (_name, [tool = '', ...json], message) => {
    const { code, out, err } = await call(tool, json);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });

  it('says which of two tools of one name there are', async () => {
    const { code, err } = await mcp({ a: everything, b: everything }, ['--call', 'echo']);
    expect(code).toBe(2);
    expect(err).toContain('"echo" is a tool of several servers. There are: a__echo, b__echo.');
    expect(await mcp({ a: everything, b: everything }, ['--call', 'b__echo', '{"message":"x"}'])).toMatchObject({
      code: 0,
    });
  });

  it('gives a tool up that takes too long', async () => {
    const { code, out } = await mcp({ bad: hostile('silent') }, ['--call', 'hi', '--timeout', '1']);
    expect(code).toBe(1);
    expect(out).toMatch(/The tool "hi" timed out/);
  });
});

describe('mcp, with servers over HTTP', () => {
  it('tells revision and that no sign-in was needed', async () => {
    const server = await startEverything('streamableHttp');
    onTestFinished(() => server.kill());
    const { code, out } = await mcp({ remote: { url: server.url } });
    expect(code).toBe(0);
    expect(out).toMatch(/MCP 2025-\d\d-\d\d, /);
    expect(out).toContain('sign-in: not needed');
  });

  it('says that and how to sign in after a 401, and takes a token of the environment', async () => {
    const server = await startProtectedServer();
    const anonymous = await mcp({ docs: { url: server.url } });
    expect(anonymous.code).toBe(1);
    expect(anonymous.out).toContain(
      'sign-in: needed. The server answered 401: it signs people in with OAuth (http://127.0.0.1',
    );
    expect(anonymous.out).toContain('"Authorization": "Bearer ${TOKEN}"');
    const entry = { url: server.url, headers: { Authorization: 'Bearer ${DOCS_TOKEN}' } };
    const right = await mcp({ docs: entry }, [], { env: { DOCS_TOKEN: server.valid } });
    expect([right.code, right.out]).toEqual([0, expect.stringContaining('sign-in: signed in')]);
    const wrong = await mcp({ docs: entry }, [], { env: { DOCS_TOKEN: 'wrong-and-secret' } });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toContain('sign-in: refused. The server answered 401 to the credentials');
    expect(wrong.out + wrong.err).not.toContain('wrong-and-secret');
  });
});

describe('mcp, with hostile servers', () => {
  it.each(['ansi', 'ansi-start', 'ansi-names', 'ansi-stderr', 'hidden-text', 'odd-names', 'sur-everywhere'])(
    '%s: shows their words and obeys none of them',
    async (mode) => {
      for (const args of [[], ['--json']]) {
        const { out, err } = await mcp({ bad: hostile(mode), everything }, args);
        expect(out + err).not.toMatch(/[^\P{Cc}\n\t]/u);
        expect(out).toContain('get-sum');
      }
    },
  );

  it.each([
    ['long-schema', 'a schema may have 32000 characters'],
    ['deep-schema', 'a schema is nested too deeply'],
    ['nameless', '5 tools without a name are left out'],
    ['one-fat-page', 'it has more than 1000 tools'],
    ['exits-at-start', 'The process exited before it answered'],
  ])('%s: says what is left out and why', async (mode, reason) => {
    expect((await mcp({ bad: hostile(mode) })).out).toContain(reason);
  });

  it('many tools: a hint says how to offer less', async () => {
    expect((await mcp({ bad: hostile('one-fat-page') })).out).toMatch(
      /"allowTools" and "denyTools" .+limits\.toolsPerServer/s,
    );
  });
});

describe('mcp, as a process', () => {
  it('Ctrl-C ends it with 130, and its servers with it', async () => {
    const cwd = await folderWith({
      slow: node('-e', `require('fs').writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1000)`),
    });
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, 'mcp', '--yes'], {
      cwd,
      stdio: 'ignore',
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const pid = (): Promise<number> => readFile(join(cwd, 'pid'), 'utf8').then(Number, () => 0);
    await until(async () => (await pid()) > 0, 30_000);
    const server = await pid();
    const exit = once(child, 'exit');
    child.kill('SIGINT');
    expect(await exit).toEqual([130, null]);
    await until(() => !isAlive(server));
  });
});

describe('mcp, with what servers say', () => {
  const server = (name: string) => `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      const say = (result) => id !== undefined && console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
      if (method === 'initialize') say({ protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: ${JSON.stringify(name)}, version: '1' } });
      else if (method === 'tools/list') say({ tools: [{ name: 'read', inputSchema: { type: 'object' } }] });
      else if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }));
    });`;

  it('keeps lines in names from looking like those of another server', async () => {
    const { out } = await mcp({ odd: node('-e', server('odd\n\nfiles: connected in 1 ms')) });
    expect(out).not.toMatch(/^files: connected/m);
    expect(out).toContain('| files: connected in 1 ms');
  });

  it('hides what an entry took out of the environment where its name says that it is secret', async () => {
    const servers = { odd: node('-e', server('odd'), '${MY_TOKEN}', '${FOLDER}') };
    const env = { MY_TOKEN: 'plain-words-9', FOLDER: 'some-folder' };
    for (const args of [[], ['--json']]) {
      const { out, err } = await mcp(servers, args, { env });
      expect(out).toContain('[redacted] some-folder');
      expect(out + err).not.toContain('plain-words-9');
    }
  });

  it('ends its servers where nobody reads what it says', async () => {
    const cwd = await folderWith({
      stays: node(
        '-e',
        `require('node:fs').writeFileSync('pid', String(process.pid)); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);${server('stays')}`,
      ),
    });
    const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, 'mcp', '--yes'], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    child.stderr.resume();
    const [code] = (await once(child, 'exit')) as [number];
    const pid = Number(await readFile(join(cwd, 'pid'), 'utf8'));
    expect(isAlive(pid)).toBe(false);
    expect(code).toBe(0);
  });
});
