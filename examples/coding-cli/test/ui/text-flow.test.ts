import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOfRow, widthOfRow } from '../../src/ui/rows.js';
import { TextFlow } from '../../src/ui/text-flow.js';

const PIECE = fc.constantFrom(
  'word ',
  '**',
  '`',
  '- item ',
  '\n',
  '\n```\n',
  '# ',
  'longwordwithoutspaces',
  ' ',
  '漢字',
  '12. ',
  '\u001B[31m',
  '*',
  '_',
  '[text](http://a.b)',
  '[',
  '> ',
  '| a | b |\n',
  '|---|---|\n',
  '```ts\n',
  'const a = `x',
  '~~',
  '\\',
);

function flow(deltas: readonly string[], width = 20): string[] {
  const text = new TextFlow(() => width);
  const rows = deltas.flatMap((delta) => text.push(delta));
  return [...rows, ...text.end()].map(textOfRow);
}

describe('a streamed answer', () => {
  it('has the same rows, however its text was cut', () => {
    fc.assert(
      fc.property(fc.array(PIECE), fc.array(fc.integer({ min: 1, max: 9 })), (pieces, sizes) => {
        const text = pieces.join('');
        const cuts: string[] = [];
        for (let [at, index] = [0, 0]; at < text.length; index += 1) {
          const size = sizes[index % Math.max(1, sizes.length)] ?? 3;
          cuts.push(text.slice(at, at + size));
          at += size;
        }
        expect(flow(cuts)).toEqual(flow([text]));
      }),
    );
  });

  it('never has a row wider than it may be, also while it is written', () => {
    fc.assert(
      fc.property(fc.array(PIECE), (pieces) => {
        const text = new TextFlow(() => 20);
        for (const piece of pieces) {
          for (const finished of text.push(piece)) expect(widthOfRow(finished)).toBeLessThanOrEqual(20);
          for (const open of text.open) expect(widthOfRow(open)).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it('loses no word of prose, wherever its marks open and close', () => {
    const marks = fc.constantFrom('word ', 'other', ' ', '**', '*', '_', '`', '~~', '[', '](', '\n');
    fc.assert(
      fc.property(fc.array(marks, { maxLength: 60 }), (pieces) => {
        const letters = (text: string): string => text.replace(/[^a-z]/g, '');
        expect(letters(flow([pieces.join('')]).join(''))).toBe(letters(pieces.join('')));
      }),
    );
  });

  it('finishes rows while their line goes on, and keeps the last ones open', () => {
    const text = new TextFlow(() => 10);
    expect(text.push('one two three four').map(textOfRow)).toEqual(['one two']);
    expect(text.open.map(textOfRow)).toEqual(['three four']);
  });

  it('finishes no row behind a mark that may still close', () => {
    const text = new TextFlow(() => 10);
    expect(text.push('one two **three four five six').map(textOfRow)).toEqual(['one two']);
    expect(text.push(' seven** eight').map(textOfRow)).toEqual([]);
    expect([...text.push(' nine\n')].map(textOfRow)).toEqual(['three four', 'five six', 'seven', 'eight nine']);
  });

  it('has no row of prose wider than 100 columns, and code as wide as the terminal', () => {
    const words = 'word '.repeat(60);
    const rows = flow([`${words}\n\`\`\`\n${'x'.repeat(150)}\n\`\`\``], 160);
    expect(Math.max(...rows.filter((line) => line.includes('word')).map((line) => line.length))).toBe(99);
    expect(rows.at(-1)).toBe(`  ${'x'.repeat(150)}`);
  });

  it('shows headings, bullets, tasks, quotes, rules, emphasis and code without their marks', () => {
    expect(flow(['# Title\n- **one** `two`\n- [x] done\n- [ ] open\n> said *so*\n---\n2 ** 3 and ~~gone~~'])).toEqual([
      'Title',
      '• one two',
      '☑ done',
      '☐ open',
      '│ said so',
      '─'.repeat(20),
      '2 ** 3 and gone',
    ]);
  });

  it('shows a link by its text and its address, and opens nothing but web pages and mail', () => {
    const links = (text: string) => {
      const flowed = new TextFlow(() => 80);
      return [...flowed.push(text), ...flowed.end()].flat().flatMap(({ link }) => link ?? []);
    };
    expect(flow(['see [the docs](https://example.com/a)'], 80)).toEqual(['see the docs (https://example.com/a)']);
    expect(flow(['https://example.com/a'], 80)).toEqual(['https://example.com/a']);
    expect(links('https://example.com/a')).toEqual(['https://example.com/a']);
    expect(new Set(links('[a](https://example.com/%07é)'))).toEqual(new Set(['https://example.com/%07%C3%A9']));
    expect(links('[a](javascript:alert) [b](file:///etc/passwd) [c](relative)')).toEqual([]);
    expect(flow(['[b](file:///etc/passwd)'], 80)).toEqual(['b (file:///etc/passwd)']);
  });

  it('draws a table with lines, its columns aligned, once it is whole', () => {
    const table = '| File | Lines |\n|:-----|------:|\n| a.ts | 12 |\n| **b.ts** | 7 |\n';
    const text = new TextFlow(() => 40);
    expect(text.push(table)).toEqual([]);
    expect(text.open.map(textOfRow).at(-1)).toBe('| **b.ts** | 7 |');
    expect([...text.push('\nend'), ...text.end()].map(textOfRow)).toEqual([
      '┌──────┬───────┐',
      '│ File │ Lines │',
      '├──────┼───────┤',
      '│ a.ts │    12 │',
      '│ b.ts │     7 │',
      '└──────┴───────┘',
      '',
      'end',
    ]);
  });

  it('wraps the cells of a wide table, and names them one below the other where nothing fits', () => {
    const table = `| Name | Text |\n|---|---|\n| a | ${'word '.repeat(8)}|\n`;
    expect(flow([table], 24)).toEqual([
      '┌──────┬───────────────┐',
      '│ Name │ Text          │',
      '├──────┼───────────────┤',
      '│ a    │ word word     │',
      '│      │ word word     │',
      '│      │ word word     │',
      '│      │ word word     │',
      '└──────┴───────────────┘',
    ]);
    expect(flow(['| One | Two | Three |\n|---|---|---|\n| a | b | c |'], 14)).toEqual(['One: a', 'Two: b', 'Three: c']);
  });

  it('leaves lines with bars that are no table as they are', () => {
    expect(flow(['| a | b |\nno table'])).toEqual(['| a | b |', 'no table']);
  });

  it('puts the rows of an item below each other', () => {
    expect(flow(['- one two three four five'])).toEqual(['• one two three four', '  five']);
  });

  it('shows code as it is, below the name of its language', () => {
    expect(flow(['```js\nconst a = **b**;\n```\nend'])).toEqual(['  js', '  const a = **b**;', 'end']);
    expect(flow(['````\n```\n````\nend'])).toEqual(['  ```', 'end']);
  });

  it('colours code by the lines above it', () => {
    const text = new TextFlow(() => 40);
    const rows = text.push('```ts\nconst a = 1;\n/* one\n two */\n```\n');
    const colorOf = (word: string) => rows.flat().find((span) => span.text.includes(word));
    expect(colorOf('const')).toMatchObject({ color: 'magenta' });
    expect(colorOf('two')).toMatchObject({ dim: true });
    expect(rows.map(textOfRow)).toEqual(['  ts', '  const a = 1;', '  /* one', '   two */']);
  });

  it('shows code of an unknown language in one colour', () => {
    const text = new TextFlow(() => 40);
    expect(text.push('```__proto__\nx < 1 && y\n')[1]).toEqual([{ text: '  ' }, { text: 'x < 1 && y', color: 'cyan' }]);
  });

  it('lets no escape sequence through that comes in two pieces', () => {
    expect(flow(['a\u001B[3', '1mb\n'])).toEqual(['ab']);
  });
});
