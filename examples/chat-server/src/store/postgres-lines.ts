import { parseJsonl } from 'responses-loop-example-shared/jsonl.js';
import type { LinesMark, StoredLines } from './chat-storage.js';

/** A line of a file, or the file alone if it has none. */
export interface LineRow {
  readonly id: string;
  /** How many were ever written. */
  readonly lines: string;
  readonly number: string | null;
  readonly line: Buffer | null;
}

const NOTHING = markOf('0', 0n);

/** A file that was deleted and made again has another number. */
export function markOf(file: string, line: bigint): LinesMark {
  return `${file}:${line}`;
}

/** The file and the number of the last line that was read. */
export function numberIn(mark: LinesMark = NOTHING): [file: string, line: string] {
  const [file = '0', line = '0'] = mark.split(':');
  return [file, line];
}

/** @param rows in the order of their lines. */
export function linesOf(rows: readonly LineRow[], since: LinesMark | undefined): StoredLines {
  const [file] = rows;
  const isWhole = since === undefined || numberIn(since)[0] !== (file?.id ?? '0');
  const text = rows.map(({ line }) => (line === null ? '' : `${line.toString()}\n`)).join('');
  const mark = file === undefined ? NOTHING : markOf(file.id, BigInt(rows.at(-1)?.number ?? numberOf(file, since)));
  return { ...parseJsonl(text), mark, isWhole };
}

function numberOf({ id, lines }: LineRow, since: LinesMark | undefined): string {
  return since !== undefined && numberIn(since)[0] === id ? numberIn(since)[1] : lines;
}
