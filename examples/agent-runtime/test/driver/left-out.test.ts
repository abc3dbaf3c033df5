import { createScriptedServer, errorReply, type ScriptedServerOptions } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  type AgentPersister,
  type ContentBlock,
  createAgent,
  createMemoryPersister,
  createSqlitePersister,
  type DriverStreamEvent,
  type StoredMessage,
} from '../../src/index.js';
import { makeWorkspace } from '../support/workspace.js';

const NOW = '2026-01-01T00:00:00.000Z';
const PNG = 'iVBORw0KGgo=';
const ID = 'old-session';

function userRow(seq: number, blocks: unknown): StoredMessage {
  const metadata = { blocks: blocks as readonly ContentBlock[] };
  return { id: `row-${seq}`, type: 'user', content: '[image]', timestamp: NOW, seq, turn: seq, metadata };
}

/** A session that an earlier version wrote. */
async function keepOld(persister: AgentPersister, rows: StoredMessage[]): Promise<void> {
  const session = { id: ID, summary: null, createdAt: NOW, lastActivity: NOW, cwd: '/', model: null, usage: null };
  await persister.saveSession({ ...session, state: 'idle' });
  await persister.saveMessages(ID, rows);
}

async function goOn(
  persister: AgentPersister,
  says: readonly string[],
  script: ScriptedServerOptions = { otherwise: 'Fine.' },
): Promise<{ readonly events: readonly DriverStreamEvent[][]; readonly requests: readonly string[] }> {
  const model = await createScriptedServer(script);
  const agent = createAgent(
    { workspace: '/tmp', model: 'm', driver: 'mono', baseUrl: model.baseURL, apiKey: 'sk-for-tests' },
    { persister },
  );
  onTestFinished(() => model.close());
  await agent.initialize();
  const session = await agent.getSession(ID);
  const events: DriverStreamEvent[][] = [];
  for (const words of says) {
    const turn: DriverStreamEvent[] = [];
    if (session !== null) for await (const event of session.send(words)) turn.push(event);
    events.push(turn);
  }
  await agent.destroy();
  return { events, requests: model.requests.map(({ text }) => text) };
}

describe('a session with a row that cannot be sent', () => {
  test.each<[string, unknown]>([
    [
      'an image of this machine',
      [
        { type: 'text', text: 'look' },
        { type: 'image', data: 'file:///etc/passwd' },
      ],
    ],
    ['a file on loopback', [{ type: 'file', data: 'http://127.0.0.1/a.pdf', mediaType: 'application/pdf' }]],
    ['a broken data URL', [{ type: 'image', data: 'data:image/png;base64,%%%' }]],
    ['no base64', [{ type: 'image', data: '!!!' }]],
    ['an unknown kind of block', [{ type: 'video', data: PNG }]],
    ['a block that is none', [null]],
    ['blocks that are no list', { type: 'image' }],
  ])('goes on after a restart, with a note in its place and a warning: %s', async (_what, blocks) => {
    const workspace = makeWorkspace();
    const before = createSqlitePersister({ workspace });
    await keepOld(before, [userRow(1, blocks)]);
    await before.close();
    const { events, requests } = await goOn(createSqlitePersister({ workspace }), ['hi again', 'and again']);
    for (const turn of events) {
      expect(turn.map(({ type }) => type)).toEqual(expect.arrayContaining(['message_start', 'warning', 'text_delta']));
      expect(turn[0]?.type).toBe('message_start');
      expect(turn.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'end_turn' } });
    }
    expect(requests).toHaveLength(2);
    for (const text of requests) expect(text).toContain('left out: it cannot be sent');
    expect(requests.join()).not.toContain('etc/passwd');
  });

  test('goes on where the server refuses an attachment that got no answer, and keeps one that did', async () => {
    const persister = createMemoryPersister();
    const answered = userRow(1, [{ type: 'image', data: PNG }]);
    const answer: StoredMessage = { id: 'a', type: 'agent', content: 'Nice.', timestamp: NOW, seq: 2, turn: 1 };
    const refused = userRow(3, [{ type: 'image', data: 'AAAA' }]);
    await keepOld(persister, [answered, answer, refused]);
    const { events, requests } = await goOn(persister, ['hi again'], {
      otherwise: ({ text }) => (text.includes('AAAA') ? errorReply({ status: 400, message: 'No image.' }) : 'Fine.'),
    });
    expect(events[0]?.map(({ type }) => type)).toContain('warning');
    expect(events[0]?.at(-1)).toMatchObject({ data: { stopReason: 'end_turn' } });
    expect(requests.at(-1)).toContain(PNG);
    expect(requests.at(-1)).toContain('[image left out');
  });

  test('fails as before where something else is wrong, without further requests', async () => {
    const persister = createMemoryPersister();
    await keepOld(persister, [userRow(1, [{ type: 'image', data: PNG }])]);
    const { events, requests } = await goOn(persister, ['hi'], { otherwise: () => errorReply({ status: 403 }) });
    expect(events[0]?.map(({ type }) => type)).toEqual(['message_start', 'error', 'message_stop']);
    expect(requests).toHaveLength(1);
  });
});

test('a title comes back after a restart as it was answered', async () => {
  const workspace = makeWorkspace();
  const titles: (string | null)[] = [];
  for (const summary of ['a\0b \ud83d', undefined]) {
    const agent = createAgent({ workspace, driver: 'echo' }, { persister: createSqlitePersister({ workspace }) });
    await agent.initialize();
    if (summary !== undefined) titles.push((await agent.createSession({ summary })).summary);
    else titles.push(...(await agent.getSessions()).map((session) => session.summary));
    await agent.destroy();
  }
  expect(titles).toEqual(['a\ufffdb \ufffd', 'a\ufffdb \ufffd']);
});
