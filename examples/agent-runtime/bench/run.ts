// What persistence costs, and how long the lists and reloads take. Prints a table and exits with 1 if a limit is missed.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startPostgres } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { createScriptedServer } from 'responses-loop/testing';

import { type Agent, createAgent, createMemoryPersister, type StoredMessage } from '../src/index.js';
import { persisterOf } from '../src/persistence/persister-of.js';

const DELTAS = 1000;
const TURNS = 120;
const WARM_UP = 10;

interface Row {
  readonly what: string;
  readonly measured: string;
  readonly limit: string;
  readonly isHeld: boolean;
}

interface Store {
  readonly name: string;
  readonly database: string | undefined;
  readonly percent: number;
}

const workspace = mkdtempSync(join(tmpdir(), 'agent-bench-'));
const deltas = Array.from({ length: DELTAS }, (_, index) => `word${index} `);
const server = await createScriptedServer({
  otherwise: ({ index }) => ({ output: [{ type: 'text', text: deltas }], id: `resp_${index}` }),
});
const postgres = await startPostgres({ fsync: 'on' });
if ('skipped' in postgres) console.log(`Postgres is not measured: ${postgres.skipped}.`);
/** What is measured: a name, the address, and the most that persistence may add to a turn, in percent. */
const stores: readonly Store[] = [
  { name: 'SQLite', database: undefined, percent: 5 },
  ...('skipped' in postgres ? [] : [{ name: 'Postgres', database: postgres.createDatabase(), percent: 10 }]),
];
try {
  const rows: Row[] = [];
  for (const store of stores)
    rows.push(await costOfPersistence(store), ...(await lists(store)), await manyAtOnce(store));
  console.table(rows.map(({ what, measured, limit }) => ({ what, measured, limit })));
  process.exitCode = rows.every(({ isHeld }) => isHeld) ? 0 : 1;
} finally {
  await server.close();
  if (!('skipped' in postgres)) await postgres.stop();
  rmSync(workspace, { recursive: true, force: true });
}

/** Without a store: in memory. */
function makeAgent(store?: Store): Agent {
  return createAgent(
    { workspace, database: store?.database, model: 'any', apiKey: 'test', baseUrl: server.baseURL },
    store === undefined ? { persister: createMemoryPersister() } : {},
  );
}

/**
 * The same turns with rows on disk and in memory, taking turns. The median of what each pair differs by counts: a moment in
 * which the machine is busy spoils few pairs, and the median of all turns would move with it.
 */
async function costOfPersistence(store: Store): Promise<Row> {
  const [kept, fleeting] = [makeAgent(store), makeAgent()];
  await Promise.all([kept.initialize(), fleeting.initialize()]);
  const [without, added]: [number[], number[]] = [[], []];
  for (let turn = -WARM_UP; turn < TURNS; turn += 1) {
    // A session of its own for each, so that the history does not grow.
    const times = new Map<Agent, number>();
    for (const agent of turn % 2 === 0 ? [kept, fleeting] : [fleeting, kept]) times.set(agent, await timeOf(agent));
    const [withRows = 0, inMemory = 0] = [times.get(kept), times.get(fleeting)];
    if (turn < 0) continue;
    without.push(inMemory);
    added.push(withRows - inMemory);
  }
  await Promise.all([kept.destroy(), fleeting.destroy()]);
  const [addedMs, turnMs] = [median(added), median(without)];
  const percent = (addedMs / turnMs) * 100;
  return {
    what: `${store.name}: persistence in a turn of ${DELTAS} deltas`,
    measured: `${percent.toFixed(1)} % (${addedMs.toFixed(1)} ms of ${turnMs.toFixed(1)} ms)`,
    limit: `${store.percent} %`,
    isHeld: percent <= store.percent,
  };
}

async function timeOf(agent: Agent): Promise<number> {
  const session = await agent.createSession();
  const start = performance.now();
  await session.send('Talk.');
  return performance.now() - start;
}

async function lists(store: Store): Promise<Row[]> {
  const persister = persisterOf({ workspace, database: store.database });
  const now = new Date().toISOString();
  const data = {
    summary: 'A session',
    createdAt: now,
    lastActivity: now,
    cwd: null,
    model: null,
    usage: null,
  } as const;
  for (let index = 0; index < 1000; index += 1) {
    await persister.saveSession({ ...data, id: `s${index}`, state: 'idle' });
    await persister.saveMessages(`s${index}`, messages(10));
  }
  await persister.saveSession({ ...data, id: 'long', state: 'idle' });
  await persister.saveMessages('long', messages(10_000));
  await persister.close();
  const agent = makeAgent(store);
  const openMs = await milliseconds(() => agent.initialize());
  const listTimes: number[] = [];
  for (let time = 0; time < 9; time += 1) listTimes.push(await milliseconds(() => agent.getSessions(1000)));
  const listMs = median(listTimes);
  let rows: readonly StoredMessage[] = [];
  const reloadMs = await milliseconds(async () => {
    rows = (await agent.getSession('long'))?.getMessages() ?? [];
  });
  const isInOrder = rows.length === 10_000 && rows.every(({ seq }, index) => seq === index + 1);
  await agent.destroy();
  return [
    {
      what: `${store.name}: list 1,000 sessions`,
      measured: `${listMs.toFixed(0)} ms, after opening in ${openMs.toFixed(0)} ms`,
      limit: '100 ms',
      isHeld: listMs < 100,
    },
    {
      what: `${store.name}: reload ${rows.length} messages`,
      measured: `${reloadMs.toFixed(0)} ms`,
      limit: 'all in order',
      isHeld: isInOrder,
    },
  ];
}

/** Each session gets the whole answer, and none waits for another. */
async function manyAtOnce(store: Store): Promise<Row> {
  const agent = makeAgent(store);
  await agent.initialize();
  const sessions = await Promise.all(Array.from({ length: 100 }, () => agent.createSession()));
  const ms = await milliseconds(() => Promise.all(sessions.map((session) => session.send('Talk.'))));
  const isWhole = sessions.every((session) => session.getMessages().at(-1)?.content === deltas.join(''));
  await agent.destroy();
  return {
    what: `${store.name}: 100 sessions at once, ${DELTAS} deltas each`,
    measured: `${(ms / 1000).toFixed(1)} s, ${Math.round((100 * DELTAS) / (ms / 1000))} deltas/s`,
    limit: 'all whole',
    isHeld: isWhole,
  };
}

function messages(count: number): StoredMessage[] {
  return Array.from({ length: count }, (_, index) => ({
    id: crypto.randomUUID(),
    type: index % 2 === 0 ? 'user' : 'agent',
    content: `Message ${index}: ${'quack '.repeat(20)}`,
    timestamp: new Date().toISOString(),
    seq: index + 1,
    turn: Math.floor(index / 2) + 1,
  }));
}

async function milliseconds(work: () => PromiseLike<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function median(values: readonly number[] = []): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
