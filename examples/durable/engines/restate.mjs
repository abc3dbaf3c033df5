// Restate: its server from npm, one binary; workers behind a proxy, since it calls them by URL.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, kill, start, until } from '../support/process.mjs';
import { startProxy } from '../support/proxy.mjs';
import { Workers } from './workers.mjs';

const platform = `${process.platform}-${process.arch}`;
const binary = fileURLToPath(
  new URL(`../node_modules/@restatedev/restate-server-${platform}/bin/restate-server`, import.meta.url),
);

export async function startRestate(place) {
  if (!existsSync(binary)) return { name: 'Restate', skipped: `no server for ${platform} in npm` };
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    RUST_LOG: 'warn',
  };
  const args = ['--no-logo', '--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(node)];
  const log = join(place.dir, 'restate-server.log');
  let server;
  const startServer = async () => {
    server = start(binary, [...args, '--base-dir', join(place.dir, 'restate')], { env, log });
    await until('Restate is up', async () => (await fetch(`http://127.0.0.1:${admin}/health`)).ok);
    await until('its ingress is up', async () => (await fetch(`http://127.0.0.1:${ingress}/restate/health`)).ok);
  };
  await startServer();
  const workers = await Workers.of('restate.mjs', 2, place, () => ({}));
  const proxy = await startProxy(workers.ports);
  const attach = (loop, path) => fetch(`http://127.0.0.1:${ingress}/restate/workflow/agent/${loop}/${path}`);
  const ids = new Map();
  return {
    name: 'Restate',
    workers,
    async register() {
      const body = JSON.stringify({ uri: `http://127.0.0.1:${proxy.port}`, force: true });
      const headers = { 'content-type': 'application/json' };
      await until(
        'the worker is registered',
        async () => (await fetch(`http://127.0.0.1:${admin}/deployments`, { method: 'POST', headers, body })).ok,
      );
    },
    async submit(loop) {
      await until(`loop ${loop} is submitted`, async () => {
        const response = await fetch(`http://127.0.0.1:${ingress}/agent/${loop}/run/send`, { method: 'POST' });
        if (!response.ok) throw new Error(await response.text());
        ids.set(loop, (await response.json()).invocationId);
        return true;
      });
    },
    /** The answer, or `{ cancelled }`, or `{ failed }`. */
    result: (loop, limitMs) =>
      until(
        `loop ${loop} ends`,
        async () => {
          const response = await attach(loop, 'output');
          if (response.ok) return response.json();
          const { code, message } = await response.json();
          // Not ready yet.
          if (response.status === 470 || /not ready/i.test(message)) return undefined;
          return code === 409 && /cancel/i.test(message) ? { cancelled: true } : { failed: message };
        },
        limitMs,
      ),
    async cancel(loop) {
      await fetch(`http://127.0.0.1:${admin}/invocations/${ids.get(loop)}/cancel`, { method: 'PATCH' });
    },
    async restartServer() {
      await kill(server);
      await startServer();
    },
    /** The other worker gets what the dead one had, by itself. */
    takeOver: async () => {},
    async stop() {
      await workers.stop();
      proxy.close();
      await kill(server);
    },
  };
}
