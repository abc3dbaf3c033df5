import { plainText } from './plain-text.js';
import { breaksOf, type Look, type Row, sliceRow, type Span, textOfRow, trimEnd } from './rows.js';

/** What a line of an answer begins with, and how it looks. */
interface LineStyle {
  readonly prefix: string;
  readonly look: Look;
  readonly isCode: boolean;
  readonly rest: string;
}

/** A longer one goes on as another: each piece of it that comes is looked at as a whole. */
const MAX_LINE_CHARS = 4000;

const FENCE = /^\s*(```|~~~)/;

/**
 * A streamed answer as rows of the terminal. A row is finished as soon as the next one has begun, so that only the last one
 * is ever drawn anew. Markdown is shown as far as a row can show it without knowing what follows.
 */
export class TextFlow {
  /** The unfinished line, as it came. */
  #line = '';
  /** How much of its text is in finished rows. */
  #done = 0;
  #isCode = false;
  #isEmpty = true;

  readonly #width: () => number;

  constructor(width: () => number) {
    this.#width = width;
  }

  /** The rows that the text has finished. */
  push(delta: string): Row[] {
    const rows: Row[] = [];
    const lines = `${this.#line}${delta}`.split('\n');
    this.#line = lines.pop() ?? '';
    for (const line of lines) rows.push(...this.#finishLong(line));
    if (this.#line.length > MAX_LINE_CHARS) {
      const rest = this.#line.length % MAX_LINE_CHARS;
      rows.push(...this.#finishLong(this.#line.slice(0, this.#line.length - rest)));
      this.#line = this.#line.slice(this.#line.length - rest);
    }
    rows.push(...this.#fullRows(this.#line));
    this.#isEmpty &&= rows.length === 0 && this.#line === '';
    return rows;
  }

  /** The row that is being written. */
  get open(): Row {
    const { spans, hang } = this.#styled(this.#line);
    const rest = sliceRow(spans, this.#done, Infinity);
    const [end = Infinity] = breaksOf(textOfRow(rest), this.#room(this.#done > 0 ? hang : 0));
    return indent(trimEnd(sliceRow(rest, 0, end)), this.#done > 0 ? hang : 0);
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** The answer is at its end: what is left of it. */
  end(): Row[] {
    const rows = this.#line === '' ? [] : this.#finishLine(this.#line);
    this.#line = '';
    this.#isCode = false;
    this.#isEmpty = true;
    return rows;
  }

  #finishLong(line: string): Row[] {
    const rows = this.#finishLine(line.slice(0, MAX_LINE_CHARS));
    for (let at = MAX_LINE_CHARS; at < line.length; at += MAX_LINE_CHARS)
      rows.push(...this.#finishLine(line.slice(at, at + MAX_LINE_CHARS)));
    return rows;
  }

  #finishLine(line: string): Row[] {
    const rows = this.#fullRows(line);
    const { spans, hang } = this.#styled(line);
    rows.push(indent(trimEnd(sliceRow(spans, this.#done, Infinity)), this.#done > 0 ? hang : 0));
    this.#done = 0;
    if (FENCE.test(line)) this.#isCode = !this.#isCode;
    return rows;
  }

  /** Rows of the line that nothing can change any more. */
  #fullRows(line: string): Row[] {
    const { spans, hang } = this.#styled(line);
    const rows: Row[] = [];
    for (;;) {
      const rest = sliceRow(spans, this.#done, Infinity);
      const [end] = breaksOf(textOfRow(rest), this.#room(this.#done > 0 ? hang : 0));
      if (end === undefined) return rows;
      rows.push(indent(trimEnd(sliceRow(rest, 0, end)), this.#done > 0 ? hang : 0));
      this.#done += end;
    }
  }

  #room(hang: number): number {
    return Math.max(8, this.#width() - hang);
  }

  #styled(raw: string): { spans: Row; hang: number } {
    const { prefix, look, isCode, rest } = styleOf(plainText(raw), this.#isCode);
    const spans = isCode ? [{ text: rest, ...look }] : inlineSpans(rest, look);
    return { spans: prefix === '' ? spans : [{ text: prefix }, ...spans], hang: prefix.length };
  }
}

function styleOf(line: string, isInCode: boolean): LineStyle {
  if (FENCE.test(line)) return { prefix: '', look: { dim: true }, isCode: true, rest: line };
  if (isInCode) return { prefix: '  ', look: { color: 'cyan' }, isCode: true, rest: line };
  const [heading, title = ''] = /^#{1,6} +(.*)$/.exec(line) ?? [];
  if (heading !== undefined) return { prefix: '', look: { bold: true }, isCode: false, rest: title };
  const [bullet, space = '', mark = '', text = ''] = /^( *)([-*+]|\d{1,3}[.)]) +(.*)$/.exec(line) ?? [];
  if (bullet === undefined) return { prefix: '', look: {}, isCode: false, rest: line };
  const depth = space.slice(0, 8);
  return { prefix: `${depth}${/\d/.test(mark) ? mark : '•'} `, look: {}, isCode: false, rest: text };
}

/** `code` and **bold**; what opens and never closes holds to the end of its line. */
function inlineSpans(text: string, look: Look): Row {
  const spans: Span[] = [];
  let [isBold, isCode, kept] = [false, false, ''];
  const flush = (): void => {
    if (kept !== '')
      spans.push({ text: kept, ...look, ...(isBold && { bold: true }), ...(isCode && { color: 'cyan' }) });
    kept = '';
  };
  for (let at = 0; at < text.length; at += 1) {
    const [before = ' ', after = ' '] = [text[at - 1], text[at + 2]];
    if (text[at] === '`') {
      flush();
      isCode = !isCode;
    } else if (
      !isCode &&
      text.startsWith('**', at) &&
      (isBold ? before !== ' ' : after !== ' ' && !/\w/.test(before))
    ) {
      flush();
      isBold = !isBold;
      at += 1;
    } else {
      kept += text[at] ?? '';
    }
  }
  flush();
  return spans;
}

function indent(spans: Row, columns: number): Row {
  return columns === 0 ? spans : [{ text: ' '.repeat(columns) }, ...spans];
}
