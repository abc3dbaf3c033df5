import { lastLineSpans, languageOf } from './markdown/highlight.js';
import { ProseLine } from './markdown/prose.js';
import { isDelimiter, mayBeginTable, tableRows } from './markdown/table.js';
import { plainText } from './plain-text.js';
import { cutRow, row, type Row, wrap } from './rows.js';

/** A longer one goes on as another: each piece of it that comes is looked at as a whole. */
const MAX_LINE_CHARS = 4000;
/** A longer table is drawn in parts. */
const MAX_TABLE_LINES = 200;
const TABLE_LINES_SHOWN = 4;
/** An escape sequence that has not come whole is looked for so far from the end. */
const MAX_SEQUENCE = 64;

const FENCE = /^( *)(`{3,}|~{3,}) *([^`]*)$/;
const CODE_INDENT = row('  ');

interface Fence {
  readonly mark: string;
  readonly indent: number;
  readonly language: string | undefined;
  readonly lines: string[];
}

/**
 * A streamed answer as rows of the terminal. A row is finished as soon as nothing that follows can change it, so that only
 * the last ones are drawn anew: prose by rows, code by lines, a table as a whole.
 */
export class TextFlow {
  /** The unfinished line, as it came. */
  #line = '';
  #prose: ProseLine;
  #fence: Fence | undefined;
  #table: string[] = [];
  #isEmpty = true;
  readonly #width: () => number;

  constructor(width: () => number) {
    this.#width = width;
    this.#prose = new ProseLine(width);
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
    rows.push(...this.#growLine());
    this.#isEmpty &&= rows.length === 0 && this.#line === '' && this.#table.length === 0;
    return rows;
  }

  /** The rows that are being written. */
  get open(): Row[] {
    const line = plainText(this.#line);
    if (this.#fence !== undefined) return line === '' ? [] : this.#codeRows([...this.#fence.lines, line], this.#fence);
    const width = this.#width();
    if (this.#isTable(line))
      return [...this.#table, line]
        .filter((text) => text !== '')
        .slice(-TABLE_LINES_SHOWN)
        .map((text) => cutRow(row(text, { dim: true }), width));
    return line === '' ? [] : this.#prose.open;
  }

  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** The answer is at its end: what is left of it. */
  end(): Row[] {
    const rows = [...(this.#line === '' ? [] : this.#finishLine(this.#line)), ...this.#finishTable()];
    this.#line = '';
    this.#fence = undefined;
    this.#isEmpty = true;
    return rows;
  }

  #finishLong(line: string): Row[] {
    const rows = this.#finishLine(line.slice(0, MAX_LINE_CHARS));
    for (let at = MAX_LINE_CHARS; at < line.length; at += MAX_LINE_CHARS)
      rows.push(...this.#finishLine(line.slice(at, at + MAX_LINE_CHARS)));
    return rows;
  }

  /** Rows of the unfinished line that nothing can change any more. */
  #growLine(): Row[] {
    const line = plainText(withoutSequence(this.#line));
    const shown = plainText(this.#line);
    if (this.#fence !== undefined || this.#isTable(shown) || FENCE.test(shown)) return [];
    return this.#prose.grow(line);
  }

  #finishLine(raw: string): Row[] {
    const line = plainText(raw);
    const fence = this.#fence;
    if (fence !== undefined) return this.#finishCode(line, fence);
    const [first] = this.#table;
    if (
      first !== undefined &&
      this.#table.length < MAX_TABLE_LINES &&
      (this.#table.length > 1 ? line.includes('|') : isDelimiter(line))
    ) {
      this.#table.push(line);
      return [];
    }
    const before = this.#finishTable();
    const [, indent = '', mark, name = ''] = (this.#prose.isWhole ? FENCE.exec(line) : null) ?? [];
    if (mark !== undefined) {
      const word = name.trim().split(/\s/)[0] ?? '';
      this.#fence = { mark, indent: indent.length, language: languageOf(word), lines: [] };
      return [...before, ...(word === '' ? [] : [cutRow([...CODE_INDENT, { text: word, dim: true }], this.#width())])];
    }
    if (this.#prose.isWhole && mayBeginTable(line)) {
      this.#table = [line];
      return before;
    }
    return [...before, ...this.#finishProse(line)];
  }

  #finishProse(line: string): Row[] {
    const rows = [...this.#prose.grow(line), ...this.#prose.open];
    this.#prose = new ProseLine(this.#width);
    return rows;
  }

  #finishTable(): Row[] {
    const lines = this.#table;
    this.#table = [];
    if (lines.length === 0) return [];
    return (
      (lines.length > 1 ? tableRows(lines.join('\n'), this.#width()) : undefined) ??
      lines.flatMap((line) => {
        const prose = new ProseLine(this.#width);
        return [...prose.grow(line), ...prose.open];
      })
    );
  }

  #isTable(line: string): boolean {
    return this.#prose.isWhole && (this.#table.length > 0 || /^ {0,3}\|/.test(line));
  }

  #finishCode(line: string, fence: Fence): Row[] {
    const [, , mark = '', name = ''] = FENCE.exec(line) ?? [];
    if (name === '' && mark.startsWith(fence.mark)) {
      this.#fence = undefined;
      return [];
    }
    fence.lines.push(line);
    const rows = this.#codeRows(fence.lines, fence);
    // No more of them is ever looked at.
    if (fence.lines.length > 100) fence.lines.splice(0, 40);
    return rows;
  }

  #codeRows(lines: readonly string[], { language, indent }: Fence): Row[] {
    const shown = indent === 0 ? lines : lines.map((line) => line.replace(/^ +/, (blank) => blank.slice(indent)));
    const spans = language === undefined ? row(shown.at(-1) ?? '', { color: 'cyan' }) : lastLineSpans(shown, language);
    return wrap(spans, this.#width(), { first: CODE_INDENT });
  }
}

/** Without an escape sequence at its end, of which more may come. */
function withoutSequence(line: string): string {
  const tail = line.slice(-MAX_SEQUENCE);
  const starts = ['\u001B', '\u009B'].map((sign) => tail.indexOf(sign)).filter((at) => at !== -1);
  return starts.length === 0 ? line : line.slice(0, line.length - tail.length + Math.min(...starts));
}
