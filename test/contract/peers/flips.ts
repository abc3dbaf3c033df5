import { asRecords } from '../../../src/util/guards.js';
import { play, type Played, type Writer } from '../conversation/play.js';
import { missingIn } from '../conversation/missing.js';
import type { Family } from '../families/family.js';
import { calls, says, type Written } from '../families/written.js';
import type { Sides } from '../sides.js';

const TURNS = 10;

/** Reasoning that is sealed, a call, its output, and a text that says which turn it is of. */
function turn(at: number): Family {
  const thought = (said: string, part: string): Written => ({
    output: { type: 'reasoning', summary: [said], encrypted: `sealed-${at}${part}`, id: `rs_${at}${part}` },
    more: { status: 'completed' },
  });
  return {
    name: `turn ${at}`,
    functions: [
      { name: 'weather', description: 'The weather.', parameters: { type: 'object', properties: {} }, output: 'Sun.' },
    ],
    answers: [
      {
        id: `resp_${at}a`,
        output: [thought('Look.', 'a'), calls('weather', `call_${at}`, { at })],
      },
      { id: `resp_${at}b`, output: [thought('Sun.', 'b'), says(`Said ${at}.`)] },
    ],
  };
}

const ALL: readonly Family[] = Array.from({ length: TURNS }, (_, at) => turn(at));

/** Plays ten turns, the one that each is by, and asks once more at the end. */
export async function flip(pattern: readonly Writer[], sides: Sides): Promise<Played> {
  return play(ALL, pattern, (by, fetch) => sides[by](fetch), sides);
}

/** What the requests lack, and by whom after whom. */
export const lacked = (played: Played, pattern: readonly Writer[]): string[] => [
  ...new Set([
    ...missingIn(played, ALL, pattern).map(({ by, after, what }) => `${by} after ${after}: ${what}`),
    ...played.broken.values(),
  ]),
];

/** The seals that the last request holds, in their order. */
export function sealsIn({ requests }: Played): unknown[] {
  const last = requests.at(-1)?.input ?? [];
  return asRecords(last).flatMap((item) => (item['type'] === 'reasoning' ? [item['encrypted_content']] : []));
}

export const sealsOf = (pattern: readonly Writer[], by: Writer): string[] =>
  pattern.slice(0, TURNS).flatMap((writer, at) => (writer === by ? [`sealed-${at}a`, `sealed-${at}b`] : []));

export const everySecond = (first: Writer, second: Writer, last: Writer): Writer[] => [
  ...Array.from({ length: TURNS }, (_, at) => (at % 2 === 0 ? first : second)),
  last,
];
