import type { KeptEvent, KeptTurn, NewTurn, TurnEngine } from 'responses-loop-example-shared/engine/types.js';
import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createAgent } from '../../src/core/create-agent.js';
import { engineSessionFactory } from '../../src/engine/engine-session.js';
import { createHandler } from '../../src/http/handler.js';
import { createMemoryPersister } from '../../src/index.js';
import { FakeAdapter } from '../support/fake-adapter.js';
import { startServer, TOKEN } from '../support/start-server.js';

const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };

/** An engine in memory: its one turn says what it is given and does not end. It counts who follows. */
class EndlessEngine implements TurnEngine {
  readonly member = { name: 'endless', isSure: true, onCut: () => () => {} };
  readonly isReady = true;
  readonly isClosed = false;
  followers = 0;
  readonly #said: readonly KeptEvent[];
  #turn: KeptTurn | undefined;

  constructor(said: readonly KeptEvent[]) {
    this.#said = said;
  }

  async start(turn: NewTurn) {
    this.#turn = { ...turn, before: 0 };
    return this.#turn;
  }

  async running(): Promise<ReadonlySet<string>> {
    return new Set();
  }

  async latest() {
    return this.#turn && { ...this.#turn, hasEnded: false };
  }

  async *follow(_turn: KeptTurn, after: number, signal?: AbortSignal): AsyncGenerator<KeptEvent, void> {
    this.followers += 1;
    try {
      yield* this.#said.filter(({ seq }) => seq > after);
      await new Promise<void>((resolve) => {
        if (signal?.aborted === true) resolve();
        signal?.addEventListener('abort', () => resolve(), { once: true });
      });
    } finally {
      this.followers -= 1;
    }
  }

  async stop() {
    return false;
  }

  async forget() {}

  async close() {}
}

async function sessionOn(engine: TurnEngine) {
  const agent = createAgent(
    { workspace: '/tmp', model: 'test-model' },
    {
      adapter: new FakeAdapter(),
      persister: createMemoryPersister(),
      sessionFactory: engineSessionFactory(() => engine),
    },
  );
  await agent.initialize();
  const handle = createHandler({ agent, driver: 'mono', model: 'test-model', token: TOKEN });
  const { id } = await agent.createSession();
  const ask = (path: string, more: object = {}) =>
    handle(new Request(`http://127.0.0.1/sessions/${id}${path}`, { headers, ...more }), { waitUntil: () => {} });
  const send = () => ask('/messages', { method: 'POST', body: JSON.stringify({ content: 'Hi' }) });
  return { ask, send };
}

const START = { seq: 1, event: { type: 'message_start', timestamp: 0, data: { messageId: '1', model: '' } } };

test('a client that leaves is no longer followed for, although the turn says nothing more', async () => {
  const engine = new EndlessEngine([START]);
  const { ask, send } = await sessionOn(engine);
  const sent = await send();
  const again = await ask('/events');
  await expect.poll(() => engine.followers).toBe(2);
  const readers = [sent, again].map(({ body }) => body?.getReader());
  // From here on, each stream waits for an event that does not come.
  for (const reader of readers) await reader?.read();
  for (const reader of readers) void reader?.cancel();
  await expect.poll(() => engine.followers).toBe(0);
});

test('a turn that says nothing yet has one follower for its client, and none without', async () => {
  const engine = new EndlessEngine([]);
  const sent = await (await sessionOn(engine)).send();
  await expect.poll(() => engine.followers).toBe(1);
  await sent.body?.cancel();
  await expect.poll(() => engine.followers).toBe(0);
});

test('without an engine too, the stream of a client that leaves ends before the next event', async () => {
  const model = await createScriptedServer({ otherwise: { events: [], ending: 'stall' } });
  onTestFinished(() => model.close());
  await using server = await startServer({ otherwise: 'Hi' }, { baseUrl: model.baseURL });
  const handle = createHandler({ agent: server.agent, driver: 'mono', model: 'test-model', token: TOKEN });
  const id = await server.newSession();
  const session = await server.agent.getSession(id);
  void session?.send('Hi').then(undefined, () => {});
  await model.waitForRequest(0);
  const response = await handle(new Request(`${server.url}/sessions/${id}/events`, { headers }));
  const left = response.body?.cancel().then(() => 'left');
  const late = new Promise((resolve) => setTimeout(resolve, 500, 'late'));
  expect(await Promise.race([left, late])).toBe('left');
  await session?.interrupt();
});
