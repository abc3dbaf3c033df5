import type { CallView, MarkView, RoundView, Timeline, ToolView } from '../model.js';
import { numbersOf, type PageTexts } from './texts.js';

/** A line of the table, and what it is about. */
export type Row = {
  /** `c0`, `c0r3`, `c0#12`: the call, its rounds, its tools; bars have the same. */ readonly key: string;
  readonly level: 1 | 2 | 3;
  readonly parent?: Row;
  isOpen: boolean;
  readonly hasChildren: boolean;
} & (
  | { readonly kind: 'outside'; readonly marks: readonly MarkView[] }
  | { readonly kind: 'call'; readonly call: CallView }
  | { readonly kind: 'round'; readonly call: CallView; readonly round: RoundView; readonly marks: readonly MarkView[] }
  | { readonly kind: 'tool'; readonly call: CallView; readonly tool: ToolView }
);

/** All lines, in the order of the file: calls, below them rounds, below them tools. */
export function allRows({ calls, outside }: Timeline): Row[] {
  const rows: Row[] = [];
  if (outside.length > 0)
    rows.push({ key: 'outside', kind: 'outside', level: 1, isOpen: true, hasChildren: false, marks: outside });
  for (const [at, call] of calls.entries()) rows.push(...rowsOf(call, `c${at}`));
  return rows;
}

function rowsOf(call: CallView, key: string): Row[] {
  const hasChildren = call.rounds.length + call.tools.length > 0;
  const parent: Row = { key, kind: 'call', level: 1, isOpen: true, hasChildren, call };
  const rows: Row[] = [parent];
  const tools = grouped([...call.tools.entries()], ([, { round }]) => round);
  const marks = grouped(call.marks, ({ round = -1 }) => round);
  const addTools = (round: number, below: Row, level: 2 | 3): void => {
    for (const [at, tool] of tools.get(round) ?? [])
      rows.push({
        key: `${key}#${at}`,
        kind: 'tool',
        level,
        parent: below,
        isOpen: true,
        hasChildren: false,
        call,
        tool,
      });
    tools.delete(round);
  };
  for (const [index, round] of call.rounds.entries()) {
    const isLast = call.rounds[index + 1]?.round !== round.round;
    const row: Row = {
      key: `${key}r${index}`,
      kind: 'round',
      level: 2,
      parent,
      isOpen: true,
      hasChildren: isLast && tools.has(round.round),
      call,
      round,
      marks: marks.get(round.round) ?? [],
    };
    rows.push(row);
    if (isLast) addTools(round.round, row, 3);
  }
  // Approved between two calls: they run before the first round.
  for (const round of tools.keys()) addTools(round, parent, 2);
  return rows;
}

function grouped<T>(values: readonly T[], keyOf: (value: T) => number): Map<number, T[]> {
  const groups = new Map<number, T[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

/** What is shown: nothing below a closed line, or what the filter finds and the lines above it. */
export function shownRows(rows: readonly Row[], query: string, texts: PageTexts): Row[] {
  if (query === '') return rows.filter((row) => isReachable(row));
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = new Set<Row>();
  for (const row of rows)
    if (words.every((word) => holds(row, word, texts)))
      for (let each: Row | undefined = row; each !== undefined; each = each.parent) shown.add(each);
  return rows.filter((row) => shown.has(row));
}

function isReachable({ parent }: Row): boolean {
  return parent === undefined || (parent.isOpen && isReachable(parent));
}

/** A word stands in what the line says, in arguments and outputs, or in what a round sent for the first time. */
function holds(row: Row, word: string, texts: PageTexts): boolean {
  if (labelOf(row).toLowerCase().includes(word)) return true;
  if (row.kind === 'tool') {
    const { args, output, sent } = row.tool;
    const isIn = (group: number, number: number | undefined): boolean =>
      number !== undefined && texts.lower(group, number).includes(word);
    return isIn(0, args) || isIn(0, output) || isIn(row.call.group, sent);
  }
  if (row.kind !== 'round') return false;
  return row.round.requests.some(({ input, known }) =>
    numbersOf(input, known + 1).some((number) => texts.lower(row.call.group, number).includes(word)),
  );
}

function labelOf(row: Row): string {
  if (row.kind === 'outside') return row.marks.map(({ kind, text }) => `${kind} ${text}`).join(' ');
  if (row.kind === 'call')
    return `call ${row.call.number} ${row.call.model} ${row.call.finish} ${row.call.error ?? ''}`;
  if (row.kind === 'tool') {
    const { name, source, callId, state, approval = '', notes } = row.tool;
    return `${source}/${name} ${callId} ${state} ${approval} ${notes.join(' ')}`;
  }
  const { round, marks } = row;
  const requests = round.requests.map(({ error = '', status = '' }) => `${status} ${error}`).join(' ');
  return `round ${round.round + 1} ${round.finish} ${round.responseId ?? ''} ${requests} ${marks.map(({ kind, text }) => `${kind} ${text}`).join(' ')}`;
}
