import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languageOf } from '../../page/lib/code/grammars.js';
import { nextCut } from '../../page/lib/code/growing.js';
import { highlight } from '../../page/lib/code/highlight.js';

describe('the language of a code', () => {
  it.each([
    ['ts', 'typescript'],
    ['TypeScript', 'typescript'],
    ['sh', 'bash'],
    ['html', 'xml'],
  ])('%s is %s', (name, language) => {
    expect(languageOf(name)).toBe(language);
  });

  it.each(['', 'constructor', '__proto__', 'mermaid', '../x'])('%j has no grammar, and stays plain', (name) => {
    expect(languageOf(name)).toBeUndefined();
  });
});

describe('highlighted code', () => {
  it('is the same text, in tokens of the kinds that the palette knows', async () => {
    const code = 'const answer = 42; // "the" answer\n';
    const tokens = (await highlight(code, 'typescript')) ?? [];
    expect(tokens.map(({ text }) => text).join('')).toBe(code);
    expect(tokens.filter(({ kind }) => kind !== undefined)).toEqual([
      { text: 'const', kind: 'keyword' },
      { text: '42', kind: 'number' },
      { text: '// "the" answer', kind: 'comment' },
    ]);
  });

  it('has every sign of any text, and makes none of it markup', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 200 }), async (noise) => {
        const code = `<b onclick="x">${noise}</b>`;
        const tokens = (await highlight(code, 'xml')) ?? [];
        expect(tokens.map(({ text }) => text).join('')).toBe(code);
      }),
      { numRuns: 100 },
    );
  });

  it('stays plain above 50,000 characters', async () => {
    expect(await highlight('a'.repeat(50_001), 'json')).toBeUndefined();
  });
});

describe('a code that grows', () => {
  /** Lengths of what is highlighted, while the code comes in pieces and once it has ended. */
  function workOf(code: string, piece: number): number[] {
    const work: number[] = [];
    let done = 0;
    for (let length = piece; length < code.length; length += piece) {
      const cut = nextCut(code.slice(0, length), done, true);
      if (cut === undefined) continue;
      work.push(cut);
      done = cut;
    }
    const last = nextCut(code, done, false);
    return last === undefined ? work : [...work, last];
  }

  it('is highlighted a few times, not once for each delta', () => {
    const code = 'const duck = 1;\n'.repeat(1000);
    expect(workOf(code, 4).length).toBeLessThan(15);
  });

  it('costs four times its length at most, however it is cut, and is whole at its end', () => {
    const line = fc.string({ maxLength: 60 }).map((text) => `${text.replaceAll('\n', ' ')}\n`);
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 300 }), fc.integer({ min: 1, max: 40 }), (lines, piece) => {
        const code = lines.join('');
        const work = workOf(code, piece);
        expect(work.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(4 * code.length);
        expect(work.at(-1)).toBe(code.length);
      }),
    );
  });

  it('is cut behind a line, so that half a word has no colour', () => {
    const code = `${'x\n'.repeat(150)}cons`;
    expect(nextCut(code, 0, true)).toBe(300);
  });
});
