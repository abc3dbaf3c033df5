import { ToolError } from '../tools/context.js';
import { LineEnds, type Replacement, toLf } from './line-ends.js';
import { type LooseKind, type LooseMatch, looseMatches } from './loose-match.js';
import { nearestMatch } from './nearest-match.js';

export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

/** Lines that were taken for a text that differs from them in blanks. */
export interface LoosePlace {
  /** Which edit of the call, from 1. */
  readonly edit: number;
  /** Its number in the text that this edit was given, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly differsIn: LooseKind;
}

export interface EditedText {
  readonly text: string;
  readonly count: number;
  readonly loose: readonly LoosePlace[];
}

const MAX_PLACES = 20;

/**
 * Makes several edits, each in what the one before it has made.
 *
 * @throws ToolError that names the edit: then none of them counts.
 */
export function editText(text: string, edits: readonly TextEdit[], name: string): EditedText {
  let edited: EditedText = { text, count: 0, loose: [] };
  for (const [at, edit] of edits.entries()) {
    const which = edits.length === 1 ? '' : `Edit ${at + 1} of ${edits.length}: `;
    const after = at === 0 ? '' : ' Line numbers count the edits before it.';
    try {
      const { text: next, count, loose } = editOnce(edited.text, edit, name);
      const places = loose.map(({ first, lines, differsIn }) => ({ edit: at + 1, first, lines, differsIn }));
      edited = { text: next, count: edited.count + count, loose: [...edited.loose, ...places] };
    } catch (error) {
      if (which === '' || !(error instanceof ToolError)) throw error;
      throw new ToolError(`${which}${error.message}${after}\nNothing was changed: none of the edits was made.`);
    }
  }
  return edited;
}

/**
 * Replaces a text that stands there exactly once, or everywhere. `\n` fits the line ends of the file, whichever they are, and
 * what is put in gets those of the place. Only if the text is not there to the letter, lines that differ in blanks are taken
 * for it.
 *
 * @throws ToolError with the nearest place and what differs, or with the lines of all places.
 */
function editOnce(
  text: string,
  { oldString, newString, replaceAll }: TextEdit,
  name: string,
): { readonly text: string; readonly count: number; readonly loose: readonly LooseMatch[] } {
  const [wanted, replacement] = [toLf(oldString), toLf(newString)];
  if (wanted === '')
    throw new ToolError('old_string is empty. That makes a new file only; use it with text of the file to change it.');
  if (wanted === replacement)
    throw new ToolError('old_string and new_string are the same: there is nothing to change.');
  const ends = new LineEnds(text);
  const exact = placesOf(ends.text, wanted);
  if (exact.length > 0) {
    if (!replaceAll) checkOne(exact, (at) => lineOf(ends.text, at), `old_string is in ${name}`);
    const replacements = exact.map((at) => ({ start: at, end: at + wanted.length, text: replacement }));
    return { text: ends.replace(replacements), count: exact.length, loose: [] };
  }
  const loose = looseMatches(ends.text, wanted, replacement);
  if (loose.length === 0) throw new ToolError(`old_string is not in ${name}. ${nearestMatch(ends.text, wanted)}`);
  if (!replaceAll) checkOne(loose, ({ first }) => first, `old_string is in ${name} only with other blanks, and that`);
  return { text: ends.replace(loose.map((match) => sure(match, name))), count: loose.length, loose };
}

function sure({ replacement, first, last }: LooseMatch, name: string): Replacement {
  if (replacement !== undefined) return replacement;
  const lines = first === last ? `line ${first}` : `lines ${first}-${last}`;
  throw new ToolError(
    `old_string is in ${name} at ${lines}, but with another indentation, and how new_string is to be indented there is not clear. Read ${lines} again, and give both texts with the blanks of the file.`,
  );
}

function checkOne<Place>(places: readonly Place[], lineAt: (place: Place) => number, what: string): void {
  if (places.length === 1) return;
  const numbers = places.slice(0, MAX_PLACES).map(lineAt);
  const more = places.length > MAX_PLACES ? ` and ${places.length - MAX_PLACES} more` : '';
  throw new ToolError(
    `${what} ${places.length} times, at the lines ${numbers.join(', ')}${more}. Give more of the text around it, or set replace_all.`,
  );
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
