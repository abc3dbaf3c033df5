import { describe, expect, test } from 'vitest';

import type { AgentPersister } from '../../src/index.js';
import { message, nested, openAt, type Place, session } from './stored-rows.js';

/** What a store accepts comes back as it was; it refuses the rest. */
export function describeUnchanged(name: string, makePlace: () => Place): void {
  describe(`what ${name} gives back`, () => {
    const open = (place = makePlace()): AgentPersister => openAt(place);

    test.each<[string, unknown, RegExp]>([
      ['the number -0', [-0], /"toolInput" contains the number -0/],
      ['a number that is none', { n: Number.NaN }, /"toolInput" contains the number NaN/],
      ['a number without end', Number.POSITIVE_INFINITY, /"toolInput" contains the number Infinity/],
      ['a big integer', 1n, /type bigint/],
      ['a date', { at: new Date(0) }, /type Date/],
      ['bytes', new Uint8Array(2), /type Uint8Array/],
      ['a gap in a list', [1, undefined], /type undefined/],
    ])('a row with %s is refused: JSON would change it', async (_what, toolInput, problem) => {
      const persister = open();
      await persister.saveSession(session('a'));
      await expect(persister.saveMessage('a', message(1, { toolInput }))).rejects.toMatchObject({
        code: 'persist_failed',
        message: expect.stringMatching(problem) as unknown,
      });
      expect(await persister.getMessageCount('a')).toBe(0);
    });

    test.each<[string, object, RegExp]>([
      ['an unknown member', { colour: 'green' }, /"colour"/],
      ['an id of 501 characters', { id: 'x'.repeat(501) }, /"id" is longer than 500/],
      ['a text of 50,000,001 characters', { content: 'x'.repeat(50_000_001) }, /longer than 50000000/],
      ['a flag that is no flag', { isToolUse: 'yes' }, /"isToolUse"/],
      ['a place that is no whole number', { seq: 1.5 }, /"seq" is not a whole number/],
    ])('a row with %s is refused', async (_what, more, problem) => {
      const persister = open();
      await persister.saveSession(session('a'));
      await expect(persister.saveMessage('a', { ...message(1), ...more })).rejects.toMatchObject({
        code: 'persist_failed',
        message: expect.stringMatching(problem) as unknown,
      });
    });

    test('what was accepted comes back unchanged after a restart', async () => {
      const place = makePlace();
      const before = open(place);
      const usage = {
        used: 9e15,
        breakdown: { input: 1e300, output: 0.1, cacheRead: 0, cacheCreation: 5e-324, reasoning: 0 },
      };
      const kept = session('\u00E9 e\u0301', { summary: 'a\u030A or \u00E5: \uFFFD \u{10FFFF} "\'\\ \r\n\t', usage });
      await before.saveSession(kept);
      const odd = JSON.parse('{"__proto__": {"a": 1}, "constructor": [], "": null, "1": 0, "b": 2, "a": 1}') as unknown;
      const rows = [
        message(1, { content: '\u00E9 is not e\u0301', toolInput: odd }),
        message(2, {
          toolInput: nested(500),
          toolResult: ['\0', '\ud83d', '\udc00\ud83d', 2 ** 53, -1e-300, 1.7976931348623157e308],
        }),
        message(3, { content: 'quack \u{1F986} '.repeat(500_000) }),
        message(Number.MAX_SAFE_INTEGER, { content: '', toolResult: null, isToolUse: false }),
      ];
      await before.saveMessages(kept.id, rows);
      await before.close();
      const after = open(place);
      expect(await after.getSession(kept.id)).toMatchObject(kept);
      const read = await after.getMessages(kept.id);
      expect(read).toEqual(rows);
      // Equality knows nothing of the order of keys, and of "__proto__" only as a parent.
      expect(read.map((row) => JSON.stringify(row.toolInput))).toEqual(
        rows.map((row) => JSON.stringify(row.toolInput)),
      );
    });

    test('a session or a prefix with a zero character is in no store', async () => {
      const persister = open();
      await persister.saveSession(session('a'));
      const id = 'a\0b';
      expect(await persister.getSession(id)).toBeNull();
      expect([await persister.getMessages(id), await persister.getMessageCount(id)]).toEqual([[], 0]);
      expect(await persister.claimSession?.(id)).toEqual({ outcome: 'deleted' });
      expect((await persister.listSessions({ idPrefix: id })).total).toBe(0);
      await persister.deleteSession(id);
      expect((await persister.listSessions({})).total).toBe(1);
    });
  });
}
