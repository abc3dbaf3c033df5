import { clip } from '../util/excerpt.js';
import { wellFormed } from '../util/json.js';
import { findText } from './find-text.js';

/** Places that one search returns. */
const MOST_PLACES = 20;
/** The least that one answer returns, however small the budget of outputs is. */
const LEAST_PAGE = 200;

/** A wish of the model, as `readOutputTool` declares it. */
export interface ReadRequest {
  readonly from?: number;
  readonly to?: number;
  readonly search?: string;
}

/** Returns a range of a text, or the places of a text in it, with at most about `pageChars` characters. */
export function readText(text: string, { from = 0, to, search }: ReadRequest, pageChars: number): string {
  if (from >= text.length) throw new Error(`The output has ${text.length} characters; "from" must be less.`);
  if (to !== undefined && to <= from) throw new Error(`"to" must be more than "from", which is ${from}.`);
  const most = Math.max(LEAST_PAGE, pageChars);
  return search === undefined || search === '' ? readRange(text, from, to, most) : readPlaces(text, search, from, most);
}

function readRange(text: string, from: number, to: number | undefined, most: number): string {
  const end = Math.min(to ?? text.length, text.length);
  // The mark of the range counts, too. Half a character is left out.
  const page = wellFormed(clip(text.slice(from, end), most - LEAST_PAGE / 2));
  const next = from + page.length;
  const rest = next < end ? `\n[to go on: "from": ${next}]` : '';
  return `[characters ${from} to ${next} of ${text.length}]\n${page}${rest}`;
}

function readPlaces(text: string, search: string, from: number, most: number): string {
  const places = findText(text, search, { from, most: MOST_PLACES + 1 });
  if (places.length === 0) return `${JSON.stringify(search)} is not in the output from character ${from} on.`;
  const lines: string[] = [];
  let left = most - LEAST_PAGE / 2;
  for (const { at, line } of places.slice(0, MOST_PLACES)) {
    const shown = clip(`${at}: ${line}`, most);
    left -= shown.length + 1;
    if (left < 0 && lines.length > 0) break;
    lines.push(shown);
  }
  const next = places[lines.length];
  const rest = next === undefined ? '' : `\n[to go on: "from": ${next.at}]`;
  return `[lines with the text, each behind the place of the text in it]\n${lines.join('\n')}${rest}`;
}
