import {
  CLAIM,
  type CallBlock,
  type CallView,
  FATES,
  type Hunk,
  SAID,
  SIGNS,
} from 'responses-loop-example-shared/call-view.js';
import { wordRows } from './word-changes.js';
import { type Look, row, type Row, type Span, wrapWhole } from './rows.js';

const KIND_LOOKS: Readonly<Record<keyof typeof SIGNS, Look>> = {
  same: { dim: true },
  added: { color: 'green' },
  removed: { color: 'red' },
};

export interface CallRowsOptions {
  readonly columns: number;
  /** What stands before the first row, and before the others. */
  readonly first: Row;
  readonly others?: Row;
}

const EMPTY_LINE = { kind: 'same', before: undefined, after: undefined } as const;

/** A call, whole: nothing of it is cut, and different calls have different rows. */
export function callRows({ head, blocks }: CallView, { columns, first, others = first }: CallRowsOptions): Row[] {
  const rows: Row[] = [];
  const add = (spans: Row): void => {
    rows.push(...wrapWhole(spans, columns, { first: rows.length === 0 ? first : others, others }));
  };
  // A command says by itself which tool it is: the shell.
  const [begin, ...more] = blocks;
  const isBeside =
    begin !== undefined && !(begin.kind === 'difference' && more.some(({ kind }) => kind === begin.kind));
  if (begin?.kind === 'command') add(row(begin.text, { bold: true }));
  else add([{ text: head, bold: true }, ...(isBeside ? nextTo(begin) : [])]);
  if (isBeside && begin.kind === 'difference') rows.push(...hunkRows(begin.hunks, columns, others));
  for (const block of isBeside ? more : blocks) {
    if (block.kind !== 'difference') add([...said(block.kind === 'claim' ? CLAIM : 'with '), { text: block.text }]);
    else {
      add([...said(`${FATES[block.fate ?? 'changed']} `), { text: block.path, bold: true }]);
      rows.push(...hunkRows(block.hunks, columns, others));
    }
  }
  return rows;
}

function nextTo(block: CallBlock): Row {
  if (block.kind === 'difference') {
    const { path, fate = 'changed' } = block;
    return [{ text: ` ${path}`, bold: true }, ...(fate === 'changed' ? [] : [{ text: ' ' }, ...said(FATES[fate])])];
  }
  return block.text === '{}' ? [] : [{ text: ` ${block.text}` }];
}

/** Words of the program, which no text of a call can imitate. */
export function said(words: string): Span[] {
  return [{ text: `${SAID}${words}`, dim: true }];
}

/** A difference with the numbers of its lines. */
export function hunkRows(hunks: readonly Hunk[], columns: number, first: Row): Row[] {
  if (hunks.length === 0) return wrapWhole(said('no line is changed'), columns, { first });
  const digits = digitsOf(hunks);
  const beside = ' '.repeat(digits + 3);
  return hunks.flatMap((hunk, at) => [
    ...(at === 0 ? [] : [[...first, { text: `${' '.repeat(digits)} ⋮`, dim: true }]]),
    ...wordRows(hunk, KIND_LOOKS).flatMap((words, index) => {
      const { kind, before, after } = hunk[index] ?? EMPTY_LINE;
      const number = String(after ?? before ?? '').padStart(digits);
      const gutter: Span[] = [
        { text: `${number} `, dim: true },
        { text: `${SIGNS[kind]} `, ...KIND_LOOKS[kind] },
      ];
      return wrapWhole(words, columns, {
        first: [...first, ...gutter],
        others: [...first, { text: beside }],
      });
    }),
  ]);
}

function digitsOf(hunks: readonly Hunk[]): number {
  const last = hunks.flat().reduce((most, { before = 0, after = 0 }) => Math.max(most, before, after), 0);
  return String(last).length;
}
