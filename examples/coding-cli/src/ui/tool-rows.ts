import { countsOf, spelledHunks, spelledLine } from 'responses-loop-example-shared/call-view.js';
import type { EventData } from '../protocol/events.js';
import { type ToldCall, viewOfCall } from '../tools/own-views.js';
import { callRows, said } from './call-rows.js';
import { besideBar, type FoldedOutput, foldedOutput, type OutputShape } from './output-rows.js';
import { plainLine, plainText } from './plain-text.js';
import { cutRow, row, type Row, widthOfRow, wrapText, wrapWhole } from './rows.js';

export interface FinishedTool {
  readonly end: EventData<'tool_execution_end'>;
  /** `undefined` for what an old session tells of. */
  readonly call: ToldCall | undefined;
  readonly decision: EventData<'approval_decision'> | undefined;
}

/** Of what went well the end is enough; of a failure its beginning and what failed are wanted, too. */
const FINE: OutputShape = { head: 0, tail: 5, named: 0 };
const FAILED: OutputShape = { head: 2, tail: 5, named: 3 };
const ERROR: OutputShape = { head: 8, tail: 0, named: 0 };
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
    ...outputOf(tool, columns).rows,
  ];
}

/** The output of a tool that is not shown in full; `undefined` if it is. */
export function foldedText(tool: FinishedTool): string | undefined {
  const { text, isFolded } = outputOf(tool, 80);
  return isFolded ? text : undefined;
}

/** The call itself; what only changes the plan is shown by the plan, and old sessions have no more than a title. */
function whatRan({ end, call, decision }: FinishedTool, columns: number, first: Row): Row[] {
  if (call === undefined || (call.source === 'local' && call.tool_name === 'todo_write'))
    return [cutRow([...first, { text: spelledLine(end.title) }], columns)];
  const view = viewOfCall({ ...call, hunks: end.hunks, files: end.files });
  const rows = callRows(view, { columns, first, others: row('  ') });
  const hasDifference = view.blocks.some(({ kind }) => kind === 'difference');
  if (hasDifference) return folded(rows, DIFFERENCE_ROWS, 'more rows, /diff shows all');
  return decision?.by === 'user' ? folded(rows, ASKED_ROWS, 'more rows, shown in the question above') : rows;
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
  const shown = folded(asked, ASKED_ROWS, 'more rows, shown in the question above');
  return [...shown, ...wrapText(why, columns, { dim: true }, { first: row('  ') })];
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function endFacts({ end, call }: FinishedTool): string[] {
  if (end.success && end.hunks !== undefined) return [countsOf(spelledHunks(end.hunks))];
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
    decision.by === 'user'
      ? `allowed by you, ${ALLOWED_FOR[decision.decision]}${reason}`
      : `allowed by ${decision.by}${reason}`;
  return [cutRow([{ text: `  ${who}`, dim: true }], columns)];
}

function outputOf({ end, call }: FinishedTool, columns: number): FoldedOutput {
  if (end.error !== undefined) return foldedOutput(end.error, ERROR, columns, 'red');
  const isCounted = end.success && (isOneOf(COUNTED, call) || isOneOf(SILENT, call));
  const printed = isCounted ? '' : printedBy(end.result ?? '');
  return foldedOutput(printed, end.success && (end.exit_code ?? 0) === 0 ? FINE : FAILED, columns);
}

const STATUS =
  /^(exit code -?\d+\n?|Wall time: [\d.]+ seconds\nProcess exited with code \d+\n(Original token count: \d+\n)?Output:\n)/;

/** Returns what a command printed: its exit code is shown beside the command. */
export function printedBy(result: string): string {
  return result.replace(STATUS, '');
}

/** Of the program itself: a server may have a tool of that name. */
function isOneOf(names: ReadonlySet<string>, call: ToldCall | undefined): boolean {
  return call?.source === 'local' && names.has(call.tool_name);
}

/** The end of what a running tool has printed, beside a line. */
export function lastRows(text: string, limit: number, columns: number): Row[] {
  const lines = plainText(text.slice(-20_000)).trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  return lines.slice(-limit).map((line) => besideBar(line, columns));
}
