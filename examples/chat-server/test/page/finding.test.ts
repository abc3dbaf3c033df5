import { describe, expect, it } from 'vitest';
import type { SessionItem } from '../../page/lib/api-types.js';
import { groupsOf } from '../../page/lib/chat-groups.js';
import { markWords } from '../../page/lib/mark-words.js';
import { shortcutOf } from '../../page/lib/shortcuts.js';

function item(id: string, time: Date, marks: Partial<SessionItem> = {}): SessionItem {
  const facts = { title: id, isPinned: false, isArchived: false, messageCount: 2, running: false, pendingApprovals: 0 };
  return { id, updatedAt: time.toISOString(), ...facts, ...marks };
}

describe('the list of chats', () => {
  it('has groups by the days of the calendar here, and pinned ones first', () => {
    const now = new Date(2026, 2, 29, 0, 30);
    const groups = groupsOf(
      [
        item('pinned', new Date(2020, 0, 1), { isPinned: true }),
        item('now', new Date(2026, 2, 29, 0, 10)),
        item('an hour ago', new Date(2026, 2, 28, 23, 30)),
        item('monday', new Date(2026, 2, 23, 12)),
        item('this month', new Date(2026, 2, 3)),
        item('winter', new Date(2026, 0, 20)),
        item('also winter', new Date(2026, 0, 2)),
        item('long ago', new Date(2025, 0, 2)),
      ],
      now,
    );
    expect(groups.map(({ name, items }) => [name, ...items.map(({ id }) => id)])).toEqual([
      ['Pinned', 'pinned'],
      ['Today', 'now'],
      ['Yesterday', 'an hour ago'],
      ['Previous 7 days', 'monday'],
      ['Previous 30 days', 'this month'],
      ['January 2026', 'winter', 'also winter'],
      ['January 2025', 'long ago'],
    ]);
  });

  it('has a chat whose clock is ahead under today', () => {
    const now = new Date(2026, 2, 29);
    expect(groupsOf([item('ahead', new Date(2026, 2, 30))], now)[0]?.name).toBe('Today');
  });
});

describe('what was found', () => {
  it('is marked wherever a word of the query is, in any case, and signs of patterns are signs', () => {
    expect(markWords('A duck, a DUCK (x)', 'duck (x')).toEqual([
      { text: 'A ', isFound: false },
      { text: 'duck', isFound: true },
      { text: ', a ', isFound: false },
      { text: 'DUCK', isFound: true },
      { text: ' ', isFound: false },
      { text: '(x', isFound: true },
      { text: ')', isFound: false },
    ]);
    expect(markWords('duck', ' ')).toEqual([{ text: 'duck', isFound: false }]);
  });
});

describe('a key', () => {
  const key = (name: string, held: Partial<KeyboardEvent> = {}) =>
    ({ key: name, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...held }) as const;

  it.each([
    [key('k', { ctrlKey: true }), 'search'],
    [key('K', { metaKey: true }), 'search'],
    [key('O', { ctrlKey: true, shiftKey: true }), 'newChat'],
    [key('/', { ctrlKey: true }), 'help'],
    [key('Escape', { shiftKey: true }), 'message'],
    [key('?', { shiftKey: true }), undefined],
    [key('k'), undefined],
    [key('o', { ctrlKey: true }), undefined],
    [key('k', { ctrlKey: true, altKey: true }), undefined],
    [key('Escape'), undefined],
  ])('%j in a text is %j', (event, name) => {
    expect(shortcutOf(event, true)).toBe(name);
  });

  it('that is a question mark shows the shortcuts where nothing is written', () => {
    expect(shortcutOf(key('?', { shiftKey: true }), false)).toBe('help');
  });
});
