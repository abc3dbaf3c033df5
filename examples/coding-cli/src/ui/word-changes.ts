import { diffWordsWithSpace } from 'diff';
import type { Hunk } from 'responses-loop-example-shared/call-view.js';
import type { Look, Row } from './rows.js';

type Line = Hunk[number];

/** Longer lines, and longer runs of them, are shown without their words: comparing takes time with the square of it. */
const MAX_CHARS = 400;
const MAX_LINES = 12;

/**
 * Lines of a hunk as spans in which the changed words stand out: where as many lines were removed as were added behind them,
 * they are compared one by one. The text of a line stays as it is.
 */
export function wordRows(hunk: Hunk, looks: Readonly<Record<Line['kind'], Look>>): readonly Row[] {
  const rows: Row[] = hunk.map(({ text, kind }) => [{ text, ...looks[kind] }]);
  for (let at = 0; at < hunk.length;) {
    const removed = runOf(hunk, at, 'removed');
    const added = runOf(hunk, at + removed, 'added');
    if (removed > 0 && removed === added && removed <= MAX_LINES) {
      for (let index = at; index < at + removed; index += 1) {
        const pair = comparedRows(hunk[index]?.text ?? '', hunk[index + removed]?.text ?? '', looks);
        if (pair !== undefined) [rows[index], rows[index + removed]] = pair;
      }
    }
    at += Math.max(1, removed + added);
  }
  return rows;
}

function runOf(hunk: Hunk, start: number, kind: Line['kind']): number {
  let end = start;
  while (hunk[end]?.kind === kind) end += 1;
  return end - start;
}

/** `undefined`: they have too little in common. */
function comparedRows(
  before: string,
  after: string,
  { removed, added }: Readonly<Record<Line['kind'], Look>>,
): [Row, Row] | undefined {
  if (before.length > MAX_CHARS || after.length > MAX_CHARS) return undefined;
  const changes = diffWordsWithSpace(before, after);
  const same = changes.reduce((sum, part) => sum + (part.added || part.removed ? 0 : part.value.trim().length), 0);
  if (same * 3 < Math.min(before.trim().length, after.trim().length)) return undefined;
  const side = (look: Look, leftOut: 'added' | 'removed'): Row =>
    changes
      .filter((part) => !part[leftOut])
      .map((part) => ({
        text: part.value,
        ...look,
        ...((part.added || part.removed) && { bold: true, inverse: true }),
      }));
  return [side(removed, 'added'), side(added, 'removed')];
}
