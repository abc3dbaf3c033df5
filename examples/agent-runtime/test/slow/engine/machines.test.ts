import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { poolOf } from 'responses-loop-example-shared/postgres.js';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AgentClient, Watch } from '../../../../fleet/agent-client.js';
import { startAgentInstance } from '../../../../fleet/agent-instance.js';
import { codeOf, type Json } from '../../../../fleet/connection.js';
import type { Instance } from '../../../../fleet/instance.js';
import { readLedger, repeated } from '../../../../fleet/ledger.js';
import { type PlayedModel, startModel } from '../../../../fleet/model.js';
import { startTcpProxy } from '../../../../fleet/tcp-proxy.js';
import { restateForTests } from '../../support/restate.js';

const server = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'machines-'));
const restate = await restateForTests(folder);
const instances: Instance[] = [];
let model: PlayedModel;
let pool: Pool | undefined;
let database = '';
let ledger = '';
/** The flags of the engine; DBOS, if there are none. */
let engine: (() => Promise<readonly string[]>) | undefined;
const client = new AgentClient(() => instances.filter(({ isRunning }) => isRunning).map(({ url }) => url));

beforeAll(async () => {
  model = await startModel({ eventMs: 40, toolMs: 1500, words: 12 });
});
afterEach(async () => {
  await Promise.all(instances.splice(0).map((instance) => instance.end()));
});
afterAll(async () => {
  await Promise.all([model.close(), restate?.close()]);
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(count: number, url = database): Promise<Instance[]> {
  const place = { folder, ledger, database: url, modelUrl: model.baseURL, ...(engine && { engine }) };
  const started = await Promise.all(
    Array.from({ length: count }, async () => {
      const instance = await startAgentInstance(place, 'instance');
      instances.push(instance);
      return instance;
    }),
  );
  if (engine !== undefined) await restate?.ready();
  return started;
}

/** Which of two instances runs the turn of a session: engines may choose. */
async function runnerOf(session: string, [one, two]: readonly [Instance, Instance]): Promise<[Instance, Instance]> {
  const { rows } = await pool!.query<{ instance: string }>(
    'SELECT instance FROM responses_loop.turns WHERE stream = $1 AND ended_at IS NULL',
    [session],
  );
  return rows[0]?.instance.includes(`-${one.child.pid}-`) === true ? [one, two] : [two, one];
}

/** Sends a message to one instance, and watches at another one until it is enough. */
async function begin(
  [at, from]: readonly [Instance, Instance],
  message: string,
  enough: (watch: Watch) => boolean,
): Promise<{ session: string; watch: Watch }> {
  const session = await client.newSession();
  const sent = await client.ask(`/sessions/${session}/messages`, { content: message }, at.url);
  expect(sent.status).toBe(200);
  const watch = new Watch();
  // A client whose connection ends before the turn comes back.
  while (!enough(watch)) await watch.read(await client.events(session, watch.last, from.url), enough);
  return { session, watch };
}

/** What is kept says what the client has seen. */
async function expectKept(session: string, watch: Watch): Promise<Json[]> {
  const items = await client.rows(session);
  const said = items.filter(({ type, kind }: Json) => type === 'agent' && kind !== 'thinking');
  expect(said.map(({ content }: Json) => content).join('')).toBe(watch.text);
  const results = items.filter(({ toolResult }: Json) => toolResult !== undefined).map(({ toolId }: Json) => toolId);
  const seen = watch.events.filter(({ type }) => type === 'tool_result').map(({ data }) => data.toolCallId);
  expect(new Set(results)).toEqual(new Set(seen));
  expect(results).toHaveLength(seen.length);
  expect(watch.result().doubled).toBe(0);
  return items;
}

const hasText = (watch: Watch): boolean => watch.text.length > 30;
const hasCall = (watch: Watch): boolean => watch.events.some(({ type }) => type === 'tool_use_stop');
const effectsOf = (turn: string) => readLedger(ledger).filter((effect) => effect.turn === turn);

describe.skipIf(server === undefined).each(['dbos', 'restate'])('with the engine %s', (name) => {
  beforeAll(() => {
    // Of its own, so that an engine finds only its own turns.
    database = server?.createDatabase() ?? '';
    ledger = join(folder, `${name}.jsonl`);
    pool = poolOf({ connectionString: database });
    engine = name === 'restate' ? () => restate!.flags() : undefined;
  });
  afterAll(async () => {
    await pool?.end();
  });
  // Said once, where it is started.
  beforeEach(({ skip }) => skip(name === 'restate' && restate === undefined));
  test('a message goes to one instance, its events come from another, and a third one stops it', async () => {
    const [one, two, three] = (await start(3)) as [Instance, Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn stopped look', hasText);
    const busy = await client.ask(`/sessions/${session}/messages`, { content: 'And?' }, three.url);
    expect([busy.status, (await busy.json()).error.code]).toEqual([409, 'session_busy']);
    const stopped = await client.ask(`/sessions/${session}/interrupt`, {}, three.url);
    expect([stopped.status, await stopped.json()]).toEqual([202, { state: 'idle' }]);
    await client.watch(session, watch);
    expect((await (await client.ask(`/sessions/${session}`, undefined, three.url)).json()).state).toBe('idle');
    expect(watch.events.at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
    await expectKept(session, watch);
  });

  test('a message that is sent again with its id, at the same time or later, counts once', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const session = await client.newSession();
    const message = { id: 'once', content: 'Turn once' };
    const send = ({ url }: Instance): Promise<Response> => client.ask(`/sessions/${session}/messages`, message, url);
    const sent = await Promise.all([send(one), send(two)]);
    const [taken, refused] = sent[0].ok ? sent : sent.toReversed();
    expect([taken?.status, refused?.status]).toEqual([200, 409]);
    expect(await refused?.json()).toMatchObject({ error: { code: 'message_exists' } });
    const watch = new Watch();
    await client.watch(session, watch);
    const later = await send(two);
    expect([later.status, (await later.json()).error.code]).toEqual([409, 'message_exists']);
    const rows = await expectKept(session, watch);
    expect(rows.filter(({ type }) => type === 'user').map(({ messageId }) => messageId)).toEqual(['once']);
    expect(watch.text).toContain('Turn once is done.');
  });

  test('messages of several senders, each sent until it is taken, are all heard, and once', async () => {
    const started = await start(2);
    const session = await client.newSession();
    const sendAll = async (sender: string): Promise<void> => {
      for (const id of [`${sender}-1`, `${sender}-2`]) {
        for (let code = ''; code !== 'message_exists';) {
          const at = started[Math.floor(Math.random() * started.length)];
          const sent = await client.ask(`/sessions/${session}/messages`, { id, content: `Turn ${id}` }, at?.url);
          code = await codeOf(sent);
          // To the end of its turn.
          if (sent.ok) await sent.text();
          expect(['', 'session_busy', 'message_exists']).toContain(code);
        }
      }
    };
    const senders = ['a', 'b', 'c'];
    await Promise.all(senders.map(sendAll));
    const ids = (await client.rows(session)).filter(({ type }) => type === 'user').map(({ messageId }) => messageId);
    expect(ids).toHaveLength(6);
    expect(new Set(ids)).toEqual(new Set(senders.flatMap((sender) => [`${sender}-1`, `${sender}-2`])));
  });

  test('a question that waits is answered at another instance after its own was killed', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn asked put', ({ hasEnded }) => hasEnded);
    expect(watch.events.at(-1)?.data.stopReason).toBe('approval_needed');
    await one.end();
    const { items } = await client.json(`/sessions/${session}/approvals`);
    const answers = items.map(({ approvalId }: Json) => ({ approvalId, approved: true }));
    const rest = await client.turn(session, 'approvals', { answers });
    expect(rest.events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'end_turn' } });
    expect(effectsOf('asked').map(({ tool }) => tool)).toEqual(['put']);
  });

  test.each([
    ['a text', 'text look', hasText],
    ['a tool that reads', 'reading look look', hasCall],
  ])('a turn goes on elsewhere within 10 s after a kill in %s', async (_what, plan, enough) => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], `Turn ${plan}`, enough);
    const [runner] = await runnerOf(session, [one, two]);
    await runner.end();
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    expect(watch.result().silenceMs).toBeLessThan(10_000);
    await expectKept(session, watch);
  });

  test('a tool that writes does not run again after a kill: the model reads that its outcome is unknown', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn writing put', ({ hasEnded }) => hasEnded);
    const { items } = await client.json(`/sessions/${session}/approvals`);
    const answers = items.map(({ approvalId }: Json) => ({ approvalId, approved: true }));
    // It is answered once there is an event, and the tool runs first.
    client.ask(`/sessions/${session}/approvals`, { answers }, one.url).catch(() => {});
    while (effectsOf('writing').length === 0) await sleep(20);
    const [runner] = await runnerOf(session, [one, two]);
    await runner.end();
    const rest = new Watch(watch.last);
    await client.watch(session, rest);
    expect(rest.text).toContain('is done.');
    expect(effectsOf('writing')).toHaveLength(1);
    const rows = await client.rows(session);
    expect(JSON.stringify(rows.findLast(({ toolResult }: Json) => toolResult !== undefined))).toContain('unknown');
  });

  test('an instance that is to end leaves its turns to the others, and no tool runs again for it', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn rolling look look', hasCall);
    const [runner] = await runnerOf(session, [one, two]);
    await runner.end('SIGTERM');
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    expect(repeated(effectsOf('rolling'))).toEqual([]);
    expect(watch.result().silenceMs).toBeLessThan(5_000);
    await expectKept(session, watch);
  });

  test('an instance that is cut off from the database ends its turns and writes nothing more', async () => {
    const ways = await Promise.all([0, 1].map(() => startTcpProxy(server?.port ?? 0)));
    try {
      const starts = ways.map(async ({ port }) => (await start(1, database.replace(/:\d+\//, `:${port}/`)))[0]!);
      const both = (await Promise.all(starts)) as [Instance, Instance];
      const { session, watch } = await begin(both, 'Turn alone look look look', hasText);
      const [runner] = await runnerOf(session, both);
      const way = ways[both.indexOf(runner)]!;
      way.stall();
      await client.watch(session, watch);
      expect(watch.text).toContain('is done.');
      const items = await expectKept(session, watch);
      expect((await fetch(`${runner.url}/health`)).status).toBe(503);
      way.resume();
      while ((await fetch(`${runner.url}/health`)).status !== 200) await sleep(100);
      await sleep(1000);
      expect(await client.rows(session)).toEqual(items);
    } finally {
      await Promise.all(ways.map((way) => way.close()));
    }
  });

  test(
    'an instance goes on although all its connections to the database fell silent',
    { timeout: 120_000 },
    async () => {
      const way = await startTcpProxy(server?.port ?? 0);
      try {
        const [only] = (await start(1, database.replace(/:\d+\//, `:${way.port}/`))) as [Instance];
        const { session, watch } = await begin([only, only], 'Turn silent look look', hasCall);
        way.lose();
        await client.watch(session, watch);
        expect(watch.text).toContain('is done.');
        await expectKept(session, watch);
        const next = await client.turn(session, 'messages', { content: 'Turn heard' });
        expect(next.events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'end_turn' } });
      } finally {
        await way.close();
      }
    },
  );

  test('a frozen instance that wakes does not go on with a turn that others have taken', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn frozen look look', hasText);
    const [frozen, awake] = await runnerOf(session, [one, two]);
    frozen.child.kill('SIGSTOP');
    const others = new AgentClient(() => [awake.url]);
    await others.watch(session, watch);
    const asked = model.asked.get('frozen');
    frozen.child.kill('SIGCONT');
    await sleep(2500);
    expect(watch.text).toContain('is done.');
    expect(model.asked.get('frozen')).toBe(asked);
    expect(watch.result().silenceMs).toBeLessThan(10_000);
    await expectKept(session, watch);
  });

  test('turns go on when Postgres was killed and restarted', async () => {
    const [one, two] = (await start(2)) as [Instance, Instance];
    const { session, watch } = await begin([one, two], 'Turn restarted look look', hasText);
    await server?.halt();
    await server?.resume();
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    await expectKept(session, watch);
  });
});
