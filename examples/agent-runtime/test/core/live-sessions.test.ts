import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, onTestFinished, test, vi } from 'vitest';

import { type Agent, createAgent, createMemoryPersister, type Session } from '../../src/index.js';
import { FakeAdapter, talkOn } from '../support/fake-adapter.js';
import { startServer } from '../support/start-server.js';

setFlagsFromString('--expose_gc');
const collect = runInNewContext('gc') as () => void;

/** More than stay loaded. */
const MANY = 120;

class ReleasingAdapter extends FakeAdapter {
  readonly released: string[] = [];

  async release(id: string): Promise<void> {
    this.released.push(id);
  }
}

async function agentWith(adapter = new ReleasingAdapter()) {
  const persister = createMemoryPersister();
  const reads = vi.spyOn(persister, 'getMessages');
  const agent = createAgent({ workspace: '.' }, { adapter, persister });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  /** The sessions whose rows were read from the first one on. */
  const read = (): string[] => reads.mock.calls.filter(([, page]) => page?.after === undefined).map(([id]) => id);
  return { agent, adapter, read };
}

/** Others are asked for, and what nobody has is collected. */
async function askForOthers(agent: Agent): Promise<void> {
  for (let count = 0; count < MANY; count += 1) await agent.createSession();
  await new Promise((resolve) => setTimeout(resolve, 1));
  collect();
  await new Promise((resolve) => setTimeout(resolve, 1));
}

/** Keeps nothing but the id. */
async function newSession(agent: Agent, use: (session: Session) => unknown = () => {}): Promise<string> {
  const session = await agent.createSession();
  await use(session);
  return session.id;
}

test('a session that nobody uses is let go of once many others were asked for, and is opened again from the store', async () => {
  const { agent, adapter, read } = await agentWith();
  const id = await newSession(agent, (session) => session.send('Hello'));
  adapter.asked.length = 0;
  await askForOthers(agent);
  expect(adapter.released).toContain(id);
  const session = await agent.getSession(id);
  expect(read()).toEqual([id]);
  expect(session?.getMessages().map(({ content }) => content)).toEqual(['Hello', 'Hello.']);
  await session?.send('Again');
  expect(session?.getMessages()).toHaveLength(4);
});

test(
  'of sessions that clients no longer use, a hundred stay in the memory of a server',
  { timeout: 30_000 },
  async () => {
    await using server = await startServer();
    const made: WeakRef<Session>[] = [];
    const create = vi.spyOn(server.agent, 'createSession');
    for (let count = 0; count < 2 * MANY; count += 1) {
      const id = await server.newSession();
      const sent = await server.ask(`/sessions/${id}/messages`, { method: 'POST', body: { content: 'Hello' } });
      await sent.text();
      made.push(new WeakRef((await create.mock.results.at(-1)?.value) as Session));
      create.mockClear();
    }
    const alive = (): number => {
      collect();
      return made.filter((session) => session.deref() !== undefined).length;
    };
    await expect.poll(alive).toBe(100);
  },
);

test('the last sessions that were asked for stay', async () => {
  const { agent, adapter, read } = await agentWith();
  const id = await newSession(agent);
  for (let count = 0; count < MANY; count += 1) {
    await agent.createSession();
    if (count % 20 === 0) await agent.getSession(id);
  }
  collect();
  await agent.getSession(id);
  expect(read()).toEqual([]);
  expect(adapter.released).not.toContain(id);
});

test('a session that someone has is the same object when it is asked for again', async () => {
  const { agent, read } = await agentWith();
  const session = await agent.createSession();
  await askForOthers(agent);
  expect(await agent.getSession(session.id)).toBe(session);
  expect(read()).toEqual([]);
});

test('a session that is used after it was let go of stays again, and is let go of again', async () => {
  const { agent, adapter } = await agentWith();
  const session = await agent.createSession();
  await askForOthers(agent);
  await session.send('Hello');
  await askForOthers(agent);
  expect(adapter.released.filter((id) => id === session.id)).toHaveLength(2);
});

test('a session in a turn stays, and the end of the program interrupts it', async () => {
  const { agent, adapter, read } = await agentWith(new ReleasingAdapter(talkOn));
  const id = await newSession(agent, (session) => void session.send('Hello'));
  await askForOthers(agent);
  expect(adapter.released).not.toContain(id);
  const session = await agent.getSession(id);
  expect([session?.state, read()]).toEqual(['active', []]);
  await session?.interrupt();
});

test('a session that someone listens to stays, and tells of later rows', async () => {
  const { agent, read } = await agentWith();
  const heard: string[] = [];
  const id = await newSession(agent, (session) => session.subscribe(({ content }) => heard.push(content)));
  await askForOthers(agent);
  await (await agent.getSession(id))?.send('Hello');
  expect([heard, read()]).toEqual([['Hello', 'Hello.'], []]);
});
