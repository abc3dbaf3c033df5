import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sides } from '../sides.js';
import { LOSSES, type Road } from './losses.js';
import { type Missing, missingIn } from './missing.js';
import { type ModelOf, play, type Writer } from './play.js';
import { turnsOf } from './turns.js';
import { examples } from '../../helpers/nightly.js';

const TURNS = 10;
const every = (first: Writer, second: Writer): Writer[] =>
  Array.from({ length: TURNS }, (_, turn) => (turn % 2 === 0 ? first : second));
const REFERENCE: readonly Writer[] = Array.from({ length: TURNS + 1 }, () => 'stock');

/** Between them each turn is answered by either, and looked at by either afterwards. */
const FIXED: readonly (readonly Writer[])[] = [
  [...every('ours', 'ours'), 'ours'],
  [...every('stock', 'stock'), 'ours'],
  [...every('ours', 'ours'), 'stock'],
  [...every('stock', 'ours'), 'ours'],
  [...every('stock', 'ours'), 'stock'],
  [...every('ours', 'stock'), 'ours'],
  [...every('ours', 'stock'), 'stock'],
];

const inWords = ({ by, after, what }: Missing): string => `${by} after ${after}: ${what}`;
const writtenOut = (pattern: readonly Writer[]): string => pattern.map((by) => (by === 'stock' ? 'S' : 'O')).join('');

/** How an app changes between the two from turn to turn. */
const ROADS: Readonly<Record<Road, (sides: Sides) => ModelOf>> = {
  'one model for the other': (sides) => (by, fetch) => sides[by](fetch),
  'the flag of withStockFallback': (sides) => (by, fetch) => sides.flagged(by === 'stock', fetch),
};

/** Ten turns that go back and forth between the stock provider and ours: both request logs are compared with what was said. */
export function describeConversation(sides: Sides): void {
  const turns = turnsOf(sides.major);

  describe.each(Object.keys(ROADS) as Road[])('ten turns with every tool, back and forth by %s', (road) => {
    const rows = LOSSES.filter(({ of, by }) => (of ?? [2, 3, 4]).includes(sides.major) && (by ?? road) === road);
    const listed = new Set(rows.map(({ what }) => what));
    const seen = new Set<string>();

    async function lacked(pattern: readonly Writer[]): Promise<string[]> {
      const played = await play(turns, pattern, ROADS[road](sides), sides);
      return [...new Set([...missingIn(played, turns, pattern).map(inWords), ...played.broken.values()])];
    }

    /** What the stock provider leaves out of its own conversation it may leave out of ours. */
    const byItself = lacked(REFERENCE).then(
      (found) => new Set(found.map((line) => line.replace('after stock', 'after ours'))),
    );
    async function surprises(pattern: readonly Writer[]): Promise<string[]> {
      const own = await byItself;
      const found = (await lacked(pattern)).filter((line) => !line.startsWith('stock after stock') && !own.has(line));
      for (const line of found) seen.add(line);
      return found.filter((line) => !listed.has(line));
    }

    it.each(FIXED.map((pattern) => [writtenOut(pattern), pattern] as const))(
      '%s: nothing is lost that is not on the list',
      async (_name, pattern) => {
        expect(await surprises(pattern)).toEqual([]);
      },
    );

    it('so in any other order', async () => {
      const by = fc.constantFrom<Writer>('stock', 'ours');
      const patterns = fc.array(by, { minLength: TURNS + 1, maxLength: TURNS + 1 });
      const holds = async (pattern: Writer[]): Promise<void> => {
        expect(await surprises(pattern)).toEqual([]);
      };
      await fc.assert(fc.asyncProperty(patterns, holds), { numRuns: examples(2, 12) });
    });

    it('what is on the list is still lost', () => {
      expect([...listed].filter((line) => !seen.has(line))).toEqual([]);
    });
  });
}
