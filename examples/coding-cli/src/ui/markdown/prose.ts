import { breaksOf, row, type Row, sliceRow, textOfRow, trimEnd, widthOfRow, wrap } from '../rows.js';
import { inlinePieces, inlineSpans, type Piece } from './inline.js';
import { type LineStyle, styleOf } from './line-style.js';

/** Longer rows are hard to read, however wide the terminal is. */
const MEASURE = 100;
/** Rows are looked for when the line has grown by so much: then they do not depend on how its text was cut. */
const STEP = 16;
/** A mark that opens emphasis or a link waits so long for the one that closes it. */
const HELD = 240;
const OPENERS = /(?<!\w)_(?=\S|$)|\*(?=\S|$)|~(?=\S|$)|[`[]|<(?=[\w/!]|$)|\\$/;
const NARROWEST = 8;

/** A line of prose that grows: its rows are finished as soon as no mark that comes later can change them. */
export class ProseLine {
  #source = '';
  /** How much of the text is in finished rows. */
  #done = 0;
  #seen = 0;
  readonly #width: () => number;

  constructor(width: () => number) {
    this.#width = width;
  }

  /** Takes the whole line as it is by now, and gives the rows that it has finished. */
  grow(source: string): Row[] {
    this.#source = source;
    const rows: Row[] = [];
    const style = styleOf(source);
    for (let next = this.#seen + STEP; next <= style.rest.length; next += STEP) {
      this.#seen = next;
      rows.push(...this.#finish(style, style.rest.slice(this.#done, next)));
    }
    return rows;
  }

  /** Rows that are not finished. */
  get open(): Row[] {
    const style = styleOf(this.#source);
    if (style.isRule === true) return [row('─'.repeat(this.#measure()), { dim: true })];
    const [first, others] = [this.#done > 0 ? style.others : style.first, style.others];
    return wrap(inlineSpans(style.rest.slice(this.#done), style.look), this.#measure(), { first, others });
  }

  /** Whether nothing of it is in finished rows. */
  get isWhole(): boolean {
    return this.#done === 0;
  }

  #measure(): number {
    return Math.min(this.#width(), MEASURE);
  }

  #finish({ first, others, look }: LineStyle, source: string): Row[] {
    const room = Math.max(NARROWEST, this.#measure() - widthOfRow(first));
    if (source.length <= room / 2) return [];
    const pieces = inlinePieces(source, look);
    const spans = pieces.map(({ span }) => span);
    const breaks = breaksOf(textOfRow(spans), room);
    const safe = safeEnd(pieces, source);
    const last = breaks.findLastIndex((end) => (sourceEnd(pieces, end) ?? Infinity) <= safe);
    const lead = (index: number): Row => (this.#done > 0 || index > 0 ? others : first);
    const rows = breaks
      .slice(0, last + 1)
      .map((end, index) => [...lead(index), ...trimEnd(sliceRow(spans, breaks[index - 1] ?? 0, end))]);
    const end = breaks[last];
    if (end !== undefined) this.#done += sourceEnd(pieces, end) ?? 0;
    return rows;
  }
}

/** Where the source of a shown offset ends; `undefined` inside of emphasis, code and links. */
function sourceEnd(pieces: readonly Piece[], shown: number): number | undefined {
  let at = 0;
  for (const [index, { span, end, isPlain }] of pieces.entries()) {
    const { length } = span.text;
    if (shown < at + length && isPlain) return end - length + shown - at;
    if (shown < at + length) return undefined;
    if (shown === at + length && pieces[index + 1]?.end !== end) return end;
    at += length;
  }
  return undefined;
}

/** Up to here no later mark can change what is shown. */
function safeEnd(pieces: readonly Piece[], source: string): number {
  for (const { span, end, isPlain } of pieces) {
    const found = isPlain ? OPENERS.exec(span.text) : null;
    if (found === null) continue;
    const opener = end - span.text.length + found.index;
    return source.length - opener > HELD ? source.length : opener;
  }
  return source.length;
}
