import { randomUUID } from 'node:crypto';
import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommand } from '../../run-command.js';
import { livingIn, until } from '../helpers/processes.js';
import { createSandbox, type Sandbox, type SandboxPlace } from '../../sandbox.js';

/** Not below `/tmp`, which is another folder in the sandbox. */
const CACHE = join(process.cwd(), 'node_modules/.cache');

let base = '';
let root = '';
let home = '';
const at = (...parts: string[]): string => join(base, ...parts);

beforeEach(() => {
  mkdirSync(CACHE, { recursive: true });
  base = realpathSync(mkdtempSync(join(CACHE, 'sandbox-')));
  [root, home] = [at('home', 'work'), at('home')];
  mkdirSync(root, { recursive: true });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function put(path: string, text = ''): string {
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const PATH = process.env['PATH'] ?? '';
const placeOf = (more: Partial<SandboxPlace> = {}): SandboxPlace => ({
  ...{ roots: [root], hidden: [], hasNetwork: false, path: PATH, home },
  ...more,
});

interface RunOptions {
  readonly place?: Partial<SandboxPlace>;
  readonly opened?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function run(command: string, { place, opened, env = {}, timeoutMs = 20_000, signal }: RunOptions = {}) {
  const sandbox = createSandbox('required', placeOf(place));
  const path = place?.path ?? PATH;
  return runCommand({
    command,
    cwd: root,
    env: { PATH: path, HOME: home, ...env },
    timeoutMs,
    signal,
    sandbox: sandbox.wrap(opened),
  });
}

async function output(command: string, options?: RunOptions): Promise<string> {
  return (await run(command, options)).output;
}

function tried(): Sandbox {
  mkdirSync(CACHE, { recursive: true });
  return createSandbox('auto', { roots: [CACHE], hidden: [], hasNetwork: false, path: PATH });
}

const { isOn, label } = tried();
if (!isOn) console.log(`SKIPPED: commands in a sandbox of the system: ${label}`);

describe.runIf(isOn)('a command in the sandbox', () => {
  it('writes in the workspace, and nowhere else', async () => {
    put(at('outside'), 'old');
    const said = await output(
      `echo new > in; echo new > ${at('outside')}; echo x > /etc/x; rm ${at('outside')}; cat in`,
    );
    expect(said).toMatch(/\/etc\/x: Read-only[^]*new\n$/);
    // A checkout below a folder for temporary files has an empty one of its own around it.
    if (!/^\/(var\/)?tmp\//.test(base)) expect(said).toMatch(/outside: Read-only file system/);
    expect([readFileSync(join(root, 'in'), 'utf8'), readFileSync(at('outside'), 'utf8')]).toEqual(['new\n', 'old']);
  });

  it('writes nothing at all if it is to read only, but for a folder of its own for temporary files', async () => {
    const own = `/tmp/kept-${randomUUID()}`;
    const said = await output(`echo x > in; echo kept > ${own} && cat ${own}`, { place: { isReadOnly: true } });
    expect(said).toMatch(/in: Read-only file system[^]*kept\n$/);
    expect(existsSync(own)).toBe(false);
  });

  it('sees nothing of the home folder but the workspace', async () => {
    put(at('home', '.ssh', 'id_rsa'), 'KEY');
    put(at('home', '.netrc'), 'KEY');
    put(at('home', 'work', 'a'), 'text');
    expect(await output('cat ~/.ssh/id_rsa ~/.netrc; ls -A ~; cat a; echo x > ~/new')).toMatch(
      /No such file[^]*No such file[^]*\nwork\ntext$/,
    );
    expect(readdirSync(home).toSorted()).toEqual(['.netrc', '.ssh', 'work']);
  });

  it('sees no keys either where the home folder itself is the workspace', async () => {
    put(at('home', '.ssh', 'id_rsa'), 'KEY');
    put(at('home', '.netrc'), 'KEY');
    const said = await output('cat ~/.ssh/id_rsa ~/.netrc; echo x > ~/new', { place: { roots: [home] } });
    expect(said).not.toContain('KEY');
    expect(existsSync(at('home', 'new'))).toBe(true);
  });

  it('runs programs of the home folder that are in PATH, and reads no keys beside them', async () => {
    const program = put(at('home', '.cargo', 'bin', 'tool'), '#!/bin/sh\necho tool runs; cat ~/.rustup/settings');
    chmodSync(program, 0o755);
    put(at('home', '.rustup', 'settings'), 'toolchain\n');
    put(at('home', '.cargo', 'credentials.toml'), 'KEY');
    chmodSync(put(at('home', '.nvm', 'versions', 'bin', 'other'), '#!/bin/sh\n. ~/.nvm/versions/lib'), 0o755);
    put(at('home', '.nvm', 'versions', 'lib'), 'echo lib');
    chmodSync(put(at('home', 'bin', 'own'), '#!/bin/sh\necho own'), 0o755);
    put(at('home', 'file'), 'KEY');
    const path = [at('home', '.cargo', 'bin'), at('home', '.nvm', 'versions', 'bin'), at('home', 'bin'), PATH].join(
      ':',
    );
    const said = await output('tool; other; own; cat ~/.cargo/credentials.toml ~/file; touch ~/.cargo/bin/x', {
      place: { path },
    });
    expect(said).toMatch(/^tool runs\ntoolchain\nlib\nown\n/);
    expect(said).not.toContain('KEY');
    expect(readdirSync(at('home', '.cargo', 'bin'))).toEqual(['tool']);
  });

  it('reaches no server of this machine, unless the network is allowed', async () => {
    let asked = 0;
    const server = createServer((_, response) => {
      asked += 1;
      response.end('served');
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3 && cat <&3`;
    expect(await output(command)).toMatch(/refused|unreachable/i);
    expect(asked).toBe(0);
    expect(await output(command, { place: { hasNetwork: true } })).toContain('served');
    server.close();
  });

  it('sees no sockets and files in the folders for temporary files', async () => {
    const folder = mkdtempSync('/tmp/sandbox-socket-');
    const server = createServer((_, response) => response.end('served')).listen(join(folder, 'socket'));
    await new Promise((resolve) => server.once('listening', resolve));
    expect(
      await output('ls -A /tmp /var/tmp /run; echo; echo "$SSH_AUTH_SOCK $XDG_RUNTIME_DIR"', {
        env: { SSH_AUTH_SOCK: join(folder, 'socket'), XDG_RUNTIME_DIR: folder },
      }),
    ).not.toContain(folder);
    expect(await output(`ls ${folder}/socket`)).toMatch(/No such file/);
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('sees nothing of the folders of the application, wherever they are', async () => {
    put(at('data', 'token'), 'SECRET');
    put(join(root, '.data', 'token'), 'SECRET');
    put(at('data', 'outputs', 'call.txt'), 'whole output');
    const place = { hidden: [at('data'), join(root, '.data')], readable: [at('data', 'outputs')] };
    const said = await output(`cat ${at('data')}/* .data/*; cat ${at('data', 'outputs', 'call.txt')}`, { place });
    expect(said).not.toContain('SECRET');
    expect(said).toContain('whole output');
  });

  it('does not change what git runs, and works with the rest of the repository', async () => {
    put(join(root, 'a'), 'text');
    const git = 'git -c user.name=a -c user.email=a@b';
    await runCommand({ command: 'git init -q .', cwd: root, env: { PATH, HOME: home }, timeoutMs: 20_000 });
    const config = readFileSync(join(root, '.git/config'), 'utf8');
    const done = await run(`${git} add a && ${git} commit -qm one && git log --oneline && git checkout -qb other`);
    expect(done).toMatchObject({ exitCode: 0, output: expect.stringMatching(/one/) });
    const tricks = [
      'echo x > .git/hooks/pre-commit',
      'git config core.fsmonitor "touch x"',
      'mv .git .old && cp -r .old .git && echo x > .git/config',
      'mv .git/hooks .git/old',
      'rm -rf .git/hooks .git/config',
      'ln -sf /etc/passwd .git/config',
    ];
    for (const trick of tricks) expect((await run(trick)).exitCode).not.toBe(0);
    expect(readFileSync(join(root, '.git/config'), 'utf8')).toBe(config);
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
    rmSync(join(root, '.git/hooks'), { recursive: true });
    expect((await run('mkdir -p .git/hooks && echo x > .git/hooks/pre-commit')).exitCode).not.toBe(0);
    expect(existsSync(join(root, '.git/hooks/pre-commit'))).toBe(false);
  });

  it('does not lead git to another repository', async () => {
    put(join(root, '.git'), 'gitdir: /elsewhere');
    for (const trick of ['echo x > .git', 'mv .git old', 'rm .git', 'ln -sf /x .git'])
      expect((await run(trick)).exitCode).not.toBe(0);
    expect(readFileSync(join(root, '.git'), 'utf8')).toBe('gitdir: /elsewhere');
  });

  it('gets what was opened to it, and no more', async () => {
    put(at('home', 'other', 'a'), 'opened');
    put(at('home', 'more', 'a'), 'SECRET');
    const said = await output('cat ~/other/a; echo x > ~/other/b; cat ~/more/a', { opened: [at('home', 'other')] });
    expect(said).toContain('opened');
    expect(said).not.toContain('SECRET');
    expect(existsSync(at('home', 'other', 'b'))).toBe(true);
  });

  it('has no rights, no terminal and no way to get either', async () => {
    const said = await output(
      'grep -E "Cap(Prm|Eff|Bnd)|NoNewPrivs" /proc/self/status; tty; mount -o remount,rw /; umount ~',
    );
    expect(said.match(/^Cap\w+:\t0+$/gm)).toHaveLength(3);
    expect(said).toMatch(/NoNewPrivs:\t1\nnot a tty\n/);
    expect(await output('ls /proc | grep -c "^[0-9]"')).toMatch(/^\d\n$/);
    const settings = [
      '/proc/sys/kernel/domainname',
      '/proc/sysrq-trigger',
      '/sys/kernel/mm/ksm/run',
      '/sys/power/state',
    ];
    for (const path of settings) expect((await run(`echo 0 > ${path}`)).exitCode).not.toBe(0);
    expect((await run('mknod /tmp/disk b 8 0')).exitCode).not.toBe(0);
    expect(await output('ls /dev')).not.toMatch(/sda|mem|kmsg/);
  });

  it('ends as it would without: with its code, its signal, and both outputs in order', async () => {
    expect(await run('echo one; echo two >&2; echo three; exit 7')).toMatchObject({
      exitCode: 7,
      output: 'one\ntwo\nthree\n',
    });
    expect((await run('kill -SEGV $$')).exitCode).toBe(139);
    expect((await run('no-such-program')).exitCode).toBe(127);
  });

  const stubborn =
    'trap "" TERM; (trap "" TERM; setsid sleep 617 & while :; do sleep 0.1; done) & touch begun; wait; sleep 617';

  it('is ended at the time limit with all that it started, though it takes no notice', async () => {
    const result = await run(stubborn, { timeoutMs: 1000 });
    expect(result.ended).toBe('timeout');
    expect(livingIn(root)).toEqual([]);
  });

  it('is ended when it is stopped, and may tidy up before', async () => {
    const stop = new AbortController();
    const running = run('trap "echo tidy; exit 3" TERM; touch begun; sleep 617 & wait', { signal: stop.signal });
    await until(() => existsSync(join(root, 'begun')));
    stop.abort();
    expect(await running).toMatchObject({ ended: 'abort', exitCode: 3, output: 'tidy\n' });
    expect(livingIn(root)).toEqual([]);
  });

  it('leaves nothing behind when it ends by itself', async () => {
    expect(await run('setsid sleep 617 & disown; echo done')).toMatchObject({ exitCode: 0, output: 'done\n' });
    await until(() => livingIn(root).length === 0);
  });

  it('ends with the program that started it, however that ended', async () => {
    const wrapped = createSandbox('required', placeOf()).wrap();
    const script = `require('node:child_process').spawn(process.argv[1], process.argv.slice(2), { detached: true, stdio: 'ignore' }); setInterval(() => {}, 1000)`;
    const args = ['-e', script, '--', ...wrapped, '--chdir', root, '--', '/bin/sh', '-c', 'touch begun; sleep 617'];
    const program = spawn(process.execPath, args, { stdio: 'ignore' });
    await until(() => existsSync(join(root, 'begun')));
    expect(livingIn(root)).not.toEqual([]);
    program.kill('SIGKILL');
    await until(() => livingIn(root).length === 0);
  });

  it('says why its sandbox cannot be made', async () => {
    const sandbox = createSandbox('required', placeOf());
    const wrapped = sandbox.wrap();
    rmSync(root, { recursive: true });
    const command = { command: 'echo ran', cwd: root, env: { PATH }, timeoutMs: 20_000, sandbox: wrapped };
    await expect(runCommand(command)).rejects.toThrow(/The sandbox cannot be made: .*No such file/);
  });

  it('is opened nothing that holds homes, the system, or what is hidden', () => {
    put(at('data', 'x'));
    put(at('other', 'x'));
    symlinkSync('/', at('link'));
    const sandbox = createSandbox('auto', placeOf({ hidden: [at('data')] }));
    const all = ['/', '/etc/passwd', '/usr/bin', '/tmp', home, base, root, at('data'), at('data', 'x'), at('none')];
    expect(sandbox.openable([...all, at('other', 'x')])).toEqual([at('other', 'x')]);
  });
});
