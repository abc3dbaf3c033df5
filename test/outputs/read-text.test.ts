import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OutputMemory } from '../../src/outputs/output-memory.js';
import { readText } from '../../src/outputs/read-text.js';

const NEXT = /\n\[to go on: "from": (\d+)\]$/;

/** Reads as a model does that goes on until the end. */
function readOn(text: string, pageChars: number): { readonly pages: string[]; readonly longest: number } {
  const pages: string[] = [];
  let longest = 0;
  for (let from: number | undefined = 0; from !== undefined;) {
    const answer = readText(text, { from }, pageChars);
    longest = Math.max(longest, answer.length);
    const next = NEXT.exec(answer)?.[1];
    pages.push(answer.replace(NEXT, '').replace(/^\[characters \d+ to \d+ of \d+\]\n/, ''));
    from = next === undefined ? undefined : Number(next);
  }
  return { pages, longest };
}

describe('reading an output that was cut', () => {
  it('page by page gives all of it, once, and no page is longer than the budget', () => {
    assert(
      property(
        array(string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 60 }),
        integer({ min: 200, max: 900 }),
        (pieces, pageChars) => {
          const text = pieces.join('\n');
          const { pages, longest } = readOn(text, pageChars);
          expect(pages.join('')).toBe(text);
          expect(longest).toBeLessThanOrEqual(pageChars);
        },
      ),
    );
  });

  it('returns a range, up to the end of the output', () => {
    expect(readText('0123456789', { from: 2, to: 5 }, 1_000)).toBe('[characters 2 to 5 of 10]\n234');
    expect(readText('0123456789', { from: 8, to: 50 }, 1_000)).toBe('[characters 8 to 10 of 10]\n89');
  });

  it('refuses ranges that are not there, and names the bound', () => {
    expect(() => readText('abc', { from: 3 }, 1_000)).toThrow('has 3 characters; "from" must be less');
    expect(() => readText('abc', { from: 1, to: 1 }, 1_000)).toThrow('"to" must be more than "from", which is 1');
  });

  it('finds each line with a text, whatever its case, at the place of the text', () => {
    const text = 'one\nAn Error: x\ntwo\nerror again, error twice\nend';
    const answer = readText(text, { search: 'ERROR' }, 1_000);
    expect(answer.split('\n').slice(1)).toEqual(['7: An Error: x', '20: error again, error twice']);
    expect(readText(text, { search: 'error', from: 8 }, 1_000)).not.toContain('An Error');
    expect(readText(text, { search: 'nothing' }, 1_000)).toBe('"nothing" is not in the output from character 0 on.');
  });

  it('goes on with a search until no place is missing, within the budget', () => {
    assert(
      property(
        array(constantFrom('needle', 'hay', 'İstanbul needle', 'x'.repeat(400)), { minLength: 1, maxLength: 120 }),
        integer({ min: 200, max: 2_000 }),
        (lines, pageChars) => {
          const text = lines.join('\n');
          const wanted = lines.filter((line) => line.includes('needle')).length;
          let found = 0;
          for (let from: number | undefined = 0; from !== undefined;) {
            const answer: string = readText(text, { search: 'needle', from }, pageChars);
            const next: string | undefined = NEXT.exec(answer)?.[1];
            found += answer.split('\n').filter((line) => /^\d+: /.test(line)).length;
            expect(answer.length).toBeLessThanOrEqual(pageChars + 100);
            from = next === undefined ? undefined : Number(next);
          }
          expect(found).toBe(wanted);
        },
      ),
    );
  });
});

describe('an output of one line', () => {
  it('is searched to its end', () => {
    const rows = Array.from({ length: 2_000 }, (_, at) => ({ at, word: at % 100 === 0 ? 'needle' : 'hay' }));
    const answer = readText(JSON.stringify(rows), { search: 'needle' }, 20_000);
    expect(answer.split('\n').filter((line) => /^\d+: /.test(line))).toHaveLength(20);
  });

  it('is read without half a character at either end', () => {
    const text = '🦆'.repeat(10);
    expect(readText(text, { from: 1, to: 4 }, 1_000)).toBe('[characters 1 to 4 of 20]\n\ufffd🦆');
  });
});

describe('outputs in memory', () => {
  it('go when there are too many characters, the one that was used longest ago first', () => {
    const memory = new OutputMemory(650);
    memory.put('a', 'x'.repeat(100));
    memory.put('b', 'y'.repeat(100));
    expect(memory.get('a')).toHaveLength(100);
    memory.put('c', 'z'.repeat(100));
    expect(['a', 'b', 'c'].map((id) => memory.get(id)?.length)).toEqual([100, undefined, 100]);
  });

  it('refuse one that is too long for all, and keep the others', () => {
    const memory = new OutputMemory(650);
    memory.put('a', 'x'.repeat(100));
    expect(() => memory.put('b', 'y'.repeat(1_000))).toThrow('longer than 650 characters');
    expect(memory.get('a')).toHaveLength(100);
  });

  it('count a text that comes again once, and each entry beside its text', () => {
    const memory = new OutputMemory(1_000);
    for (let at = 0; at < 100; at += 1) memory.put('a', 'x'.repeat(100));
    memory.put('b', 'y');
    expect(memory.get('a')).toHaveLength(100);
    for (let at = 0; at < 100; at += 1) memory.put(`tiny ${at}`, '');
    expect(Array.from({ length: 100 }, (_, at) => memory.get(`tiny ${at}`)).filter((text) => text === '')).toHaveLength(
      5,
    );
  });
});
