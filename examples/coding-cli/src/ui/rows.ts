import { graphemesOf, widthOf, widthOfGrapheme } from './text-width.js';

export type Color = 'green' | 'red' | 'yellow' | 'cyan' | 'magenta' | 'blue' | 'gray';

/** A piece of a row with one look. */
export interface Span {
  readonly text: string;
  readonly color?: Color;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly inverse?: boolean;
  readonly strike?: boolean;
  /** Address that the terminal opens. */
  readonly link?: string;
}

/** One line of the terminal: never wider than it. */
export type Row = readonly Span[];

export type Look = Omit<Span, 'text'>;

export function row(text: string, look: Look = {}): Row {
  return [{ text, ...look }];
}

export function textOfRow(spans: Row): string {
  return spans.map(({ text }) => text).join('');
}

export function widthOfRow(spans: Row): number {
  return widthOf(textOfRow(spans));
}

/** From one character of the joined texts to before another. */
export function sliceRow(spans: Row, start: number, end: number): Row {
  let at = 0;
  const kept: Span[] = [];
  for (const span of spans) {
    const text = span.text.slice(Math.max(0, start - at), Math.max(0, end - at));
    if (text !== '') kept.push({ ...span, text });
    at += span.text.length;
  }
  return kept;
}

export function cutRow(spans: Row, width: number): Row {
  if (widthOfRow(spans) <= width) return spans;
  const [end = 0] = breaksOf(textOfRow(spans), Math.max(1, width - 1), { atSpaces: false });
  return [...sliceRow(spans, 0, end), { text: '…', dim: true }];
}

export interface WrapOptions {
  /** What stands before the first row, and before the others. */
  readonly first?: Row;
  readonly others?: Row;
}

/** Wraps at spaces, and inside of words that are longer than a row. Newlines begin rows. */
export function wrap(spans: Row, width: number, { first = [], others = first }: WrapOptions = {}): Row[] {
  const rows: Row[] = [];
  for (const line of linesOf(spans)) {
    const room = Math.max(1, width - Math.max(widthOfRow(first), widthOfRow(others)));
    const text = textOfRow(line);
    let start = 0;
    for (const end of [...breaksOf(text, room), text.length]) {
      rows.push([...(rows.length === 0 ? first : others), ...trimEnd(sliceRow(line, start, end))]);
      start = end;
    }
  }
  return rows;
}

export function wrapText(text: string, width: number, look: Look = {}, options: WrapOptions = {}): Row[] {
  return wrap(row(text, look), width, options);
}

/** At the end of a row that goes on in the next one. No text that is spelled holds this sign. */
const GOES_ON: Span = { text: '↩', dim: true };

/**
 * Wraps spelled text so that all of it can be read back: with every blank, and with a mark where a row goes on. Newlines begin rows.
 */
export function wrapWhole(spans: Row, width: number, { first = [], others = first }: WrapOptions = {}): Row[] {
  const rows: Row[] = [];
  for (const line of linesOf(spans)) {
    const room = Math.max(2, width - Math.max(widthOfRow(first), widthOfRow(others)));
    const text = textOfRow(line);
    const breaks = widthOf(text) <= room ? [] : breaksOf(text, room - 1, { keepsSpaces: true });
    let start = 0;
    for (const end of [...breaks, text.length]) {
      const isLast = end === text.length;
      rows.push([...(rows.length === 0 ? first : others), ...sliceRow(line, start, end), ...(isLast ? [] : [GOES_ON])]);
      start = end;
    }
  }
  return rows;
}

/** Where rows of this width end, but for the last: offsets into the text. Text that follows later moves none of them. */
export function breaksOf(text: string, width: number, { atSpaces = true, keepsSpaces = false } = {}): number[] {
  const breaks: number[] = [];
  let [at, start, used, afterSpace] = [0, 0, 0, 0];
  for (const grapheme of graphemesOf(text)) {
    const wide = widthOfGrapheme(grapheme);
    const isSpace = grapheme === ' ';
    // A space that does not fit stays, unseen, at the end of its row, unless every one has to be seen.
    if (used + wide > width && (keepsSpaces || !(isSpace && atSpaces)) && at > start) {
      const end = atSpaces && afterSpace > start ? afterSpace : at;
      breaks.push(end);
      used = widthOf(text.slice(end, at));
      start = end;
    }
    used += wide;
    at += grapheme.length;
    if (isSpace) afterSpace = at;
  }
  return breaks;
}

function linesOf(spans: Row): Row[] {
  const lines: Span[][] = [[]];
  for (const span of spans) {
    for (const [index, text] of span.text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (text !== '') lines.at(-1)?.push({ ...span, text });
    }
  }
  return lines;
}

/** Without the spaces at its end, which would make it too wide. */
export function trimEnd(spans: Row): Row {
  const text = textOfRow(spans);
  return text.endsWith(' ') ? sliceRow(spans, 0, text.trimEnd().length) : spans;
}
