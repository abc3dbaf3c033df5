// Postgres of the system's packages, for tests: in a temporary folder, on loopback, under a user without rights.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, closeSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const START_MS = 60_000;

export async function startPostgres(settings = {}) {
  const bin = programs();
  if (bin === undefined) return { skipped: 'no Postgres here (Debian: apt-get install postgresql)' };
  const user = process.getuid?.() === 0 ? idsOf('postgres') : {};
  if (user === undefined) return { skipped: 'Postgres does not run as root, and has no user of its own' };
  const folder = mkdtempSync(join(tmpdir(), 'postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const options = { ...user, cwd: folder, stdio: 'pipe' };
  const made = ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'];
  execFileSync(join(bin, 'initdb'), made, options);
  const server = new Postgres({ bin, folder, data, user, settings, port: await freePort() });
  await server.resume();
  return server;
}

export async function postgresForTests() {
  const server = await startPostgres();
  if (!('skipped' in server)) return server;
  if (process.env.CI !== undefined) throw new Error(`These tests need Postgres: ${server.skipped}.`);
  console.warn(`Tests with Postgres are left out: ${server.skipped}.`);
  return undefined;
}

class Postgres {
  #place;
  #child;
  #databases = 0;

  constructor(place) {
    this.#place = place;
    this.port = place.port;
    this.url = this.#urlOf('postgres');
  }

  createDatabase() {
    const { bin, user, folder, port } = this.#place;
    this.#databases += 1;
    const name = `test_${this.#databases}`;
    const args = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres', name];
    execFileSync(join(bin, 'createdb'), args, { ...user, cwd: folder, stdio: 'pipe' });
    return this.#urlOf(name);
  }

  async resume() {
    const { bin, folder, data, user, settings, port } = this.#place;
    const all = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: 200,
      fsync: 'off',
    };
    const flags = Object.entries({ ...all, ...settings }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const log = openSync(join(folder, 'log'), 'a');
    // The shell ends the server when its own input ends: also if this process is killed.
    const script = '"$@" </dev/null & server=$!; (cat >/dev/null; kill -QUIT $server) <&3 & wait $server';
    const args = ['-c', `exec 3<&0; ${script}`, 'sh', join(bin, 'postgres'), '-D', data, ...flags];
    this.#child = spawn('sh', args, { ...user, cwd: folder, stdio: ['pipe', log, log] });
    closeSync(log);
    this.#child.unref();
    this.#child.stdin.unref();
    const until = Date.now() + START_MS;
    while (!isReady(data)) {
      if (Date.now() > until || this.#child.exitCode !== null) {
        throw new Error(`Postgres does not start: ${readFileSync(join(folder, 'log'), 'utf8')}`);
      }
      await sleep(20);
    }
  }

  async halt() {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.ref();
    child.stdin.end();
    await ended;
  }

  async stop() {
    await this.halt();
    rmSync(this.#place.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #urlOf(name) {
    return `postgres://postgres@127.0.0.1:${this.port}/${name}`;
  }
}

/** The server writes its state into the eighth line. */
function isReady(data) {
  const path = join(data, 'postmaster.pid');
  return existsSync(path) && readFileSync(path, 'utf8').split('\n')[7]?.trim() === 'ready';
}

/** The folder of its programs: Debian's newest, or one of the usual places. */
function programs() {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((one, other) => Number(other) - Number(one)) : [];
  const folders = [...versions.map((version) => join(root, version, 'bin')), '/usr/local/bin', '/usr/bin'];
  return folders.find((folder) => ['postgres', 'initdb', 'createdb'].every((name) => existsSync(join(folder, name))));
}

function idsOf(name) {
  try {
    const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
