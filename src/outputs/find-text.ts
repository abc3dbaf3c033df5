import { wellFormed } from '../util/json.js';

/** A place of the searched words in a text. */
export interface Place {
  readonly at: number;
  /** The line around it, with at most `AROUND` characters on each side. */
  readonly line: string;
}

const AROUND = 120;

/** Returns the places of a text from `from` on, at most `most`, without those that an earlier line shows. Case does not count. */
export function findText(text: string, wanted: string, { from, most }: { from: number; most: number }): Place[] {
  const [inText, searched] = foldCase(text, wanted);
  const places: Place[] = [];
  let at = inText.indexOf(searched, from);
  while (at >= 0 && places.length < most) {
    places.push({ at, line: lineAround(text, at, at + wanted.length) });
    const shown = at + wanted.length + AROUND;
    const end = text.indexOf('\n', at + wanted.length);
    at = inText.indexOf(searched, end < 0 ? shown : Math.min(end, shown));
  }
  return places;
}

/** Letters such as "İ" have more characters in lower case: then places would move, so case counts. */
function foldCase(text: string, wanted: string): readonly [string, string] {
  const lower = text.toLowerCase();
  return lower.length === text.length ? [lower, wanted.toLowerCase()] : [text, wanted];
}

function lineAround(text: string, from: number, to: number): string {
  const start = Math.max(text.lastIndexOf('\n', from - 1) + 1, from - AROUND);
  const next = text.indexOf('\n', to);
  const end = Math.min(next < 0 ? text.length : next, to + AROUND);
  // A place may begin in the middle of a character.
  return wellFormed(text.slice(start, end));
}
