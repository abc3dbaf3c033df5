// What one instance of each server carries, and what its database does for it: `npm run bench:capacity [-- --quick] [-- WORDS]`.
// Words choose among the servers and where they keep things, such as `-- agent engine`. Linux only.
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { tableOf } from '../counts.js';
import { startModel } from '../model.js';
import { type Candidate, CANDIDATES } from './candidates.js';
import { DatabaseMeter, MEASURED_POSTGRES } from './database-cost.js';
import { measure, type Measured } from './measure.js';

const { values, positionals } = parseArgs({ options: { quick: { type: 'boolean' } }, allowPositionals: true });
const LEVELS = values.quick === true ? [1, 20] : [1, 10, 50, 100];
const IDLE_MS = values.quick === true ? 3_000 : 10_000;
/** As a quick model writes: 50 words a second, 100 in each of two rounds. */
const MODEL = { eventMs: 20, toolMs: 200, words: 100 };

const chosen = CANDIDATES.filter(({ server, keeps }) =>
  positionals.every((word) => `${server} ${keeps}`.includes(word)),
);
if (chosen.length === 0) throw new Error(`Nothing is named ${positionals.join(' ')}.`);
const postgres = await startPostgres(MEASURED_POSTGRES);
if ('skipped' in postgres) console.log(`Postgres is not measured: ${postgres.skipped}.`);
const model = await startModel(MODEL);
console.log(
  `Node ${process.version.slice(1)}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, all on this machine.`,
);
console.log('A turn: a message, two requests of 100 words each at 50 words a second, a tool of 200 ms between them.\n');
const all: { readonly what: string; readonly measured: Measured }[] = [];
for (const candidate of chosen) {
  const measured = await measureOne(candidate);
  if (measured === undefined) continue;
  const what = `${candidate.server}, ${candidate.keeps}`;
  console.log(`${levelsOf(what, measured)}\n`);
  all.push({ what, measured });
}
console.log(`${tableOf(all.map(({ what, measured }) => memoryOf(what, measured)))}\n`);
const kept = all.flatMap(({ what, measured }) => databaseOf(what, measured));
if (kept.length > 0) console.log(tableOf(kept));
await model.close();
if (!('skipped' in postgres)) await postgres.stop();
const isWhole = all.every(({ measured }) => measured.levels.every((level) => level.isWhole));
console.log(isWhole ? '\nEach turn had its whole answer.' : '\nSome turns had no whole answer.');
process.exit(isWhole ? 0 : 1);

async function measureOne(candidate: Candidate): Promise<Measured | undefined> {
  if (candidate.keeps !== 'files' && 'skipped' in postgres) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'capacity-'));
  const database = candidate.keeps === 'files' || 'skipped' in postgres ? '' : postgres.createDatabase();
  const meter = database === '' ? undefined : new DatabaseMeter(database);
  try {
    const place = { folder, database, ledger: join(folder, 'ledger.jsonl'), modelUrl: model.baseURL };
    const instance = await candidate.start(place);
    await meter?.open();
    const measured = await measure({ candidate, instance, meter, levels: LEVELS, idleMs: IDLE_MS });
    await instance.end('SIGTERM');
    return measured;
  } finally {
    await meter?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function levelsOf(what: string, { levels }: Measured): string {
  return tableOf(
    levels.map(({ atOnce, median, longest, cpuMs, cpuPercent, memoryMb }) => ({
      ...{ what, 'turns at once': atOnce, 'median (s)': median.toFixed(1), 'longest (s)': longest.toFixed(1) },
      ...{ 'CPU a turn (ms)': cpuMs.toFixed(0), 'of one core (%)': cpuPercent.toFixed(0), MB: memoryMb.toFixed(0) },
    })),
  );
}

function memoryOf(what: string, { memoryMb: [before, after], turns }: Measured) {
  return { what, 'MB before': before.toFixed(0), 'MB after': after.toFixed(0), 'conversations between': turns };
}

function databaseOf(what: string, { database }: Measured) {
  if (database === undefined) return [];
  const { turn, idle } = database;
  return [
    {
      ...{ what, 'statements a turn': turn.statements.toFixed(0), transactions: turn.transactions.toFixed(0) },
      ...{ 'rows written': turn.written.toFixed(0), 'rows that stay': turn.rows.toFixed(1) },
      ...{ 'kB that stay': (turn.bytes / 1000).toFixed(1), 'kB of log': (turn.logBytes / 1000).toFixed(0) },
      'statements a second without turns': idle.statements.toFixed(1),
    },
  ];
}
