import { describe, expect, it } from 'vitest';
import type { Writer } from '../conversation/play.js';
import type { Sides } from '../sides.js';
import { everySecond, flip, lacked, sealsIn, sealsOf } from './flips.js';

/** How far each side's requests hold what the other one wrote. */
export interface FlipExpectations {
  /** What is left out, beside `FORM`. */
  readonly losses: readonly string[];
  /** Whose sealed reasoning ours sends back; none to a back end that is not known to take any. */
  readonly seals: readonly Writer[];
}

/** Our seals are for us, and the other one writes messages without a type. */
const FORM = ['stock after ours: reasoning is missing', 'stock after ours: message.type'];

/** Ten turns of sealed reasoning, calls and texts, by the one and the other in turn. */
export function describeFlips(sides: Sides, { losses, seals }: FlipExpectations): void {
  describe(`ten turns back and forth between ${sides.packageName} ${sides.major} and ours`, () => {
    it.each([
      ['ours at the end', everySecond('stock', 'ours', 'ours')],
      ['ours at the end, and at the beginning', everySecond('ours', 'stock', 'ours')],
      ['the other one at the end', everySecond('ours', 'stock', 'stock')],
      ['ours behind the other one alone', everySecond('stock', 'stock', 'ours')],
    ])('%s: every item is sent, but for what cannot be', async (_name, pattern) => {
      const played = await flip(pattern, sides);
      const known = [...FORM, ...losses];
      const lines = lacked(played, pattern).filter((line) => !line.startsWith('stock after stock'));
      expect(lines.filter((line) => !known.includes(line))).toEqual([]);
    });

    it('ours holds the seals of each turn, its own and the other one’s', async () => {
      const pattern = everySecond('stock', 'ours', 'ours');
      const held = sealsIn(await flip(pattern, sides));
      const wanted = seals.flatMap((by) => sealsOf(pattern, by));
      expect(new Set(held)).toEqual(new Set(wanted));
      expect(held).toHaveLength(wanted.length);
    });
  });
}
