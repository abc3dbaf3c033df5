import fc from 'fast-check';
import { questionOf, spellText } from 'responses-loop/question';
import { describe, expect, it } from 'vitest';
import { oddArguments, oddText } from '../support/odd-arguments.js';
import { unspell } from '../support/unspell.js';

/** Not seen, not told apart, or taken for an order. Its own list, from the classes of Unicode. */
const NOT_SEEN =
  /(?!\n)\p{C}|(?! )\p{Z}|\p{Default_Ignorable_Code_Point}|\u2800|(?<![\p{L}\p{N}\p{M}])\p{M}| (?=\n|$)| {33}|\n{5}/u;

const RUNS = { numRuns: 400 };

describe('spellText, for any text', () => {
  it('can be read back: nothing is lost, and no text is spelled as another', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(unspell(spellText(text))).toBe(text);
      }),
      RUNS,
    );
  });

  it('holds nothing that is not seen', () => {
    fc.assert(
      fc.property(oddText, (text) => {
        expect(spellText(text)).not.toMatch(NOT_SEEN);
      }),
      RUNS,
    );
  });

  it('holds for each of the 1,114,112 code points, alone and behind a letter', () => {
    for (let start = 0; start < 0x110000; start += 0x1000) {
      const texts = Array.from({ length: 0x1000 }, (_, at) => String.fromCodePoint(start + at));
      for (const text of [texts.join('\n'), texts.map((sign) => `a${sign}`).join('\n')]) {
        const shown = spellText(text);
        expect(unspell(shown)).toBe(text);
        expect(shown).not.toMatch(NOT_SEEN);
      }
    }
  });
});

describe('questionOf, for any arguments', () => {
  it('can be read back as JSON: every key and value stands in it', () => {
    fc.assert(
      fc.property(oddArguments, (args) => {
        const { whole } = questionOf({ tool: 't', arguments: args });
        expect(JSON.parse(unspell(whole))).toStrictEqual(args);
        expect(whole).not.toMatch(NOT_SEEN);
      }),
      RUNS,
    );
  });

  it('is another text for another call', () => {
    const call = fc.record({
      tool: fc.oneof(oddText, fc.constantFrom('a', 'a of b', 'a of b of c')),
      source: fc.oneof(oddText, fc.constantFrom('b', 'c', 'b of c', 'local')),
      originalName: fc.oneof(fc.constant(undefined), fc.constantFrom('a', 'b)', 'a (its name there: b)')),
      arguments: oddArguments,
    });
    const same = (one: unknown, other: unknown): boolean => {
      try {
        expect(one).toStrictEqual(other);
        return true;
      } catch {
        return false;
      }
    };
    fc.assert(
      fc.property(call, call, fc.boolean(), (one, second, hasSameArguments) => {
        const other = hasSameArguments ? { ...second, arguments: one.arguments } : second;
        const meant = ({ originalName, ...named }: typeof one) => ({
          ...named,
          originalName: originalName ?? named.tool,
        });
        expect(same(questionOf(one), questionOf(other))).toBe(same(meant(one), meant(other)));
      }),
      RUNS,
    );
  });

  it('does not depend on the order of the keys', () => {
    const shuffled = (value: unknown): unknown => {
      if (typeof value !== 'object' || value === null) return value;
      if (Array.isArray(value)) return value.map(shuffled);
      return Object.fromEntries(
        Object.entries(value)
          .map(([key, member]) => [key, shuffled(member)])
          .toReversed(),
      );
    };
    fc.assert(
      fc.property(oddArguments, (args) => {
        expect(questionOf({ tool: 't', arguments: shuffled(args) })).toEqual(
          questionOf({ tool: 't', arguments: args }),
        );
      }),
      RUNS,
    );
  });
});
