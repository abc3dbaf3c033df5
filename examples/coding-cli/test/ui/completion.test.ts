import { describe, expect, it } from 'vitest';
import { fileChoices, fileWord } from '../../src/ui/completion/files.js';
import { type Choice, Menu } from '../../src/ui/completion/menu.js';
import { lineOf } from '../../src/ui/line-editor.js';
import { textOfRow } from '../../src/ui/rows.js';

const FILES = ['src/add.ts', 'src/ui/app.tsx', 'README.md', 'test/add.test.ts', 'docs/a file.md'];
const labels = (text: string): string[] => fileChoices(lineOf(text), FILES).map(({ label }) => label);
const choices = (count: number): Choice[] =>
  Array.from({ length: count }, (_, index) => ({ label: `/c${index}`, help: 'helps', line: lineOf(`/c${index}`) }));

describe('@', () => {
  it('finds files by letters in their order, the best first', () => {
    expect(labels('see @add').slice(0, 2)).toEqual(['src/add.ts', 'test/add.test.ts']);
    expect(labels('@sua')[0]).toBe('src/ui/app.tsx');
    expect(labels('@readme')).toEqual(['README.md']);
    expect(labels('@')).toHaveLength(FILES.length);
    expect(labels('@nothing')).toEqual([]);
  });

  it('is one only at the beginning of a word, and ends with it', () => {
    expect(fileWord(lineOf('me@example'))).toBeUndefined();
    expect(fileWord(lineOf('@add more'))).toBeUndefined();
    expect(fileWord({ text: 'see @ad here', cursor: 7 })).toEqual({ start: 4, word: 'ad' });
  });

  it('writes the path where it was, and quotes one with blanks', () => {
    const [first] = fileChoices({ text: 'see @rea here', cursor: 8 }, FILES);
    expect(first?.line).toEqual({ text: 'see README.md  here', cursor: 14 });
    expect(fileChoices(lineOf('@file'), FILES)[0]?.line.text).toBe('"docs/a file.md" ');
  });
});

describe('a list above the input', () => {
  it('scrolls with what is selected, and tells how many there are', () => {
    const menu = new Menu();
    const shown = (): string[] => menu.rows(40, 4).map((spans) => textOfRow(spans).trim());
    menu.show(choices(9), lineOf('/'));
    expect(shown()).toEqual(['▸ /c0           helps', '/c1           helps', '/c2           helps', '1 of 9 · ↑ ↓']);
    menu.move(-1);
    expect(shown().at(-1)).toBe('9 of 9 · ↑ ↓');
    expect(shown()[2]).toContain('▸ /c8');
    menu.move(1);
    expect(menu.current?.label).toBe('/c0');
  });

  it('has nothing chosen at first if that would change something, until an arrow or Tab', () => {
    const careful = choices(9).map((choice) => ({ ...choice, isOnlyChosen: true }));
    const menu = new Menu();
    const shown = (): string[] => menu.rows(40, 4).map((spans) => textOfRow(spans).trim());
    menu.show(careful, lineOf('/model '));
    expect(menu.current).toBeUndefined();
    expect(menu.isOpen).toBe(true);
    expect(shown().at(-1)).toBe('9 to choose from · ↑ ↓');
    expect(shown().join('')).not.toContain('▸');
    menu.move(-1);
    expect(menu.current?.label).toBe('/c8');
    menu.show([], lineOf('x'));
    menu.show(careful, lineOf('/model '));
    menu.move(1);
    expect(menu.current?.label).toBe('/c0');
    menu.show(choices(9), lineOf('/model /'));
    menu.show(careful, lineOf('/model '));
    expect(menu.current).toBeUndefined();
  });

  it('keeps its place while the choices are the same, and stays closed until the line changes', () => {
    const menu = new Menu();
    menu.show(choices(3), lineOf('/'));
    menu.move(1);
    menu.show(choices(3), lineOf('/'));
    expect(menu.current?.label).toBe('/c1');
    menu.close(lineOf('/'));
    menu.show(choices(3), lineOf('/'));
    expect(menu.current).toBeUndefined();
    menu.show(choices(2), lineOf('/c'));
    expect(menu.current?.label).toBe('/c0');
  });
});
