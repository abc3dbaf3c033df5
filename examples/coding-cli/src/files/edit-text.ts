import { ToolError } from '../tools/context.js';
import { nearestMatch } from './nearest-match.js';

export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
  /** How errors call the file. */
  readonly name: string;
}

export interface EditedText {
  readonly text: string;
  readonly count: number;
}

const MAX_PLACES = 20;

/**
 * Replaces a text that stands there exactly once, or everywhere. `\n` fits the line ends of the file, whichever they are, and
 * what is put in gets those of the place.
 *
 * @throws ToolError with the nearest place and what differs, or with the lines of all places.
 */
export function editText(text: string, { oldString, newString, replaceAll, name }: TextEdit): EditedText {
  const wanted = toLf(oldString);
  const replacement = toLf(newString);
  if (wanted === '')
    throw new ToolError('old_string is empty. That makes a new file only; use it with text of the file to change it.');
  if (wanted === replacement)
    throw new ToolError('old_string and new_string are the same: there is nothing to change.');
  const lines = new LineEnds(text);
  const places = placesOf(lines.text, wanted);
  if (places.length === 0) throw new ToolError(`old_string is not in ${name}. ${nearestMatch(lines.text, wanted)}`);
  if (places.length > 1 && !replaceAll) {
    const numbers = places.slice(0, MAX_PLACES).map((at) => lineOf(lines.text, at));
    const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : '';
    throw new ToolError(
      `old_string is in ${name} ${places.length} times, at the lines ${numbers.join(', ')}${more}. Give more of the text around it, or set replace_all.`,
    );
  }
  return { text: lines.replace(places, wanted.length, replacement), count: places.length };
}

/** Places that do not overlap. */
function placesOf(text: string, wanted: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) places.push(at);
  return places;
}

function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A text with `\n` only, that knows where `\r\n` was. */
class LineEnds {
  readonly text: string;
  readonly #original: string;
  /** In `text`, the places of the `\n` that were `\r\n`. */
  readonly #crlf: readonly number[];
  readonly #isMostlyCrlf: boolean;

  constructor(original: string) {
    this.#original = original;
    this.text = toLf(original);
    const crlf: number[] = [];
    for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
      crlf.push(at - crlf.length);
    this.#crlf = crlf;
    this.#isMostlyCrlf = isMostlyCrlf(original);
  }

  replace(places: readonly number[], length: number, replacement: string): string {
    let result = '';
    let from = 0;
    for (const place of places) {
      const start = this.#originalPlace(place);
      const end = this.#originalPlace(place + length);
      const old = this.#original.slice(start, end);
      result += this.#original.slice(from, start) + this.#withEnds(replacement, old);
      from = end;
    }
    return result + this.#original.slice(from);
  }

  /** As the replaced lines end, or else as most of the file's do. */
  #withEnds(replacement: string, old: string): string {
    const isCrlf = old.includes('\n') ? isMostlyCrlf(old) : this.#isMostlyCrlf;
    return isCrlf ? replacement.replaceAll('\n', '\r\n') : replacement;
  }

  #originalPlace(at: number): number {
    let low = 0;
    let high = this.#crlf.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#crlf[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return at + low;
  }
}

function isMostlyCrlf(text: string): boolean {
  return (text.split('\r\n').length - 1) * 2 > text.split('\n').length - 1;
}
