// DBOS: a library in the worker, and Postgres, here of Debian's package in a folder of its own.
import { DBOSClient } from '@dbos-inc/dbos-sdk';
import { startPostgres } from '../../shared/test-support/postgres.mjs';
import { until } from '../support/process.mjs';
import { Workers } from './workers.mjs';

export async function startDbos(place) {
  const postgres = await startPostgres({ fsync: 'on' });
  if ('skipped' in postgres) return { name: 'DBOS', skipped: postgres.skipped };
  const url = postgres.createDatabase();
  const workers = await Workers.of('dbos.mjs', 2, place, (index) => ({
    DATABASE_URL: url,
    EXECUTOR_ID: `machine${index}`,
  }));
  let client;
  let turn = 0;
  return {
    name: 'DBOS',
    workers,
    async register() {
      client = await DBOSClient.create({ systemDatabaseUrl: url });
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
    async restartServer() {
      await postgres.halt();
      await postgres.resume();
    },
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
