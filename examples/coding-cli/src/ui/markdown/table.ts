import { lexer, type Tokens } from 'marked';
import { row, type Row, type Span, widthOfRow, wrap } from '../rows.js';
import { spansOfTokens } from './inline.js';

/** A column has at least so much room, else rows are shown below each other. */
const NARROWEST = 4;
const MAX_COLUMNS = 40;

/** Whether a line may be the first of a table. */
export function mayBeginTable(line: string): boolean {
  return /^ {0,3}\|.*\|/.test(line);
}

/** Whether a line below the first makes it a table. */
export function isDelimiter(line: string): boolean {
  return /^ {0,3}\|?[ :|-]+$/.test(line) && line.includes('-') && line.includes('|');
}

/** A table with lines around its cells; `undefined` if its source is no table, or has more than that. */
export function tableRows(source: string, width: number): Row[] | undefined {
  const [table, ...more] = lexer(source, { gfm: true }).filter(({ type }) => type !== 'space') as Tokens.Generic[];
  if (table === undefined || more.length > 0 || !isTable(table)) return undefined;
  if (table.header.length > MAX_COLUMNS) return undefined;
  const header = table.header.map(({ tokens }) => spansOfTokens(tokens, { bold: true }));
  const body = table.rows.map((cells) => cells.map(({ tokens }) => spansOfTokens(tokens, {})));
  const widths = fitted(naturalWidths([header, ...body]), width);
  if (widths === undefined) return stacked(header, body, width);
  const line = (left: string, middle: string, right: string): Row =>
    row(`${left}${widths.map((cells) => '─'.repeat(cells + 2)).join(middle)}${right}`, { dim: true });
  const rowsOf = (cells: readonly Row[]): Row[] => boxedRows(cells, widths, table.align);
  return [line('┌', '┬', '┐'), ...rowsOf(header), line('├', '┼', '┤'), ...body.flatMap(rowsOf), line('└', '┴', '┘')];
}

function isTable(token: Tokens.Generic): token is Tokens.Table {
  return token.type === 'table';
}

function naturalWidths(rows: readonly (readonly Row[])[]): number[] {
  const [header = []] = rows;
  return header.map((_, column) => Math.max(1, ...rows.map((cells) => widthOfRow(cells[column] ?? []))));
}

/** The widest columns give way, until all fit; `undefined` if they cannot. */
function fitted(natural: readonly number[], width: number): number[] | undefined {
  const room = width - natural.length * 3 - 1;
  if (natural.reduce((sum, cells) => sum + Math.min(cells, NARROWEST), 0) > room) return undefined;
  const widths = [...natural];
  let total = widths.reduce((sum, cells) => sum + cells, 0);
  while (total > room) {
    const widest = Math.max(...widths);
    widths[widths.lastIndexOf(widest)] = widest - 1;
    total -= 1;
  }
  return widths;
}

const BAR: Span = { text: '│', dim: true };

function boxedRows(cells: readonly Row[], widths: readonly number[], align: Tokens.Table['align']): Row[] {
  const wrapped = widths.map((room, column) => wrap(cells[column] ?? [], room));
  const height = Math.max(...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, index) => [
    BAR,
    ...widths.flatMap((room, column): Span[] => {
      const spans = wrapped[column]?.[index] ?? [];
      const free = room - widthOfRow(spans);
      const side = align[column] ?? 'left';
      const before = side === 'right' ? free : side === 'center' ? Math.floor(free / 2) : 0;
      return [{ text: ` ${' '.repeat(before)}` }, ...spans, { text: `${' '.repeat(free - before)} ` }, BAR];
    }),
  ]);
}

/** On a narrow terminal: each cell below its name. */
function stacked(header: readonly Row[], body: readonly (readonly Row[])[], width: number): Row[] {
  return body.flatMap((cells, index) => [
    ...(index === 0 ? [] : [row('─'.repeat(Math.min(width, 8)), { dim: true })]),
    ...cells.flatMap((cell, column) => wrap([...(header[column] ?? []), { text: ': ' }, ...cell], width)),
  ]);
}
