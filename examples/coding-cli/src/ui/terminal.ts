import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { WriteStream } from 'node:tty';
import { widthOf } from './text-width.js';

const ESC = '\u001B[';
const ERASE_LINE_AND_UP = `${ESC}2K${ESC}1A`;
/** How log-update ends what erases the frame before. */
const ERASED = `${ESC}G`;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/**
 * What ink writes to: the terminal, but for three things.
 * - `rows` is not there. Ink clears the terminal with all its scrollback where a frame is as high as it; ours never is.
 * - When a terminal becomes narrower it wraps the rows that stand in it, and ink erases as many as it wrote: the others are
 *   erased here.
 * - A terminal that is gone takes nothing and throws nothing.
 */
export class Terminal extends EventEmitter<{ resize: [] }> {
  readonly isTTY = true;
  readonly #stdout: WriteStream;
  #size: Size;
  #frame = '';
  #isGone = false;

  constructor(stdout: WriteStream, onGone: () => void) {
    super();
    this.#stdout = stdout;
    this.#size = sizeOf(stdout);
    stdout.on('resize', this.#resized);
    stdout.on('error', () => {
      this.#isGone = true;
      onGone();
    });
  }

  get columns(): number {
    return this.#size.columns;
  }

  /** How high it is, by another name than ink's. */
  get height(): number {
    return this.#size.rows;
  }

  readonly write = (data: string): boolean => {
    if (this.#isGone || this.#stdout.destroyed) return false;
    if (isContent(data)) this.#frame = data.slice(data.lastIndexOf(ERASED) + 1);
    return this.#stdout.write(data);
  };

  /** Ink has drawn for the last time. */
  release(): void {
    this.#stdout.off('resize', this.#resized);
  }

  readonly #resized = (): void => {
    const before = this.#size;
    this.#size = sizeOf(this.#stdout);
    if (this.#size.columns < before.columns) this.write(ERASE_LINE_AND_UP.repeat(this.#wrappedRows()));
    this.emit('resize');
  };

  /** How many rows more than it had the last frame has in the new width. */
  #wrappedRows(): number {
    const lines = stripVTControlCharacters(this.#frame).split('\n');
    const { columns, rows } = this.#size;
    const more = lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(widthOf(line) / columns) - 1), 0);
    return Math.min(more, rows);
  }
}

/** Not only where the cursor goes, or the marks of a synchronized update. */
function isContent(data: string): boolean {
  return stripVTControlCharacters(data.slice(data.lastIndexOf(ERASED) + 1)).trim() !== '';
}

function sizeOf({ columns, rows }: WriteStream): Size {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}
