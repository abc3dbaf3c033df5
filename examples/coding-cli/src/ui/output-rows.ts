import { plainText } from './plain-text.js';
import { type Color, cutRow, row, type Row, wrapText } from './rows.js';

/** How test runners name what failed, and how errors begin. */
const FAILURE = /^\s*(?:[✖✗✘×●]|not ok\b|FAIL(?:ED)?\b|--- FAIL|Error\b|\w*Error:|E {3}|thread '.*' panicked)/;
const BAR = row('  │ ', { dim: true });
const MAX_CHARS = 200_000;
const MAX_OPENED_CHARS = 6_000_000;
const MAX_OPENED = 20_000;

export interface OutputShape {
  readonly head: number;
  readonly tail: number;
  /** Lines between that name what failed. */
  readonly named: number;
}

export interface FoldedOutput {
  readonly text: string;
  readonly rows: readonly Row[];
  /** Whether lines were left out, which Ctrl-O shows. */
  readonly isFolded: boolean;
}

/** The beginning and the end of an output, and between them the lines that name what failed. */
export function foldedOutput(
  text: string,
  { head, tail, named }: OutputShape,
  columns: number,
  color?: Color,
): FoldedOutput {
  const lines = linesOf(text);
  const kept = new Set<number>();
  for (let index = 0; index < Math.min(head, lines.length); index += 1) kept.add(index);
  for (let index = Math.max(0, lines.length - tail); index < lines.length; index += 1) kept.add(index);
  let left = named;
  for (let index = head; left > 0 && index < lines.length - tail; index += 1) {
    if (!FAILURE.test(lines[index]?.slice(0, 200) ?? '')) continue;
    kept.add(index);
    left -= 1;
  }
  const rows: Row[] = [];
  let next = 0;
  for (const index of [...kept].toSorted((one, other) => one - other)) {
    if (index > next) rows.push(markRow(index - next, columns));
    rows.push(besideBar(lines[index] ?? '', columns, color));
    next = index + 1;
  }
  return { text, rows, isFolded: kept.size < lines.length };
}

/** All of an output, for a person who has asked for it. */
export function openedOutput(text: string, columns: number): Row[] {
  const lines = linesOf(text, MAX_OPENED_CHARS);
  const left = lines.length - MAX_OPENED;
  return [
    ...lines.slice(0, MAX_OPENED).flatMap((line) => wrapText(line, columns, { dim: true }, { first: BAR })),
    ...(left > 0 ? [besideBar(`… ${left} more lines`, columns)] : []),
  ];
}

function linesOf(text: string, limit = MAX_CHARS): string[] {
  const lines = plainText(text.slice(0, limit)).trimEnd().split('\n');
  return lines.length === 1 && lines[0] === '' ? [] : lines;
}

function markRow(count: number, columns: number): Row {
  return besideBar(`… ${count} more ${count === 1 ? 'line' : 'lines'} (Ctrl-O)`, columns);
}

export function besideBar(line: string, columns: number, color?: Color): Row {
  return cutRow([...BAR, color === undefined ? { text: line, dim: true } : { text: line, color }], columns);
}
