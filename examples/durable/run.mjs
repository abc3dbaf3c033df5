// Kills loops and looks what became of them: `npm run durable [-- --short] [restate] [dbos]`.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { prepare } from '../../.ci/prepare.mjs';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean' }, keep: { type: 'boolean' } },
  allowPositionals: true,
});

/** A few of each: eight kills for every engine. */
const SHORT = { each: 3, crowd: [8, 3], gone: 4, server: 4, cancel: 3 };
const WHOLE = { each: 20, crowd: [50, 20], gone: 10, server: 10, cancel: 10 };

prepare(import.meta.dirname);
const [{ startRestate }, { startDbos }, { startModel }, { Ledger }, scenarios, { printTable }] = await Promise.all([
  import('./engines/restate.mjs'),
  import('./engines/dbos.mjs'),
  import('./support/model.mjs'),
  import('./support/ledger.mjs'),
  import('./scenarios.mjs'),
  import('./support/table.mjs'),
]);
const ENGINES = { restate: startRestate, dbos: startDbos };
const unknown = positionals.filter((name) => !Object.hasOwn(ENGINES, name));
if (unknown.length > 0) {
  console.error(`There is no engine ${unknown.join(', ')}. Known: ${Object.keys(ENGINES).join(', ')}.`);
  process.exit(2);
}

const rows = [];
for (const name of positionals.length > 0 ? positionals : Object.keys(ENGINES)) rows.push(...(await runAll(name)));
if (rows.length === 0) {
  console.log('\nNothing was run.');
  process.exit(0);
}
console.log(`\n${printTable(rows)}`);
const broken = rows.flatMap((row) => row.broken.map((promise) => `${row.engine}, ${row.what}: ${promise}`));
console.log(broken.length === 0 ? '\nEvery promise was kept.' : `\nBroken:\n- ${broken.join('\n- ')}`);
process.exit(broken.length === 0 ? 0 : 1);

async function runAll(name) {
  const dir = mkdtempSync(join(tmpdir(), 'durable-'));
  // A database server may run as another user.
  chmodSync(dir, 0o755);
  const model = await startModel();
  const file = join(dir, 'ledger.jsonl');
  const ledger = new Ledger(file);
  const engine = await ENGINES[name]({ dir, modelUrl: model.url, ledger: file });
  if (engine.skipped !== undefined) {
    console.log(`SKIPPED ${engine.name}: ${engine.skipped}`);
    await model.close();
    rmSync(dir, { recursive: true, force: true });
    return [];
  }
  const stage = {
    ...engine,
    judge: (loops, answers) => ledger.judge(loops, answers, model.asked),
    seen: (loop) => ({ requests: model.asked.get(loop) ?? 0, runs: ledger.count(loop) }),
  };
  await engine.workers.start(0);
  await engine.register();
  const size = values.short === true ? SHORT : WHOLE;
  const plan = [
    () => scenarios.killEach(stage, size.each),
    () => scenarios.killCrowd(stage, ...size.crowd),
    () => scenarios.neverBack(stage, size.gone),
    () => scenarios.restartServer(stage, size.server),
    () => scenarios.cancel(stage, size.cancel),
  ];
  const done = [];
  await engine.workers.kill(0);
  for (const play of plan) {
    const began = Date.now();
    const row = await play();
    done.push({ engine: engine.name, ...row, seconds: (Date.now() - began) / 1000 });
    console.log(`${engine.name}, ${row.what}: ${row.finished} of ${row.loops}, ${row.broken.length} promises broken`);
  }
  await engine.stop();
  await model.close();
  if (values.keep === true) console.log(`Kept: ${dir}`);
  else rmSync(dir, { recursive: true, force: true });
  return done;
}
