import { describe, expect, test } from 'vitest';

import type { AgentPersister, SessionQuery, StoredMessage } from '../../src/index.js';
import { message, nested, openAt, type Place, session } from './stored-rows.js';

/** What holds wherever sessions are kept. */
export function describeStore(name: string, makePlace: () => Place): void {
  describe(`what is kept in ${name}`, () => {
    const open = (place = makePlace()): AgentPersister => openAt(place);

    test('a session comes back as it was, and changes with the next save', async () => {
      const persister = open();
      expect(await persister.getSession('a')).toBeNull();
      await persister.saveSession(session('a'));
      expect(await persister.getSession('a')).toMatchObject({ ...session('a'), messageCount: 0 });
      const usage = { used: 3, breakdown: { input: 1, output: 2, cacheRead: 0, cacheCreation: 0, reasoning: 0 } };
      await persister.saveSession(session('a', { summary: 'Ducks', state: 'idle', usage }));
      expect(await persister.getSession('a')).toMatchObject({ summary: 'Ducks', state: 'idle', usage });
    });

    test('a new session comes with its first rows: both are there, or neither', async () => {
      const persister = open();
      const rows = [message(1), message(2)];
      await persister.createSession(session('a'), rows);
      expect(await persister.getSession('a')).toMatchObject({ ...session('a'), messageCount: 2 });
      expect(await persister.getMessages('a')).toEqual(rows);
      const refused = [
        [message(1), message(1)],
        [message(1, { id: rows[0]?.id ?? '' })],
        [message(1, { content: 'a\0b' })],
      ];
      for (const [index, batch] of refused.entries()) {
        const made = persister.createSession(session(`b${index}`), batch);
        await expect(made).rejects.toMatchObject({ code: 'persist_failed' });
        expect(await persister.getSession(`b${index}`)).toBeNull();
      }
      expect(await persister.getMessages('a')).toEqual(rows);
    });

    test('a session is not made in the place of another', async () => {
      const persister = open();
      await persister.createSession(session('a'), [message(1)]);
      await expect(persister.createSession(session('a', { summary: 'Other' }), [])).rejects.toMatchObject({
        ...{ code: 'persist_failed', message: expect.stringContaining('of that id') },
      });
      expect(await persister.getSession('a')).toMatchObject({ summary: null, messageCount: 1 });
    });

    test('sessions are listed by their last activity, with the number of their messages', async () => {
      const persister = open();
      await persister.saveSession(session('old', { lastActivity: '2026-01-01T00:00:00.000Z' }));
      await persister.saveSession(session('new', { lastActivity: '2026-03-01T00:00:00.000Z' }));
      await persister.saveSession(session('mid', { lastActivity: '2026-02-01T00:00:00.000Z' }));
      await persister.saveMessages('mid', [message(1), message(2)]);
      const all = await persister.getAllSessions();
      expect(all.map(({ id, messageCount }) => [id, messageCount])).toEqual([
        ['new', 0],
        ['mid', 2],
        ['old', 0],
      ]);
    });

    test('sessions are searched, filtered and cut by where they are kept, and counted over all pages', async () => {
      const persister = open();
      const day = (index: number): string => `2026-01-0${index}T00:00:00.000Z`;
      const ids = ['aa1', 'aa2', 'bb3', 'bb4'];
      for (const [index, id] of ids.entries()) {
        const summary = id === 'aa1' ? 'Ducks 100%' : null;
        await persister.saveSession(session(id, { lastActivity: day(index + 1), summary, state: 'idle' }));
      }
      await persister.saveMessages('bb3', [
        message(1, { content: 'A DUCK_pond, x\\y' }),
        message(2, { content: 'duck' }),
      ]);
      const found = async (query: SessionQuery): Promise<unknown> => {
        const { items, total } = await persister.listSessions(query);
        return [items.map(({ id }) => id), total];
      };
      expect(await found({ limit: 2, offset: 1 })).toEqual([['bb3', 'aa2'], 4]);
      expect(await found({ limit: 0 })).toEqual([[], 4]);
      expect(await found({ offset: 9 })).toEqual([[], 4]);
      expect(await found({ search: 'duck' })).toEqual([['bb3', 'aa1'], 2]);
      expect(await found({ search: '%' })).toEqual([['aa1'], 1]);
      expect(await found({ search: 'DUCK_' })).toEqual([['bb3'], 1]);
      expect(await found({ search: 'x\\y' })).toEqual([['bb3'], 1]);
      expect(await found({ search: 'goose\0' })).toEqual([[], 0]);
      expect(await found({ idPrefix: 'aa', limit: 1 })).toEqual([['aa2'], 2]);
      expect(await found({ idPrefix: 'AA' })).toEqual([[], 0]);
      expect(await found({ idPrefix: '%' })).toEqual([[], 0]);
      expect(await found({ state: 'active' })).toEqual([[], 0]);
      expect(await found({ state: 'idle', search: 'pond' })).toEqual([['bb3'], 1]);
      expect((await persister.listSessions({ idPrefix: 'bb3' })).items[0]?.messageCount).toBe(2);
    });

    test('messages come back in the order of seq, as they were, all or by pages', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      const rows = [
        message(1, { content: 'Quack 🦆 "\'', metadata: { blocks: [{ type: 'text', text: 'x' }] } }),
        message(2, { type: 'tool', isToolUse: true, toolName: 'look', toolId: 'c', toolInput: { at: ['pond', null] } }),
        message(3, { type: 'tool', isToolUse: false, toolName: 'look', toolId: 'c', toolResult: null }),
        message(4, { type: 'agent', metadata: { kind: 'thinking', provider: { p: { id: 'rs' } } } }),
      ];
      for (const row of rows.toReversed()) await persister.saveMessage('a', row);
      expect(await persister.getMessages('a')).toEqual(rows);
      expect(await persister.getMessages('a', { after: 1, limit: 2 })).toEqual(rows.slice(1, 3));
      expect(await persister.getMessages('a', { after: 4 })).toEqual([]);
      expect(await persister.getMessages('a', { limit: 0 })).toEqual([]);
      expect(await persister.getMessageCount('a')).toBe(4);
      expect(await persister.getMessages('none')).toEqual([]);
    });

    test('a message that is saved twice is there once', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      const row = message(1);
      await persister.saveMessage('a', row);
      await persister.saveMessage('a', { ...row, content: 'Something else' });
      expect(await persister.getMessages('a')).toEqual([row]);
    });

    test('a row id of another session is refused, and the row of that session stays', async () => {
      const persister = open();
      for (const id of ['a', 'b']) await persister.saveSession(session(id));
      const row = message(1);
      await persister.saveMessage('a', row);
      await expect(persister.saveMessage('b', message(1, { id: row.id }))).rejects.toMatchObject({
        code: 'persist_failed',
      });
      expect([await persister.getMessages('a'), await persister.getMessages('b')]).toEqual([[row], []]);
      await persister.deleteMessages('a');
      await persister.saveMessage('b', message(1, { id: row.id }));
      expect(await persister.getMessageCount('b')).toBe(1);
      // What was refused is said once more at the end.
      await persister.flush().catch(() => {});
    });

    test.each<[string, readonly StoredMessage[]]>([
      ['the place of another row', [message(2), message(3), message(2)]],
      ['a row of no known type', [message(2), message(3, { type: 'robot' as never })]],
      ['a zero character', [message(2), message(3, { content: 'a\0b' })]],
      ['half of a surrogate pair', [message(2), message(3, { toolName: '\ud83d' })]],
      ['a value of 3,000 levels', [message(2), message(3, { toolInput: nested(3_000) })]],
    ])('a batch with %s is refused as a whole, with a word about it', async (_what, rows) => {
      const persister = open();
      await persister.saveSession(session('a'));
      const before = message(1);
      await persister.saveMessage('a', before);
      await expect(persister.saveMessages('a', [...rows])).rejects.toMatchObject({
        code: 'persist_failed',
        message: expect.stringMatching(/Session a: /) as unknown,
      });
      expect(await persister.getMessages('a')).toEqual([before]);
    });

    test('any text comes back unchanged where it stands in JSON', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      const odd = 'zero \0, half \ud83d';
      const row = message(1, { type: 'tool', toolInput: { [odd]: odd }, toolResult: odd });
      await persister.saveMessage('a', row);
      expect(await persister.getMessages('a')).toEqual([row]);
    });

    test('a session whose texts could not be read back is refused', async () => {
      const persister = open();
      await expect(persister.saveSession(session('a', { summary: 'a\0b' }))).rejects.toMatchObject({
        message: expect.stringContaining('"summary"') as unknown,
      });
      expect(await persister.getSession('a')).toBeNull();
    });

    test('a session that was deleted is gone with its messages, and does not come back', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      await persister.saveMessage('a', message(1));
      await persister.deleteSession('a');
      await persister.deleteSession('a');
      await persister.saveSession(session('a', { state: 'idle' }));
      await expect(persister.saveMessage('a', message(2))).rejects.toMatchObject({ code: 'session_deleted' });
      expect(await persister.getSession('a')).toBeNull();
      expect(await persister.getMessages('a')).toEqual([]);
      expect(await persister.claimSession?.('a')).toEqual({ outcome: 'deleted' });
    });

    test('messages can be deleted alone', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      await persister.saveMessages('a', [message(1), message(2)]);
      await persister.deleteMessages('a');
      expect([await persister.getMessageCount('a'), (await persister.getSession('a'))?.id]).toEqual([0, 'a']);
    });

    test('what is kept is not changed by who wrote or read it', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      const row = { ...message(1), metadata: { blocks: [{ type: 'text' as const, text: 'x' }] } };
      await persister.saveMessage('a', row);
      (row.metadata.blocks[0] as { text: string }).text = 'changed';
      const [read] = await persister.getMessages('a');
      expect(read?.metadata?.blocks).toEqual([{ type: 'text', text: 'x' }]);
    });

    test('a session is claimed once, until its turn is over', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      expect(await persister.claimSession?.('a')).toEqual({ outcome: 'claimed', wasActive: false });
      expect(await persister.getSession('a')).toMatchObject({ state: 'active' });
      await persister.saveSession(session('a', { state: 'completed' }));
      expect(await persister.claimSession?.('a')).toEqual({ outcome: 'closed', state: 'completed' });
    });

    test('a claim tells whether there are later rows than the one that is known', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      await persister.saveMessages('a', [message(1), message(2)]);
      for (const [after, hasNews] of [
        [1, true],
        [2, false],
      ] as const) {
        expect(await persister.claimSession?.('a', { after })).toEqual({
          outcome: 'claimed',
          wasActive: false,
          hasNews,
        });
        await persister.saveSession(session('a', { state: 'idle' }));
      }
    });

    test('flush() waits for what is under way', async () => {
      const persister = open();
      void persister.saveSession(session('a'));
      for (let seq = 1; seq <= 50; seq += 1) void persister.saveMessage('a', message(seq));
      await persister.flush();
      expect(await persister.getMessageCount('a')).toBe(50);
    });

    test('10,000 messages are written at once and come back in order', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      await persister.saveMessages(
        'a',
        Array.from({ length: 10_000 }, (_, index) => message(index + 1)),
      );
      const rows = await persister.getMessages('a');
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 10_000 }, (_, index) => index + 1));
    });
  });
}
