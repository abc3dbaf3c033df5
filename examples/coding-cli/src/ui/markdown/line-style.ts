import { type Look, row, type Row, type Span, widthOfRow } from '../rows.js';

/** What stands before the rows of a line of Markdown, and how its text looks. */
export interface LineStyle {
  readonly first: Row;
  readonly others: Row;
  readonly look: Look;
  /** The source without its marks. */
  readonly rest: string;
  readonly isRule?: boolean;
}

const QUOTE = /^ {0,3}> ?/;
const RULE = /^ {0,3}(?:(?:\* *){3,}|(?:- *){3,}|(?:_ *){3,})$/;
const HEADING = /^ {0,3}#{1,6} +(.*)$/;
const ITEM = /^( *)([-*+]|\d{1,3}[.)]) +(.*)$/;
const TASK = /^\[([ xX])\] +(.*)$/;
const DEEPEST = 8;

export function styleOf(line: string): LineStyle {
  let bars = 0;
  let rest = line;
  while (bars < DEEPEST && QUOTE.test(rest)) {
    rest = rest.replace(QUOTE, '');
    bars += 1;
  }
  const quote: Row = Array.from({ length: bars }, (): Span => ({ text: '│ ', dim: true }));
  const { first, look, rest: text, isRule = false } = unquotedStyle(rest, bars > 0 ? { italic: true } : {});
  const hang = widthOfRow(first);
  return {
    first: [...quote, ...first],
    others: [...quote, ...(hang === 0 ? [] : row(' '.repeat(hang)))],
    look,
    rest: text,
    isRule,
  };
}

function unquotedStyle(line: string, look: Look): Omit<LineStyle, 'others'> {
  if (RULE.test(line)) return { first: [], look: { dim: true }, rest: '', isRule: true };
  const [heading, title = ''] = HEADING.exec(line) ?? [];
  if (heading !== undefined) return { first: [], look: { ...look, bold: true }, rest: title };
  const [item, space = '', mark = '', text = ''] = ITEM.exec(line) ?? [];
  if (item === undefined) return { first: [], look, rest: line };
  const depth = space.slice(0, DEEPEST);
  const [task, tick = '', done = ''] = TASK.exec(text) ?? [];
  if (task !== undefined) return { first: row(`${depth}${tick === ' ' ? '☐' : '☑'} `), look, rest: done };
  return { first: row(`${depth}${/\d/.test(mark) ? mark : '•'} `), look, rest: text };
}
