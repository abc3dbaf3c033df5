import { describe, expect, it } from 'vitest';
import { ansiPieces } from '../../page/lib/ansi.js';

const ESC = '\u001B';
const code = (numbers: string): string => `${ESC}[${numbers}m`;
const textOf = (output: string): string =>
  ansiPieces(output)
    .map(({ text }) => text)
    .join('');

describe('the output of a program', () => {
  it('keeps its colours and styles as classes', () => {
    expect(ansiPieces(`${code('1;31')}FAIL${code('0')} a ${code('92')}ok${code('39')}${code('7')} up `)).toEqual([
      { text: 'FAIL', classes: 'ansi-bold ansi-ink-red' },
      { text: ' a ', classes: '' },
      { text: 'ok', classes: 'ansi-ink-green' },
      { text: ' up ', classes: 'ansi-paper-white' },
    ]);
  });

  it('has the nearest of eight colours for the millions of others', () => {
    const classes = (numbers: string) => ansiPieces(`${code(numbers)}x`)[0]?.classes;
    expect(classes('38;5;196')).toBe('ansi-ink-red');
    expect(classes('38;5;46')).toBe('ansi-ink-green');
    expect(classes('38;5;255')).toBe('ansi-ink-white');
    expect(classes('38;2;10;10;250')).toBe('ansi-ink-blue');
    expect(classes('48;2;200;10;10')).toBe('ansi-paper-red');
  });

  it('shows of a line that was written over what was written last', () => {
    expect(textOf('10 %\r50 %\r100 %\ndone\r\n')).toBe('100 %\ndone\n');
    expect(ansiPieces(`${code('32')}10 %\r20 %${code('0')}\nend`)).toEqual([
      { text: '20 %', classes: 'ansi-ink-green' },
      { text: '\nend', classes: '' },
    ]);
  });

  it('has no other control sequence and no control character', () => {
    const bell = '\u0007';
    const noise = `${ESC}]0;title${bell}${ESC}[2J${ESC}[1;1H${ESC}[?25l${ESC}(B${ESC}]8;;http://x${ESC}\\a${bell}\u0000b${ESC}`;
    expect(textOf(`${noise}\tc`)).toBe('ab\tc');
  });

  it('is text, whatever it holds', () => {
    expect(textOf('<img src=x onerror=1> &amp;')).toBe('<img src=x onerror=1> &amp;');
  });

  it('is drawn in a moment, however long and odd it is', () => {
    const start = performance.now();
    for (const odd of [`${ESC}[`, `${ESC}]`, '\r', `${code('31')}x`, `${ESC}[1;`, 'a\r'])
      ansiPieces(odd.repeat(10_000));
    expect(performance.now() - start).toBeLessThan(3000);
  });
});
