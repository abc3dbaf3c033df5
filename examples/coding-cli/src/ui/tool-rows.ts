import { spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { EventData } from '../protocol/events.js';
import { type ToldCall, viewOfCall } from '../tools/own-views.js';
import { callRows, said } from './call-rows.js';
import { plainLine, plainText } from './plain-text.js';
import { cutRow, row, type Row, widthOfRow, wrapText, wrapWhole } from './rows.js';

export interface FinishedTool {
  readonly end: EventData<'tool_execution_end'>;
  /** `undefined` for what an old session tells of. */
  readonly call: ToldCall | undefined;
  readonly decision: EventData<'approval_decision'> | undefined;
}

const OUTPUT_ROWS = 5;
const ERROR_ROWS = 8;
/** Their results are for the model; how much it was is enough for a person. */
const COUNTED: ReadonlySet<string> = new Set(['read', 'list', 'glob', 'grep']);
/** What they did is shown by the difference, or by the list itself. */
const SILENT: ReadonlySet<string> = new Set(['write', 'edit', 'todo_write']);

/** What a person has answered to stood on the screen already; of a difference the file has all. */
const ASKED_ROWS = 14;
const DIFFERENCE_ROWS = 16;

/** A finished tool: what ran, how it ended, who allowed it, and the end of what it printed. */
export function toolRows(tool: FinishedTool, columns: number): Row[] {
  const { end, decision } = tool;
  const isFine = end.success && (end.exit_code ?? 0) === 0;
  const mark: Row = isFine ? [{ text: '✓ ', color: 'green' }] : [{ text: '✗ ', color: 'red' }];
  const facts = [...endFacts(tool), ...(end.duration_ms >= 1000 ? [seconds(end.duration_ms)] : [])].join(' · ');
  const note: Row = facts === '' ? [] : [{ text: `  ${facts}`, dim: true }];
  return [
    ...withNote(whatRan(tool, columns, mark), note, columns),
    ...allowedBy(decision, columns),
    ...detailRows(tool, columns),
  ];
}

/** The call itself; what only changes the plan is shown by the plan, and old sessions have no more than a title. */
function whatRan({ end, call, decision }: FinishedTool, columns: number, first: Row): Row[] {
  if (call === undefined || (call.source === 'local' && call.tool_name === 'todo_write'))
    return [cutRow([...first, { text: spelledLine(end.title) }], columns)];
  const view = viewOfCall({ ...call, hunks: end.hunks });
  const rows = callRows(view, { columns, first, others: row('  ') });
  const hasDifference = view.blocks.some(({ kind }) => kind === 'difference');
  if (hasDifference) return folded(rows, DIFFERENCE_ROWS, 'more rows, /diff shows all');
  return decision?.by === 'user' ? folded(rows, ASKED_ROWS, 'more rows, which stand in the question above') : rows;
}

function folded(rows: readonly Row[], limit: number, what: string): Row[] {
  const missing = rows.length - limit;
  return missing <= 1 ? [...rows] : [...rows.slice(0, limit), [{ text: '  ' }, ...said(`… ${missing} ${what}`)]];
}

/** Beside the first row if there is room for it. */
function withNote(rows: readonly Row[], note: Row, columns: number): Row[] {
  const [first = [], ...others] = rows;
  if (note.length === 0 || widthOfRow([...first, ...note]) <= columns) return [[...first, ...note], ...others];
  return [...rows, cutRow(note, columns)];
}

/** A call that never ran. */
export function deniedRows(
  { tool_name: name = 'tool', by, reason }: EventData<'approval_decision'>,
  question: EventData<'exec_approval_request'> | undefined,
  columns: number,
): Row[] {
  const first: Row = [{ text: '✗ ', color: 'red' }];
  const asked =
    question === undefined
      ? wrapWhole(row(spelledLine(name)), columns, { first, others: row('  ') })
      : callRows(viewOfCall(question), { columns, first, others: row('  ') });
  const who = by === 'user' ? 'you said no' : by === 'timeout' ? 'nobody answered' : 'not allowed';
  const why = reason === undefined ? who : `${who}: ${plainLine(reason)}`;
  const shown = folded(asked, ASKED_ROWS, 'more rows, which stand in the question above');
  return [...shown, ...wrapText(why, columns, { dim: true }, { first: row('  ') })];
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function endFacts({ end, call }: FinishedTool): string[] {
  if (end.exit_code !== undefined) return end.exit_code === 0 ? [] : [`exit ${end.exit_code}`];
  if (end.success && isOneOf(COUNTED, call) && end.result !== undefined) {
    const count = end.result.trimEnd().split('\n').length;
    return [count === 1 ? '1 line' : `${count} lines`];
  }
  return [];
}

const ALLOWED_FOR = {
  approved: 'once',
  approved_for_session: 'for this session',
  approved_always: 'always here',
} as const;

/** Nothing is said of what policy lets run without a question. */
function allowedBy(decision: FinishedTool['decision'], columns: number): Row[] {
  if (
    decision === undefined ||
    decision.by === 'policy' ||
    decision.decision === 'denied' ||
    decision.decision === 'abort'
  )
    return [];
  const reason = decision.reason === undefined ? '' : `: ${plainLine(decision.reason)}`;
  const who =
    decision.by === 'user' ? `allowed by you, ${ALLOWED_FOR[decision.decision]}` : `allowed by ${decision.by}${reason}`;
  return [cutRow([{ text: `  ${who}`, dim: true }], columns)];
}

function detailRows({ end, call }: FinishedTool, columns: number): Row[] {
  if (end.error !== undefined) return lastRows(end.error, ERROR_ROWS, columns, 'red', { isBeginning: true });
  if (end.result === undefined || (end.success && (isOneOf(COUNTED, call) || isOneOf(SILENT, call)))) return [];
  const printed = end.result.replace(/^exit code -?\d+\n?/, '');
  return lastRows(printed, end.success ? OUTPUT_ROWS : ERROR_ROWS, columns);
}

/** Of the program itself: a server may have a tool of that name. */
function isOneOf(names: ReadonlySet<string>, call: ToldCall | undefined): boolean {
  return call?.source === 'local' && names.has(call.tool_name);
}

/** The end of a text, or its beginning, beside a line. */
export function lastRows(
  text: string,
  limit: number,
  columns: number,
  color?: 'red',
  { isBeginning = false } = {},
): Row[] {
  const lines = plainText(text.slice(isBeginning ? 0 : -20_000, isBeginning ? 20_000 : undefined))
    .trimEnd()
    .split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const shown = isBeginning ? lines.slice(0, limit) : lines.slice(-limit);
  const missing = lines.length - shown.length;
  const rows = shown.map((line) => beside(line, columns, color));
  if (missing === 0) return rows;
  const mark = beside(`… ${missing} more ${missing === 1 ? 'line' : 'lines'}`, columns);
  return isBeginning ? [...rows, mark] : [mark, ...rows];
}

function beside(line: string, columns: number, color?: 'red'): Row {
  return cutRow(
    [{ text: '  │ ', dim: true }, color === undefined ? { text: line, dim: true } : { text: line, color }],
    columns,
  );
}
