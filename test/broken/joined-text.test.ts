import { describe, expect, it } from 'vitest';
import { JoinedText } from '../../src/broken/joined-text.js';
import type { ContentPart } from '../../src/core/part.js';

const SHOWN = 'The capital of France is Paris. The capital of Italy is Ro';

function textOf(parts: readonly ContentPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('');
}

/** What comes of a text that arrives in pieces. */
function joined(shown: string, pieces: readonly string[]): ContentPart[] {
  const texts = new JoinedText(shown);
  const text = (part: Parameters<JoinedText['text']>[0]) =>
    part.type === 'text-delta' && texts.passes(part.id) ? [part] : texts.text(part);
  return [
    ...text({ type: 'text-start', id: 'a' }),
    ...pieces.flatMap((delta) => text({ type: 'text-delta', id: 'a', delta })),
    ...text({ type: 'text-end', id: 'a' }),
    ...texts.end(),
  ];
}

describe('a text behind one that broke off', () => {
  it.each([
    ['goes on', 'me, and so on.', 'me, and so on.'],
    ['repeats the last words', 'capital of Italy is Rome.', 'me.'],
    ['begins anew', `${SHOWN}me.`, 'me.'],
    ['repeats it with other white space', 'The  capital of\nItaly is Rome.', 'me.'],
    [
      'begins with words that stand elsewhere in it',
      'The capital of Spain is Madrid.',
      'The capital of Spain is Madrid.',
    ],
    ['repeats too little to tell', 'is Rome.', 'is Rome.'],
  ])('%s: %j adds %j', (_name, text, added) => {
    for (const pieces of [[text], text.split(''), text.split(/(?<=o)/)])
      expect(textOf(joined(SHOWN, pieces))).toBe(added);
  });

  it('adds nothing, not even an empty part, if it only repeats', () => {
    expect(joined(SHOWN, ['capital of ', 'Italy is Ro'])).toEqual([]);
  });

  it.each([
    ['One two three four.\n\n', 'two three four.\n\nFive', 'Five'],
    ['One two three four.\n', 'two three four.\n\nFive', '\nFive'],
    ['One two three four.', 'two three four.\n\nFive', '\n\nFive'],
    ['One two three four. ', 'two three four.', ''],
  ])('keeps what white space is missing: %j and %j adds %j', (shown, text, added) => {
    expect(textOf(joined(shown, text.split('')))).toBe(added);
  });

  it('shows at once what cannot be a repetition', () => {
    const texts = new JoinedText(SHOWN);
    texts.text({ type: 'text-start', id: 'a' });
    expect(texts.text({ type: 'text-delta', id: 'a', delta: 'X' })).toEqual([
      { type: 'text-start', id: 'a' },
      { type: 'text-delta', id: 'a', delta: 'X' },
    ]);
    expect(texts.passes('a')).toBe(true);
  });

  it('comes before a call and before another text, however much of it was held back', () => {
    const held = (texts: JoinedText) => {
      texts.text({ type: 'text-start', id: 'a' });
      return texts.text({ type: 'text-delta', id: 'a', delta: 'The cap' });
    };
    const before = new JoinedText(SHOWN);
    expect(held(before)).toEqual([]);
    expect(textOf(before.call())).toBe('The cap');
    const another = new JoinedText(SHOWN);
    expect(held(another)).toEqual([]);
    const parts = another.text({ type: 'text-start', id: 'b' });
    expect(parts.map((part) => ('id' in part ? [part.type, part.id] : []))).toEqual([
      ['text-start', 'a'],
      ['text-delta', 'a'],
      ['text-start', 'b'],
    ]);
  });
});
