import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openRestateEngine } from 'responses-loop-example-shared/engine/restate-engine.js';
import type { KeptTurn } from 'responses-loop-example-shared/engine/types.js';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { AgentClient, Watch } from '../../../../fleet/agent-client.js';
import { startAgentInstance } from '../../../../fleet/agent-instance.js';
import type { Instance } from '../../../../fleet/instance.js';
import { type PlayedModel, startModel } from '../../../../fleet/model.js';
import type { RestateOfInstances } from '../../../../fleet/restate.js';
import { restateForTests } from '../../support/restate.js';

/** The example of Restate's documentation. */
const KEY = 'publickeyv1_w7YHemBctH5Ck2nQRQ47iBBqhNHy4FV7t2Usbye2A6f';

const server = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'restate-'));
const restate = await restateForTests(folder);
const ledger = join(folder, 'ledger.jsonl');
const instances: Instance[] = [];
let model: PlayedModel;
let database = '';
const client = new AgentClient(() => instances.filter(({ isRunning }) => isRunning).map(({ url }) => url));

beforeAll(async () => {
  model = await startModel({ eventMs: 40, toolMs: 1500, words: 12 });
  database = server?.createDatabase() ?? '';
});
afterEach(async () => {
  await Promise.all(instances.splice(0).map((instance) => instance.end()));
});
afterAll(async () => {
  await Promise.all([model.close(), restate?.close()]);
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function start(flags?: readonly string[]): Promise<Instance> {
  const engine = async (): Promise<readonly string[]> => flags ?? (await restate!.flags());
  const instance = await startAgentInstance(
    { folder, ledger, database, modelUrl: model.baseURL, engine },
    `instance-${instances.length}`,
  );
  instances.push(instance);
  return instance;
}

async function begin(message: string): Promise<{ session: string; watch: Watch }> {
  const session = await client.newSession();
  const watch = new Watch();
  const hasCall = ({ events }: Watch): boolean => events.some(({ type }) => type === 'tool_use_stop');
  await watch.read(await client.ask(`/sessions/${session}/messages`, { content: message }), hasCall);
  return { session, watch };
}

const select = (what: string) => restate!.select(what);

/** A server that signs its calls, and the public key that it prints. */
async function startSigning(): Promise<{ signing: RestateOfInstances; key: string }> {
  const dir = join(folder, 'signing');
  mkdirSync(dir);
  const pem = join(dir, 'key.pem');
  writeFileSync(pem, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signing = await restateForTests(dir, { RESTATE_REQUEST_IDENTITY_PRIVATE_KEY_PEM_FILE: pem, RUST_LOG: 'info' });
  const log = readFileSync(join(dir, 'restate-server.log'), 'utf8');
  return { signing: signing!, key: /publickeyv1_[0-9A-Za-z]+/.exec(log)?.[0] ?? log };
}

/** What a server answers that is told of an instance that does not let it in. */
async function refusalOf(admin: string, flags: readonly string[]): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ uri: `http://127.0.0.1:${flags.at(-1)}` });
  const response = await fetch(`${admin}/deployments`, { method: 'POST', headers, body });
  expect(response.ok).toBe(false);
  return response.text();
}

const STEPS = "SELECT index FROM sys_journal WHERE entry_type LIKE '%Run%'";

