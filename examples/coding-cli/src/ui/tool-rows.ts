import type { EventData } from '../protocol/events.js';
import { plainLine, plainText } from './plain-text.js';
import { cutRow, row, type Row, widthOfRow, wrapText } from './rows.js';
import { cutToWidth } from './text-width.js';

export interface FinishedTool {
  readonly end: EventData<'tool_execution_end'>;
  readonly name: string | undefined;
  readonly decision: EventData<'approval_decision'> | undefined;
}

const OUTPUT_ROWS = 5;
const ERROR_ROWS = 8;
/** Their results are for the model; how much it was is enough for a person. */
const COUNTED: ReadonlySet<string> = new Set(['read', 'list', 'glob', 'grep']);
/** What they did is shown by the difference, or by the list itself. */
const SILENT: ReadonlySet<string> = new Set(['write', 'edit', 'todo_write']);

/** A finished tool: what it was, how it ended, who allowed it, and the end of what it printed. */
export function toolRows(tool: FinishedTool, columns: number): Row[] {
  const { end, decision } = tool;
  const isFine = end.success && (end.exit_code ?? 0) === 0;
  const mark: Row = isFine ? [{ text: '✓ ', color: 'green' }] : [{ text: '✗ ', color: 'red' }];
  const facts = [...endFacts(tool), ...(end.duration_ms >= 1000 ? [seconds(end.duration_ms)] : [])].join(' · ');
  const note: Row = facts === '' ? [] : [{ text: `  ${facts}`, dim: true }];
  const room = Math.max(12, columns - 2 - widthOfRow(note));
  const head = cutRow([...mark, { text: cutToWidth(plainLine(end.title), room) }, ...note], columns);
  return [head, ...allowedBy(decision, columns), ...detailRows(tool, columns)];
}

/** A call that never ran. */
export function deniedRows(
  { tool_name: name = 'tool', by, reason }: EventData<'approval_decision'>,
  question: EventData<'exec_approval_request'> | undefined,
  columns: number,
): Row[] {
  const asked =
    question === undefined ? name : [question.tool_name, question.command ?? pathOf(question.arguments)].join(' ');
  const who = by === 'user' ? 'you said no' : by === 'timeout' ? 'nobody answered' : 'not allowed';
  const why = reason === undefined ? who : `${who}: ${plainLine(reason)}`;
  const title: Row = [{ text: '✗ ', color: 'red' }, { text: cutToWidth(plainLine(asked), columns - 2) }];
  return [title, ...wrapText(why, columns, { dim: true }, { first: row('  ') })];
}

function pathOf(input: unknown): string {
  return typeof input === 'object' && input !== null && 'path' in input ? String(input.path) : '';
}

export function seconds(ms: number): string {
  return ms < 60_000
    ? `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
    : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

function endFacts({ end, name }: FinishedTool): string[] {
  if (end.exit_code !== undefined) return end.exit_code === 0 ? [] : [`exit ${end.exit_code}`];
  if (end.success && name !== undefined && COUNTED.has(name) && end.result !== undefined) {
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

function detailRows({ end, name }: FinishedTool, columns: number): Row[] {
  if (end.error !== undefined) return lastRows(end.error, ERROR_ROWS, columns, 'red', { isBeginning: true });
  if (end.result === undefined || (name !== undefined && (COUNTED.has(name) || SILENT.has(name)) && end.success))
    return [];
  const printed = end.result.replace(/^exit code -?\d+\n?/, '');
  return lastRows(printed, end.success ? OUTPUT_ROWS : ERROR_ROWS, columns);
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
