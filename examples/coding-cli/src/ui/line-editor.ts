import { chipAround } from './pastes.js';
import { graphemesOf } from './text-width.js';

/** What is being written, and where the cursor stands in it. Values: every edit is another one. */
export interface Line {
  readonly text: string;
  /** Offset in `text`, never inside of what a person sees as one character. */
  readonly cursor: number;
}

export type LineEdit = (line: Line) => Line;

export const EMPTY_LINE: Line = { text: '', cursor: 0 };

export function lineOf(text: string): Line {
  return { text, cursor: text.length };
}

export function insert(added: string): LineEdit {
  return (line) => replace(line, line.cursor, line.cursor, added);
}

export const left: LineEdit = (line) => ({ ...line, cursor: before(line) });
export const right: LineEdit = (line) => ({ ...line, cursor: after(line) });
export const deleteLeft: LineEdit = (line) => replace(line, before(line), line.cursor);
export const deleteRight: LineEdit = (line) => replace(line, line.cursor, after(line));
export const toStart: LineEdit = (line) => ({ ...line, cursor: startOfLine(line) });
export const toEnd: LineEdit = (line) => ({ ...line, cursor: endOfLine(line) });
export const killToStart: LineEdit = (line) => replace(line, startOfLine(line), line.cursor);
export const killToEnd: LineEdit = (line) => replace(line, line.cursor, endOfLine(line));
export const killWord: LineEdit = (line) => replace(line, wordBefore(line), line.cursor);
export const wordLeft: LineEdit = (line) => ({ ...line, cursor: wordBefore(line) });
export const wordRight: LineEdit = (line) => ({ ...line, cursor: wordAfter(line) });

/** To the line above, in the same column; undefined on the first line. */
export function up(line: Line): Line | undefined {
  const start = startOfLine(line);
  if (start === 0) return undefined;
  const above = startOfLine({ ...line, cursor: start - 1 });
  return { ...line, cursor: onCharacter(line.text, above, Math.min(above + line.cursor - start, start - 1)) };
}

/** To the line below; undefined on the last line. */
export function down(line: Line): Line | undefined {
  const end = endOfLine(line);
  if (end === line.text.length) return undefined;
  const below = end + 1;
  const last = endOfLine({ ...line, cursor: below });
  return { ...line, cursor: onCharacter(line.text, below, Math.min(below + line.cursor - startOfLine(line), last)) };
}

/** A chip goes as a whole. */
function replace({ text }: Line, from: number, to: number, added = ''): Line {
  const start = from < to ? (chipAround(text, from)?.start ?? from) : from;
  const end = from < to ? (chipAround(text, to)?.end ?? to) : to;
  return { text: text.slice(0, start) + added + text.slice(end), cursor: start + added.length };
}

function before({ text, cursor }: Line): number {
  const start = cursor - (graphemesOf(text.slice(0, cursor)).at(-1) ?? '').length;
  return chipAround(text, start)?.start ?? start;
}

function after({ text, cursor }: Line): number {
  const end = cursor + (graphemesOf(text.slice(cursor))[0] ?? '').length;
  return chipAround(text, end)?.end ?? end;
}

function startOfLine({ text, cursor }: Line): number {
  return cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1;
}

function endOfLine({ text, cursor }: Line): number {
  const end = text.indexOf('\n', cursor);
  return end === -1 ? text.length : end;
}

function wordBefore({ text, cursor }: Line): number {
  let at = cursor;
  while (at > 0 && /\s/.test(text[at - 1] ?? '')) at -= 1;
  while (at > 0 && /\S/.test(text[at - 1] ?? '')) at -= 1;
  return chipAround(text, at)?.start ?? at;
}

function wordAfter({ text, cursor }: Line): number {
  const at = cursor + (/^\s*\S*/.exec(text.slice(cursor))?.[0].length ?? 0);
  return chipAround(text, at)?.end ?? at;
}

function onCharacter(text: string, start: number, wanted: number): number {
  const at = onGrapheme(text, start, wanted);
  return chipAround(text, at)?.start ?? at;
}

function onGrapheme(text: string, start: number, wanted: number): number {
  let at = start;
  for (const grapheme of graphemesOf(text.slice(start, wanted + 16))) {
    if (at + grapheme.length > wanted) break;
    at += grapheme.length;
  }
  return at;
}
