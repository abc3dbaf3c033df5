import { ansiOf } from './ansi.js';
import { cutRow, type Row, widthOfRow } from './rows.js';

const ESC = '\u001B[';
const ERASE_TO_END = `${ESC}K`;
const ERASE_BELOW = `${ESC}J`;
/** Terminals that know it show what stands between at once (synchronized output). */
const BEGIN = `${ESC}?2026h`;
const END = `${ESC}?2026l`;
const NEXT_ROW = '\r\n';

export interface Size {
  readonly columns: number;
  readonly height: number;
}

export interface Canvas {
  /** Returns the size as it is now. */
  measure(): Size;
  write(data: string): void;
}

interface Line {
  readonly ansi: string;
  readonly width: number;
}

/**
 * Prints finished rows, which then belong to the terminal, and below them a frame that is drawn over the last one. It holds
 * this frame and nothing of what is above it, and writes only what differs. The cursor stands below the frame.
 */
export class Painter {
  readonly #canvas: Canvas;
  readonly #hasColor: boolean;
  #frame: readonly Line[] = [];
  #columns = 0;

  constructor(canvas: Canvas, { hasColor }: { readonly hasColor: boolean }) {
    this.#canvas = canvas;
    this.#hasColor = hasColor;
  }

  paint(printed: readonly Row[], frame: readonly Row[]): void {
    const size = this.#canvas.measure();
    const { columns } = size;
    const lines = frame.map((spans) => this.#lineOf(cutRow(spans, columns)));
    const isInPlace = printed.length === 0 && lines.length === this.#frame.length && columns === this.#columns;
    const data = isInPlace
      ? this.#changes(lines)
      : [
          this.#toTop(size),
          ...[...printed.map((spans) => this.#lineOf(spans)), ...lines].map(drawnIn(columns)),
          ERASE_BELOW,
        ];
    this.#frame = lines;
    this.#columns = columns;
    if (data.length > 0) this.#canvas.write(`${BEGIN}${data.join('')}${END}`);
  }

  #lineOf(spans: Row): Line {
    return { ansi: ansiOf(spans, this.#hasColor), width: widthOfRow(spans) };
  }

  /** Each row that differs, drawn in its place. */
  #changes(lines: readonly Line[]): string[] {
    const draw = drawnIn(this.#columns);
    return lines.flatMap((line, index) => {
      const { length } = lines;
      if (line.ansi === this.#frame[index]?.ansi) return [];
      const below = length - index - 1;
      return [`\r${up(length - index)}`, draw(line), below === 0 ? '' : `${ESC}${below}B`];
    });
  }

  /** To the first row of the frame: a terminal that has become narrower has wrapped its rows. */
  #toTop({ columns, height }: Size): string {
    const rows = this.#frame.reduce((sum, { width }) => sum + Math.max(1, Math.ceil(width / columns)), 0);
    return `\r${up(Math.min(rows, height))}`;
  }
}

function up(rows: number): string {
  return rows === 0 ? '' : `${ESC}${rows}A`;
}

/** Where a row ends at the edge, erasing behind it would take its last sign. */
function drawnIn(columns: number): (line: Line) => string {
  return ({ ansi, width }) =>
    width < columns ? `${ansi}${ERASE_TO_END}${NEXT_ROW}` : `${ERASE_TO_END}${ansi}${NEXT_ROW}`;
}
