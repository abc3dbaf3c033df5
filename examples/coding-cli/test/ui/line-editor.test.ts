import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as edit from '../../src/ui/line-editor.js';
import { graphemesOf } from '../../src/ui/text-width.js';
import { InputHistory } from '../../src/ui/input-history.js';

const at = (marked: string): edit.Line => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|') });
const shown = ({ text, cursor }: edit.Line): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe('the input', () => {
  it.each([
    ['a letter is inserted', edit.insert('x'), 'a|b', 'ax|b'],
    ['backspace takes what is seen as one character', edit.deleteLeft, 'a👩‍👩‍👧|', 'a|'],
    ['delete', edit.deleteRight, '|👍🏽b', '|b'],
    ['delete at the end', edit.deleteRight, 'a|', 'a|'],
    ['left', edit.left, 'ae\u0301|', 'a|e\u0301'],
    ['right', edit.right, '|漢字', '漢|字'],
    ['Ctrl-A', edit.toStart, 'a\nbc|d', 'a\n|bcd'],
    ['Ctrl-E', edit.toEnd, 'a|b\ncd', 'ab|\ncd'],
    ['Ctrl-U', edit.killToStart, 'a\nbc|d', 'a\n|d'],
    ['Ctrl-K', edit.killToEnd, 'a|b\ncd', 'a|\ncd'],
    ['Ctrl-W', edit.killWord, 'git commit  |x', 'git |x'],
    ['Alt-B', edit.wordLeft, 'one two|', 'one |two'],
    ['Alt-F', edit.wordRight, '|one two', 'one| two'],
  ])('%s', (_, change, before, after) => {
    expect(shown(change(at(before)))).toBe(after);
  });

  it('goes up and down in the same column', () => {
    expect(shown(edit.up(at('long line\nab|c')) ?? edit.EMPTY_LINE)).toBe('lo|ng line\nabc');
    expect(shown(edit.down(at('long li|ne\nabc')) ?? edit.EMPTY_LINE)).toBe('long line\nabc|');
    expect(edit.up(at('on|e'))).toBeUndefined();
    expect(edit.down(at('one\ntw|o'))).toBeUndefined();
  });

  it('keeps its cursor between characters, whatever is done', () => {
    const changes = fc.constantFrom(
      edit.insert('👩‍👧'),
      edit.insert('e\u0301'),
      edit.insert('a b\n'),
      edit.left,
      edit.right,
      edit.deleteLeft,
      edit.deleteRight,
      edit.toStart,
      edit.toEnd,
      edit.killWord,
      edit.killToEnd,
      edit.killToStart,
      (line: edit.Line) => edit.up(line) ?? line,
      (line: edit.Line) => edit.down(line) ?? line,
    );
    fc.assert(
      fc.property(fc.array(changes), (all) => {
        const { text, cursor } = all.reduce((line, change) => change(line), edit.EMPTY_LINE);
        const before = graphemesOf(text.slice(0, cursor)).length + graphemesOf(text.slice(cursor)).length;
        expect(before).toBe(graphemesOf(text).length);
      }),
    );
  });
});

describe('a chip in the line', () => {
  const chip = '[pasted 62 lines #1]';

  it('goes as a whole, and the cursor passes it in one step', () => {
    const line = edit.lineOf(`see ${chip}`);
    expect(edit.left(line).cursor).toBe(4);
    expect(edit.right(edit.left(line)).cursor).toBe(line.text.length);
    for (const change of [edit.deleteLeft, edit.killWord]) expect(change(line).text).toBe('see ');
    expect(edit.deleteRight({ ...line, cursor: 4 }).text).toBe('see ');
  });

  it('is whole or gone, and holds no cursor, whatever is done', () => {
    const changes = fc.constantFrom<edit.LineEdit>(
      edit.insert('a b\n'),
      edit.insert(chip),
      edit.left,
      edit.right,
      edit.wordLeft,
      edit.wordRight,
      edit.deleteLeft,
      edit.deleteRight,
      edit.toStart,
      edit.toEnd,
      edit.killWord,
      edit.killToEnd,
      edit.killToStart,
      (line) => edit.up(line) ?? line,
      (line) => edit.down(line) ?? line,
    );
    fc.assert(
      fc.property(fc.array(changes), (all) => {
        const { text, cursor } = all.reduce((line, change) => change(line), edit.EMPTY_LINE);
        const pieces = `${text.slice(0, cursor)}|${text.slice(cursor)}`.split(chip);
        expect(pieces.join('')).not.toMatch(/[[\]#]|pasted|lines/);
      }),
    );
  });
});

describe('what was said before', () => {
  it('comes back from the newest to the oldest, and what was being written after it', () => {
    const history = new InputHistory();
    history.add('one');
    history.add('two');
    history.add('two');
    const draft = edit.lineOf('dra');
    const back = [1, 2, 3].reduce<edit.Line[]>((lines) => [...lines, history.older(lines.at(-1) ?? draft)], []);
    expect(back.map(({ text }) => text)).toEqual(['two', 'one', 'one']);
    expect(history.newer(edit.lineOf('one')).text).toBe('two');
    expect(history.newer(edit.lineOf('two')).text).toBe('dra');
  });
});