describe.skipIf(server === undefined || restate === undefined)('with the engine restate', () => {
  test('a message that is sent before Restate knows the instances waits, and is answered', async () => {
    await start();
    const session = await client.newSession();
    const sent = client.ask(`/sessions/${session}/messages`, { content: 'Turn early' });
    await restate!.ready();
    const watch = new Watch();
    await watch.read(await sent);
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
  });

  test('the steps of a turn are in the journal of Restate until it ends, and gone then', async () => {
    await Promise.all([start(), restate!.ready()]);
    const { session, watch } = await begin('Turn kept look');
    expect((await select(STEPS)).length).toBeGreaterThan(0);
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    await expect.poll(() => select(STEPS), { timeout: 5000 }).toEqual([]);
  });

  test('turns go on when Restate was killed and restarted', async () => {
    await Promise.all([start(), restate!.ready()]);
    const { session, watch } = await begin('Turn restarted look');
    await restate!.server.halt();
    await restate!.server.resume();
    await client.watch(session, watch);
    expect(watch.text).toContain('is done.');
    expect(watch.result().doubled).toBe(0);
  });

  test('a turn that an operator kills in Restate ends with an error, and its session takes the next one', async () => {
    await Promise.all([start(), restate!.ready()]);
    const { session, watch } = await begin('Turn killed look');
    const [running] = await select("SELECT id FROM sys_invocation WHERE status = 'running'");
    await fetch(`${restate!.server.admin}/invocations/${String(running?.['id'])}/kill`, { method: 'PATCH' });
    await client.watch(session, watch);
    expect(watch.events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'error' } });
    const next = await client.turn(session, 'messages', { content: 'Turn after' });
    expect(next.events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'end_turn' } });
  });

  test('a turn whose steps are others after a restart ends with an error', async () => {
    const [, , , ingress = '', , port] = await restate!.flags();
    const failures: string[] = [];
    let attempts = 0;
    const engine = await openRestateEngine(
      {
        ...{ database, application: 'changed', compare: () => undefined, rewound: () => ({}), gone: async () => [] },
        run: async (turn) => {
          attempts += 1;
          await turn.step(attempts === 1 ? 'first' : 'other', async () => 1);
          await turn.step('long', () => new Promise(() => {}));
        },
        failed: async (error) => {
          failures.push(String(error));
          return [];
        },
      },
      { ingress, host: '127.0.0.1', port: Number(port) },
    );
    try {
      await restate!.register();
      const turn = await engine.start({ id: 'changed-1', stream: 'changed', input: null });
      await expect
        .poll(() => select("SELECT id FROM sys_journal WHERE name = 'long'"), { timeout: 10_000 })
        .toHaveLength(1);
      await restate!.server.halt();
      await restate!.server.resume();
      for await (const _event of engine.follow(turn as KeptTurn, 0));
      expect(failures.at(-1)).toContain('mismatch');
    } finally {
      await engine.close(0);
    }
  });

  test.each(['/discover', '/invoke/agent-turns-1/run'])(
    'an instance with a key takes no call of %s without its signature',
    async (path) => {
      const flags = await restate!.flags();
      await start([...flags, '--restate-key', KEY]);
      const session = connect(`http://127.0.0.1:${flags.at(-1)}`);
      const status = await new Promise((resolve, reject) => {
        session.on('error', reject);
        const asked = session.request({ ':path': path, ':method': path === '/discover' ? 'GET' : 'POST' });
        asked.on('response', (headers) => resolve(headers[':status']));
      });
      session.destroy();
      expect(status).toBe(401);
    },
  );

  test('an instance with a key runs the turns of the Restate server that signs with it, and of no other', async () => {
    const { signing, key } = await startSigning();
    try {
      const flags = await signing.flags();
      await start([...flags, '--restate-key', key]);
      await signing.ready();
      const { session, watch } = await begin('Turn signed look');
      await client.watch(session, watch);
      expect(watch.text).toContain('is done.');
      const other = await signing.flags();
      await start([...other, '--restate-key', KEY]);
      expect(await refusalOf(restate!.server.admin, flags)).toContain('401');
      expect(await refusalOf(signing.server.admin, other)).toContain('401');
    } finally {
      await signing.close();
    }
  });

  test.each([
    ['no ingress', ['--engine', 'restate'], 'needs --restate http://'],
    ['a flag of another engine', ['--engine', 'dbos', '--restate-port', '1'], '--restate-port needs --engine restate.'],
    ['an ingress of another kind', ['--engine', 'restate', '--restate', 'grpc://a'], 'must be `http://host:port`'],
    ['a private key', ['--engine', 'restate', '--restate', 'http://a', '--restate-key', 'x'], 'the public one'],
    [
      'no Restate',
      ['--engine', 'restate', '--restate', 'http://127.0.0.1:1', '--restate-port', '0'],
      'cannot be used: fetch failed',
    ],
  ])('an instance does not start with %s, and tells why', async (_what, flags, why) => {
    await expect(start(flags)).rejects.toThrow(why);
  });

  test('an instance that others could call without a key does not start', async () => {
    const flags = await restate!.flags();
    await expect(start([...flags, '--host', '0.0.0.0'])).rejects.toThrow('set --restate-key');
  });
});
