import type { CallView, MarkView, RoundView, Timeline, ToolView } from '../model.js';
import { numbersOf, type PageTexts } from './texts.js';

/** A line of the table, and its subject. */
export type Row = OutsideRow | CallRow | RoundRow | ToolRow;

interface Line {
  /** `c0`, `c0r3`, `c0#12`: the call, its rounds, its tools. Bars have the same keys. */
  readonly key: string;
  readonly level: 1 | 2 | 3;
  readonly parent?: Row;
  readonly hasChildren: boolean;
  isOpen: boolean;
}

interface OfCall extends Line {
  readonly call: CallView;
  readonly callKey: string;
}

export interface OutsideRow extends Line {
  readonly kind: 'outside';
  readonly marks: readonly MarkView[];
}

export interface CallRow extends OfCall {
  readonly kind: 'call';
}

export interface RoundRow extends OfCall {
  readonly kind: 'round';
  readonly round: RoundView;
  readonly marks: readonly MarkView[];
}

export interface ToolRow extends OfCall {
  readonly kind: 'tool';
  readonly tool: ToolView;
}

/** Returns all lines, in the order of the file: calls, their rounds, the rounds' tools. */
export function allRows({ calls, outside }: Timeline): Row[] {
  const above: Row[] =
    outside.length === 0
      ? []
      : [{ key: 'outside', kind: 'outside', level: 1, isOpen: true, hasChildren: false, marks: outside }];
  return [above, ...calls.map((call, at) => rowsOf(call, `c${at}`))].flat();
}

function rowsOf(call: CallView, callKey: string): Row[] {
  const hasChildren = call.rounds.length + call.tools.length > 0;
  const of = { call, callKey, isOpen: true };
  const parent: Row = { ...of, key: callKey, kind: 'call', level: 1, hasChildren };
  const rows: Row[] = [parent];
  const tools = grouped([...call.tools.entries()], ([, { round }]) => round);
  const marks = grouped(call.marks, ({ round = -1 }) => round);
  const addTools = (round: number, above: Row, level: 2 | 3): void => {
    for (const [at, tool] of tools.get(round) ?? [])
      rows.push({ ...of, key: `${callKey}#${at}`, kind: 'tool', level, parent: above, hasChildren: false, tool });
    tools.delete(round);
  };
  for (const [at, round] of call.rounds.entries()) {
    // The tools of a repeated round are below its last attempt.
    const isLast = call.rounds[at + 1]?.round !== round.round;
    const row: RoundRow = {
      ...of,
      key: `${callKey}r${at}`,
      kind: 'round',
      level: 2,
      parent,
      hasChildren: isLast && tools.has(round.round),
      round,
      marks: marks.get(round.round) ?? [],
    };
    rows.push(row);
    if (isLast) addTools(round.round, row, 3);
  }
  // Tools of rounds that are not in the file.
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

/** Returns the visible lines: none below a closed line, or the filter's matches and their parents. */
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

/** Searches a word in the line, in arguments and outputs, and in the new items of a round. */
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
