// DBOS: a library in the worker, and Postgres, here of Debian's package in a folder of its own.
import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { freePort, kill, start, until } from '../support/process.mjs';
import { Workers } from './workers.mjs';

export async function startDbos(place) {
  const bin = postgresFolder();
  if (bin === undefined) return { name: 'DBOS', skipped: 'no Postgres here (Debian: apt-get install postgresql)' };
  const postgres = await Postgres.create(bin, place.dir);
  if (postgres === undefined)
    return { name: 'DBOS', skipped: 'Postgres does not run as root, and has no user of its own' };
  const workers = await Workers.of('dbos.mjs', 2, place, (index) => ({
    DATABASE_URL: postgres.url,
    EXECUTOR_ID: `machine${index}`,
  }));
  let client;
  let turn = 0;
  return {
    name: 'DBOS',
    workers,
    async register() {
      client = await DBOSClient.create({ systemDatabaseUrl: postgres.url });
    },
    submit: (loop) =>
      until(`loop ${loop} is submitted`, async () => {
        const port = workers.ports[turn++ % workers.ports.length];
        return (await fetch(`http://127.0.0.1:${port}/${loop}`, { method: 'POST' })).ok;
      }),
    result: (loop, limitMs) =>
      until(
        `loop ${loop} ends`,
        async () => {
          const status = await client.getWorkflow(loop);
          if (status?.status === 'SUCCESS') return client.retrieveWorkflow(loop).getResult();
          if (status?.status === 'CANCELLED') return { cancelled: true };
          return status?.status === 'ERROR' ? { failed: String(status.error?.message ?? status.error) } : undefined;
        },
        limitMs,
      ),
    cancel: (loop) => client.cancelWorkflow(loop),
    restartServer: () => postgres.restart(),
    /** Without their commercial Conductor somebody has to say that a machine will not come back. */
    async takeOver(index) {
      const pending = await client.listWorkflows({ status: 'PENDING', executorId: `machine${index}` });
      for (const { workflowID } of pending) await client.resumeWorkflow(workflowID);
    },
    async stop() {
      await workers.stop();
      await client?.destroy();
      await postgres.stop();
    },
  };
}

function postgresFolder() {
  const folders = ['/usr/local/bin', '/usr/bin'];
  if (existsSync('/usr/lib/postgresql'))
    folders.unshift(...readdirSync('/usr/lib/postgresql').map((version) => `/usr/lib/postgresql/${version}/bin`));
  return folders.find((folder) => existsSync(join(folder, 'postgres')) && existsSync(join(folder, 'initdb')));
}

class Postgres {
  static async create(bin, dir) {
    const data = join(dir, 'postgres');
    mkdirSync(data);
    const ids = process.getuid?.() === 0 ? userOf('postgres') : {};
    if (ids === undefined) return undefined;
    if (ids.uid !== undefined) chownSync(data, ids.uid, ids.gid);
    const options = { ...ids, cwd: data, stdio: 'ignore' };
    execFileSync(join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '--auth=trust', '--no-sync'], options);
    const postgres = new Postgres(bin, dir, data, ids, await freePort());
    await postgres.#start();
    return postgres;
  }

  constructor(bin, dir, data, ids, port) {
    Object.assign(this, { bin, dir, data, ids, port });
    this.url = `postgresql://postgres@127.0.0.1:${port}/durable`;
  }

  async #start() {
    const args = ['-D', this.data, '-p', String(this.port), '-h', '127.0.0.1', '-k', '', '-c', 'max_connections=200'];
    const options = { ...this.ids, cwd: this.data, log: join(this.dir, 'postgres.log') };
    this.server = start(join(this.bin, 'postgres'), args, options);
    const { Client } = (await import('pg')).default;
    await until('Postgres is up', async () => {
      const client = new Client({ connectionString: this.url.replace('/durable', '/postgres') });
      await client.connect();
      await client.end();
      return true;
    });
  }

  async restart() {
    // Its processes share memory: they have to end together.
    await kill(this.server, 'SIGQUIT');
    await this.#start();
  }

  async stop() {
    await kill(this.server, 'SIGQUIT');
  }
}

function userOf(name) {
  try {
    const id = (flag) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return undefined;
  }
}
