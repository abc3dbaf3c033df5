// Restate: its server from npm, one binary; workers behind a proxy, since it calls them by URL.
import { until } from '../support/process.mjs';
import { startProxy } from '../support/proxy.mjs';
import { startRestateServer } from './restate-server.mjs';
import { Workers } from './workers.mjs';

export async function startRestate(place) {
  const server = await startRestateServer(place);
  if ('skipped' in server) return { name: 'Restate', skipped: server.skipped };
  const { ingress, admin } = server;
  const workers = await Workers.of('restate.mjs', 2, place, () => ({}));
  const proxy = await startProxy(workers.ports);
  const attach = (loop, path) => fetch(`${ingress}/restate/workflow/agent/${loop}/${path}`);
  const ids = new Map();
  return {
    name: 'Restate',
    workers,
    register: () => server.register(`http://127.0.0.1:${proxy.port}`),
    async submit(loop) {
      await until(`loop ${loop} is submitted`, async () => {
        const response = await fetch(`${ingress}/agent/${loop}/run/send`, { method: 'POST' });
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
      await fetch(`${admin}/invocations/${ids.get(loop)}/cancel`, { method: 'PATCH' });
    },
    async restartServer() {
      await server.halt();
      await server.resume();
    },
    /** The other worker gets what the dead one had, by itself. */
    takeOver: async () => {},
    async stop() {
      await workers.stop();
      proxy.close();
      await server.halt();
    },
  };
}
