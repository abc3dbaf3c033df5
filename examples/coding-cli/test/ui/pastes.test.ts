import { describe, expect, it } from 'vitest';
import { Pastes } from '../../src/ui/pastes.js';

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

describe('a paste', () => {
  it('of a few lines is inserted as it is', () => {
    expect(new Pastes().shorten(lines(5))).toBe(lines(5));
  });

  it('of many lines is a chip, which stands for its text', () => {
    const pastes = new Pastes();
    expect(pastes.shorten(lines(62))).toBe('[pasted 62 lines #1]');
    expect(pastes.shorten('x'.repeat(3_000))).toBe('[pasted 3,000 characters #2]');
    expect(pastes.expand('a [pasted 62 lines #1] b [pasted 3,000 characters #2]')).toBe(
      `a ${lines(62)} b ${'x'.repeat(3_000)}`,
    );
  });

  it('that holds the text of a chip is not expanded again, and what looks like a chip stays', () => {
    const pastes = new Pastes();
    const text = `[pasted 7 lines #1]\n${lines(6)}`;
    const chip = pastes.shorten(text);
    expect(chip).toBe('[pasted 7 lines #1]');
    expect(pastes.expand(chip)).toBe(text);
    expect(pastes.expand('[pasted 9 lines #9]')).toBe('[pasted 9 lines #9]');
    pastes.clear();
    expect(pastes.expand(chip)).toBe(chip);
  });
});
