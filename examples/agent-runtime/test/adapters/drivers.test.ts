import { expect, onTestFinished, test } from 'vitest';

import {
  type Agent,
  createAgentX,
  createEchoDriver,
  type Driver,
  type DriverConfig,
  type DriverStreamEvent,
  type UserMessage,
} from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';

async function started(agent: Agent): Promise<Agent> {
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return agent;
}

type Answer = (message: UserMessage, config: DriverConfig) => AsyncIterable<readonly [string, unknown]>;

/** A driver of someone else: it knows the events, and nothing of rows. */
class OtherDriver implements Driver {
  readonly name = 'other';
  readonly supportedProtocols = [] as const;
  readonly sessionId = null;
  state: Driver['state'] = 'idle';
  interrupts = 0;
  readonly #config: DriverConfig;
  readonly #events: Answer;

  constructor(config: DriverConfig, events: Answer) {
    this.#config = config;
    this.#events = events;
  }

  async initialize(): Promise<void> {}

  async *receive(message: UserMessage): AsyncGenerator<DriverStreamEvent> {
    for await (const [type, data] of this.#events(message, this.#config)) {
      yield { type, timestamp: Date.now(), data } as DriverStreamEvent;
    }
  }

  interrupt(): void {
    this.interrupts += 1;
  }

  async dispose(): Promise<void> {
    this.state = 'disposed';
  }
}

test('createAgentX() answers through the driver that is named, and needs no disk', async () => {
  const agent = await started(createAgentX({ driver: 'echo', driverConfig: { agentId: 'a' } }));
  expect(textOf(await collect(agent.chat('Quack quack')))).toBe('Quack quack');
  const [session] = await agent.getSessions();
  expect(session).toMatchObject({ summary: 'Quack quack', state: 'idle', messageCount: 3 });
});

test('a driver is made once for a session, and disposed of with it', async () => {
  const made: Driver[] = [];
  const agent = await started(
    createAgentX({
      driver: (config) => {
        made.push(createEchoDriver(config));
        return made.at(-1) as Driver;
      },
      driverConfig: { agentId: 'a' },
    }),
  );
  const [one, two] = [await agent.createSession(), await agent.createSession()];
  await one.send('One');
  await one.send('Two');
  await two.send('Three');
  expect(made.map(({ state }) => state)).toEqual(['idle', 'idle']);
  await one.complete();
  await two.delete();
  expect(made.map(({ state }) => state)).toEqual(['disposed', 'disposed']);
});

test('rows are made of the events of a driver that reports none', async () => {
  const agent = await started(
    createAgentX({
      driverConfig: { agentId: 'a' },
      driver: (config) =>
        new OtherDriver(config, async function* () {
          yield ['message_start', { messageId: 'm', model: 'x' }];
          yield ['thinking_delta', { text: 'Hm' }];
          yield ['thinking_delta', { text: '.' }];
          yield ['text_delta', { text: 'I ' }];
          yield ['text_delta', { text: 'look.' }];
          yield ['tool_use_start', { toolCallId: 'c', toolName: 'look' }];
          yield ['tool_use_stop', { toolCallId: 'c', toolName: 'look', input: { at: 'pond' } }];
          yield ['tool_result', { toolCallId: 'c', result: { ducks: 3 } }];
          yield ['text_delta', { text: 'Three.' }];
          yield ['message_stop', { stopReason: 'end_turn' }];
        }),
    }),
  );
  const session = await agent.createSession();
  await session.send('Look');
  expect(
    session.getMessages().map(({ type, content, isToolUse, toolName }) => [type, content, isToolUse, toolName]),
  ).toEqual([
    ['user', 'Look', undefined, undefined],
    ['agent', 'Hm.', undefined, undefined],
    ['agent', 'I look.', undefined, undefined],
    ['tool', 'look {"at":"pond"}', true, 'look'],
    ['tool', '{"ducks":3}', false, 'look'],
    ['agent', 'Three.', undefined, undefined],
  ]);
});

test('a driver reads the session as it was before the message, and a view that was handed in before that', async () => {
  const seen: unknown[] = [];
  const before = {
    id: 'x',
    type: 'user',
    content: 'Earlier',
    timestamp: new Date().toISOString(),
    seq: 1,
    turn: 1,
  } as const;
  const agent = await started(
    createAgentX({
      driverConfig: { agentId: 'a', session: { id: 's', getMessages: () => [before] } },
      driver: (config) =>
        new OtherDriver(config, async function* (_message, { session }) {
          seen.push(session?.getMessages().map(({ content }) => content));
          yield ['text_delta', { text: 'Yes.' }];
          yield ['message_stop', { stopReason: 'end_turn' }];
        }),
    }),
  );
  const session = await agent.createSession();
  const events = await collect(session.send('One'));
  await session.send('Two');
  expect(seen).toEqual([['Earlier'], ['Earlier', 'One', 'Yes.']]);
  // Whatever a driver leaves out, a turn begins and ends as it should.
  expect(typesOf(events)).toEqual(['message_start', 'text_delta', 'message_stop']);
});

test('a driver that cannot be made, or breaks, ends the turn with an error, and the next turn tries again', async () => {
  let attempts = 0;
  const agent = await started(
    createAgentX({
      driverConfig: { agentId: 'a' },
      driver: (config) => {
        attempts += 1;
        if (attempts === 1) throw new Error('Not today.');
        return createEchoDriver(config);
      },
    }),
  );
  const session = await agent.createSession();
  expect(typesOf(await collect(session.send('One')))).toEqual(['message_start', 'error', 'message_stop']);
  expect(textOf(await collect(session.send('Two')))).toBe('Two');
});

test('a driver that takes no notice of an interruption is left behind, with what it said', async () => {
  const made: OtherDriver[] = [];
  const agent = await started(
    createAgentX({
      driverConfig: { agentId: 'a' },
      driver: (config) => {
        const driver = new OtherDriver(config, async function* () {
          yield ['text_delta', { text: 'And so' }];
          if (made.length === 1) await new Promise(() => {});
          yield ['message_stop', { stopReason: 'end_turn' }];
        });
        made.push(driver);
        return driver;
      },
    }),
  );
  const session = await agent.createSession();
  const turn = session.send('One');
  for await (const { type } of turn) if (type === 'text_delta') void session.interrupt();
  expect(made[0]?.interrupts).toBe(1);
  expect(session.getMessages().map(({ content }) => content)).toEqual(['One', 'And so']);
  expect((await collect(session.send('Two'))).at(-1)?.type).toBe('message_stop');
  expect(made.map(({ state }) => state)).toEqual(['disposed', 'idle']);
});
