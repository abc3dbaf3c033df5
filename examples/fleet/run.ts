// Kills instances under conversations, and prints what became of them: `npm run fleet [-- --short] [--keep] [--engine restate] [agent] [chat]`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startPostgres } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { agentTarget } from './agent-target.js';
import { chatTarget } from './chat-target.js';
import { countsOf, problemsOf, tableOf } from './counts.js';
import { Fleet } from './fleet.js';
import { type PlayedModel, startModel } from './model.js';
import { startRestate } from './restate.js';
import type { PlannedTurn, Target } from './target.js';

const { values, positionals } = parseArgs({
  options: { short: { type: 'boolean' }, keep: { type: 'boolean' }, engine: { type: 'string', default: 'dbos' } },
  allowPositionals: true,
});
if (!['dbos', 'restate'].includes(values.engine)) throw new Error('--engine must be dbos or restate.');
const ALL: Readonly<Record<string, Target>> = { agent: agentTarget, chat: chatTarget };
// chat-server runs its turns on DBOS only.
const KNOWN = values.engine === 'restate' ? ['agent'] : Object.keys(ALL);
const TARGETS = (positionals.length === 0 ? KNOWN : positionals).map((name) => {
  const target = KNOWN.includes(name) ? ALL[name] : undefined;
  if (target === undefined) throw new Error(`Unknown server "${name}". Known are ${KNOWN.join(' and ')}.`);
  return target;
});
const PLANS = ['look|look put', 'put look', 'look look|put', ''];
/** What the long form asks of two cores: a turn takes some seconds, and a person thinks about it. */
const SIZE =
  values.short === true
    ? { conversations: 6, turns: 2, thinkMs: 500, kills: 2, restMs: 1_000, cutMs: 0, freezeMs: 0, rolls: 1 }
    : {
        conversations: 100,
        turns: 3,
        thinkMs: 60_000,
        kills: 100,
        restMs: 5_000,
        cutMs: 12_000,
        freezeMs: 12_000,
        rolls: 2,
      };
const PACE = values.short === true ? { eventMs: 20, toolMs: 200, words: 8 } : { eventMs: 80, toolMs: 1_000, words: 8 };

const postgres = await startPostgres();
if ('skipped' in postgres) {
  console.log(`SKIPPED the fleet: ${postgres.skipped}`);
  process.exit(0);
}
const model = await startModel(PACE);
const broken: string[] = [];
for (const target of TARGETS) {
  const { row, problems } = await play(target, model);
  console.log(tableOf([row]));
  broken.push(...problems.map((problem) => `${target.name}: ${problem}`));
}
await model.close();
await postgres.stop();
console.log(broken.length === 0 ? '\nEvery promise was kept.' : `\nBroken:\n- ${broken.join('\n- ')}`);
process.exit(broken.length === 0 ? 0 : 1);

async function play(target: Target, { baseURL, asked }: PlayedModel) {
  if ('skipped' in postgres) throw new Error(postgres.skipped);
  const folder = mkdtempSync(join(tmpdir(), 'fleet-'));
  const ledger = join(folder, 'ledger.jsonl');
  const restate = values.engine === 'restate' ? await startRestate(folder) : undefined;
  if (restate !== undefined && 'skipped' in restate) throw new Error(`The fleet needs Restate: ${restate.skipped}.`);
  const engine = restate && (() => restate.flags());
  const place = { folder, ledger, database: postgres.createDatabase(), modelUrl: baseURL, ...(engine && { engine }) };
  const began = Date.now();
  const fleet = await Fleet.start(target, place, postgres);
  await restate?.ready();
  let isCalm = false;
  const talks = Promise.all(
    Array.from({ length: SIZE.conversations }, (_, number) =>
      target.converse(
        () => fleet.urls,
        turnsOf(`${target.name}-${number}`, number, () => isCalm),
      ),
    ),
  );
  await Promise.race([disturb(fleet), talks]);
  isCalm = true;
  const outcomes = (await talks).flat();
  await fleet.stop();
  await restate?.close();
  const row = { server: target.name, ...countsOf(outcomes, ledger, asked), kills: fleet.kills };
  if (values.keep === true) console.log(`Kept: ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  const seconds = (Date.now() - began) / 1000;
  return { row: { ...row, seconds: seconds.toFixed(0) }, problems: problemsOf(row, outcomes) };
}

/** As long as instances are disturbed. Both servers ask one model, so the names of their turns differ. */
async function* turnsOf(name: string, conversation: number, isCalm: () => boolean): AsyncGenerator<PlannedTurn, void> {
  for (let turn = 0; turn < SIZE.turns || !isCalm(); turn += 1) {
    await sleep(Math.random() * SIZE.thinkMs);
    yield { name: `${name}-${turn}`, plan: PLANS[(conversation + turn) % PLANS.length] ?? '' };
  }
}

/** Everything that can happen to instances. */
async function disturb(fleet: Fleet): Promise<void> {
  const rest = (): Promise<void> => sleep(SIZE.restMs * (0.5 + Math.random()));
  const third = Math.ceil(SIZE.kills / 3);
  for (let kill = 0; kill < SIZE.kills; kill += 1) {
    await rest();
    await fleet.kill();
    if (kill === third && SIZE.cutMs > 0) await fleet.cutOff(SIZE.cutMs);
    if (kill === 2 * third && SIZE.freezeMs > 0) await fleet.freeze(SIZE.freezeMs);
  }
  for (let roll = 0; roll < SIZE.rolls; roll += 1) await fleet.roll();
}
