// A worker for DBOS: `node dbos.mjs`. It takes up the loops of its own executor id when it starts.
import { createServer } from 'node:http';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { runLoop, unkept } from './agent.mjs';
import { PartHub } from './parts.mjs';

const hub = new PartHub();

const agent = DBOS.registerWorkflow(
  async (loop) => {
    const feed = hub.begin(loop);
    // One for each attempt: its calls are counted.
    const journal = { step: ({ key }, run) => DBOS.runStep(() => unkept(run), { name: key }) };
    const answer = await runLoop({ loop, journal, onPart: feed.part });
    feed.end();
    return answer;
  },
  // Without end: the number of recoveries is no fault of the loop.
  { name: 'agent', maxRecoveryAttempts: 1_000 },
);

DBOS.setConfig({
  name: 'durable',
  systemDatabaseUrl: process.env.DATABASE_URL,
  executorID: process.env.EXECUTOR_ID,
  // Steps of one version of the code only.
  applicationVersion: '1',
  logLevel: 'error',
});
await DBOS.launch();
await hub.serve(Number(process.env.PARTS_PORT));

/** `POST /<loop>` starts one. */
const server = createServer((request, response) => {
  const loop = request.url.slice(1);
  DBOS.startWorkflow(agent, { workflowID: loop })(loop).then(
    () => response.writeHead(200).end(),
    (error) => response.writeHead(500).end(String(error)),
  );
});
server.listen(Number(process.env.PORT), '127.0.0.1');
