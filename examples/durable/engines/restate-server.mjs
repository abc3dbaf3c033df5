// The server of Restate, from npm: one binary, on loopback.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, kill, start, until } from '../support/process.mjs';

const platform = `${process.platform}-${process.arch}`;
const binary = fileURLToPath(
  new URL(`../node_modules/@restatedev/restate-server-${platform}/bin/restate-server`, import.meta.url),
);

/** With its files in `dir`; `settings` are variables of its configuration. It ends with this process. */
export async function startRestateServer({ dir, settings = {} }) {
  if (!existsSync(binary)) {
    return { skipped: `no server for ${platform} in examples/durable (npm ci --prefix examples/durable)` };
  }
  const [ingress, admin, node] = [await freePort(), await freePort(), await freePort()];
  const env = {
    ...process.env,
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    RUST_LOG: 'warn',
    ...settings,
  };
  const args = ['--no-logo', '--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(node)];
  const log = join(dir, 'restate-server.log');
  let child;
  const server = {
    ingress: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    async resume() {
      child = start(binary, [...args, '--base-dir', join(dir, 'restate')], { env, log });
      await until('Restate is up', async () => (await fetch(`${server.admin}/health`)).ok);
      await until('its ingress is up', async () => (await fetch(`${server.ingress}/restate/health`)).ok);
    },
    /** Tells it where the workers are. */
    async register(uri) {
      const body = JSON.stringify({ uri, force: true });
      const headers = { 'content-type': 'application/json' };
      await until(
        'the workers are registered',
        async () => (await fetch(`${server.admin}/deployments`, { method: 'POST', headers, body })).ok,
      );
    },
    halt: () => kill(child),
  };
  await server.resume();
  return server;
}
