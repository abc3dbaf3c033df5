import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentClient, Watch } from '../../../../fleet/agent-client.js';
import { startAgentInstance } from '../../../../fleet/agent-instance.js';
import { type Json, TOKEN } from '../../../../fleet/connection.js';
import type { Instance } from '../../../../fleet/instance.js';
import { type PlayedModel, startModel } from '../../../../fleet/model.js';
import { restateForTests } from '../../support/restate.js';

const server = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'edits-'));
const restate = await restateForTests(folder);
let model: PlayedModel;
let pool: Pool;
let one: Instance;
let two: Instance;
let start: () => Promise<Instance>;
const client = new AgentClient(() => [one, two].filter(({ isRunning }) => isRunning).map(({ url }) => url));

afterAll(async () => {
  await restate?.close();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function sessionWith(...turns: readonly string[]): Promise<string> {
  const session = await client.newSession();
  for (const turn of turns) await client.turn(session, 'messages', { content: `Turn ${turn}` });
  return session;
}

/** What another process has, as if it were in an edit. */
async function hold(session: string, isHeld: boolean): Promise<void> {
  await pool.query('UPDATE agentx.sessions SET state = $2, owner = $3, heartbeat = now() WHERE id = $1', [
    ...[session, isHeld ? 'active' : 'idle', isHeld ? '1.1.1@elsewhere' : null],
  ]);
}

async function isInEdit(session: string): Promise<void> {
  const states = () => pool.query<{ state: string }>('SELECT state FROM agentx.sessions WHERE id = $1', [session]);
  while ((await states()).rows[0]?.state !== 'active') await sleep(20);
}

const edit = (session: string, name: string, at: Instance): Promise<Response> =>
  client.ask(`/sessions/${session}/${name}`, {}, at.url);

function remove(session: string, at: Instance): Promise<Response> {
  return fetch(`${at.url}/sessions/${session}`, { method: 'DELETE', headers: { authorization: `Bearer ${TOKEN}` } });
}

async function turnsOf(session: string): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>('SELECT id FROM responses_loop.turns WHERE stream = $1', [session]);
  return rows.map(({ id }) => id);
}

/** What keeps the steps of turns. */
interface Keeper {
  /** How many rows it has of turns. */
  readonly kept: (turns: readonly string[]) => Promise<number>;
  /** Has it give up a turn for good. */
  readonly giveUp: (turn: string) => Promise<unknown>;
}

const DBOS: Keeper = {
  kept: async (turns) => {
    const { rows } = await pool.query<{ kept: string }>(
      `SELECT (SELECT count(*) FROM dbos.workflow_status WHERE workflow_uuid = ANY ($1))
            + (SELECT count(*) FROM dbos.operation_outputs WHERE workflow_uuid = ANY ($1)) AS kept`,
      [turns],
    );
    return Number(rows[0]?.kept);
  },
  giveUp: (turn) => pool.query(`UPDATE dbos.workflow_status SET status = 'ERROR' WHERE workflow_uuid = $1`, [turn]),
};

const RESTATE: Keeper = {
  kept: async (turns) => {
    const keys = turns.map((turn) => `'${turn}'`).join(', ');
    const ofTurns = `SELECT id FROM sys_invocation WHERE target_service_key IN (${keys})`;
    return (await restate!.select(`SELECT index FROM sys_journal WHERE id IN (${ofTurns})`)).length;
  },
  giveUp: async (turn) => {
    const [found] = await restate!.select(`SELECT id FROM sys_invocation WHERE target_service_key = '${turn}'`);
    await fetch(`${restate!.server.admin}/invocations/${String(found?.['id'])}/kill`, { method: 'PATCH' });
  },
};

const ENGINES = [
  ['dbos', DBOS],
  ['restate', RESTATE],
] as const;

describe.skipIf(server === undefined).each(ENGINES)('edits of sessions with the engine %s', (name, keeper) => {
  beforeAll(async () => {
    if (name === 'restate' && restate === undefined) return;
    model = await startModel({ eventMs: 40, toolMs: 1500, words: 12 });
    const database = server?.createDatabase() ?? '';
    pool = new Pool({ connectionString: database });
    const engine = name === 'restate' ? () => restate!.flags() : undefined;
    const ledger = join(folder, `${name}.jsonl`);
    const place = { folder, ledger, database, modelUrl: model.baseURL, ...(engine && { engine }) };
    start = () => startAgentInstance(place, 'instance');
    [one, two] = await Promise.all([start(), start()]);
    if (name === 'restate') await restate?.ready();
  });
  afterAll(async () => {
    await Promise.all([one?.end(), two?.end(), pool?.end()]);
    await model?.close();
  });
  // Said once, where it is started.
  beforeEach(({ skip }) => skip(name === 'restate' && restate === undefined));

  /** How many rows there are of a session's turns. */
  async function keptOf(session: string, turns: readonly string[]): Promise<number> {
    const { rows } = await pool.query<{ kept: string }>(
      `SELECT (SELECT count(*) FROM responses_loop.events WHERE stream = $1)
            + (SELECT count(*) FROM responses_loop.turns WHERE stream = $1) AS kept`,
      [session],
    );
    return Number(rows[0]?.kept) + (await keeper.kept(turns));
  }

  test('a turn begins once the summary is kept that another instance makes, and reads it', async () => {
    const session = await sessionWith('first', 'second', 'third');
    const compacting = edit(session, 'compact', one);
    await isInEdit(session);
    const other = new AgentClient(() => [two.url], 30_000);
    await other.turn(session, 'messages', { content: 'Turn fourth' });
    const { compaction } = await (await compacting).json();
    expect(compaction).toMatchObject({ throughTurn: 1 });
    const items = await client.rows(session);
    const summary = items.findIndex(({ kind }: Json) => kind === 'summary');
    const fourth = items.findIndex(({ content }: Json) => content === 'Turn fourth');
    expect(summary).toBeGreaterThan(0);
    expect(fourth).toBeGreaterThan(summary);
  });

  test('a turn waits while another process edits its session, and no edit gets in before it', async () => {
    const session = await sessionWith('before');
    await hold(session, true);
    const sent = client.ask(`/sessions/${session}/messages`, { content: 'Turn waiting look' }, one.url);
    await sleep(1000);
    expect(model.asked.get('waiting')).toBeUndefined();
    await hold(session, false);
    const watch = new Watch();
    await watch.read(await sent, ({ events }) => events.length > 0);
    for (const change of ['compact', 'pop', 'fork']) {
      const response = await edit(session, change, two);
      expect([change, response.status, (await response.json()).error.code]).toEqual([change, 409, 'session_busy']);
    }
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    expect((await edit(session, 'pop', two)).status).toBe(200);
  });

  test('a turn that waits for an edit can be stopped', async () => {
    const session = await sessionWith('before');
    await hold(session, true);
    const sent = client.ask(`/sessions/${session}/messages`, { content: 'Turn never' }, one.url);
    await sleep(1000);
    await edit(session, 'interrupt', two);
    const watch = new Watch();
    await watch.read(await sent);
    expect(watch.events.at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
    await hold(session, false);
    expect(model.asked.get('never')).toBeUndefined();
  });

  test('a session can be edited after a turn that no instance could continue', async () => {
    const session = await client.newSession();
    const sent = await client.ask(`/sessions/${session}/messages`, { content: 'Turn given look' }, one.url);
    const watch = new Watch();
    await watch.read(sent, ({ events }) => events.some(({ type }) => type === 'tool_use_stop'));
    await one.end();
    for (const turn of await turnsOf(session)) await keeper.giveUp(turn);
    await client.watch(session, watch);
    expect(watch.events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'error' } });
    expect((await client.json(`/sessions/${session}`)).state).toBe('idle');
    expect((await edit(session, 'pop', two)).status).toBe(200);
    one = await start();
  });

  test('a session that is deleted in a turn leaves nothing of its turns, and its instance goes on', async () => {
    const session = await sessionWith('kept');
    const sent = await client.ask(`/sessions/${session}/messages`, { content: 'Turn gone look' }, one.url);
    await new Watch().read(sent, ({ events }) => events.some(({ type }) => type === 'tool_use_stop'));
    const ids = await turnsOf(session);
    expect(ids).toHaveLength(2);
    expect((await remove(session, two)).status).toBe(204);
    expect(await keptOf(session, ids)).toBe(0);
    await sleep(1000);
    expect([one.isRunning, two.isRunning]).toEqual([true, true]);
  });

  test('prune leaves nothing of the turns of a session that its instance has not loaded', async () => {
    const session = await sessionWith('pruned');
    const ids = await turnsOf(session);
    await one.end();
    one = await start();
    const pruned = await client.ask('/sessions/prune', { keep: 0 }, one.url);
    expect((await pruned.json()).deleted).toContain(session);
    expect(await keptOf(session, ids)).toBe(0);
  });

  test('an instance deletes the turns of sessions that a program without the engine has deleted', async () => {
    const [session, other] = [await sessionWith('elsewhere'), await sessionWith('other')];
    const [ids, others] = [await turnsOf(session), await turnsOf(other)];
    await pool.query('DELETE FROM agentx.sessions WHERE id = $1', [session]);
    await one.end();
    one = await start();
    await expect.poll(() => keptOf(session, ids), { timeout: 20_000 }).toBe(0);
    expect(await keptOf(other, others)).toBeGreaterThan(0);
  });
});
