import { freePort } from '../agent-runtime/test/support/free-port.js';
import { type RestateServer, startRestateServer } from '../durable/engines/restate-server.mjs';
import { startProxy } from '../durable/support/proxy.mjs';

/** Instances behind the address that Restate knows. */
const MOST = 8;

/** A Restate server, and the address in front of the instances that it calls: what a load balancer is elsewhere. */
export interface RestateOfInstances {
  readonly server: RestateServer;
  /** What the next instance is started with. */
  flags(): Promise<readonly string[]>;
  /** Waits until Restate knows the instances. */
  ready(): Promise<void>;
  /** Tells Restate about the instances again: one has another service. */
  register(): Promise<void>;
  /** What Restate has of the turns. */
  select(what: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  close(): Promise<void>;
}

/** `settings` are variables of its configuration. */
export async function startRestate(
  dir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RestateOfInstances | { skipped: string }> {
  // Of a machine that is gone or frozen Restate hears nothing: it asks more often than it does by itself.
  const alive = { RESTATE_HTTP_KEEP_ALIVE_OPTIONS__INTERVAL: '1s', RESTATE_HTTP_KEEP_ALIVE_OPTIONS__TIMEOUT: '2s' };
  const server = await startRestateServer({ dir, settings: { ...alive, ...settings } });
  if ('skipped' in server) return server;
  const ports: number[] = [];
  const proxy = await startProxy(ports);
  const register = (): Promise<void> => server.register(`http://127.0.0.1:${proxy.port}`);
  let registered: Promise<void> | undefined;
  return {
    server,
    flags: async () => {
      const port = await freePort();
      ports.unshift(port);
      ports.splice(MOST);
      return ['--engine', 'restate', '--restate', server.ingress, '--restate-port', String(port)];
    },
    ready: () => (registered ??= register()),
    register,
    select: async (what) => {
      const headers = { 'content-type': 'application/json', accept: 'application/json' };
      const body = JSON.stringify({ query: what });
      return (await (await fetch(`${server.admin}/query`, { method: 'POST', headers, body })).json()).rows;
    },
    close: async () => {
      proxy.close();
      await server.halt();
    },
  };
}
