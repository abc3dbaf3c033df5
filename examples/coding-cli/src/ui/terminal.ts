import { EventEmitter } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { WriteStream } from 'node:tty';
import { widthOf } from './text-width.js';

const ESC = '\u001B[';
const ERASE_LINE = `${ESC}2K`;
const ERASE_LINE_AND_UP = `${ERASE_LINE}${ESC}1A`;
/** How log-update ends what erases the frame before. */
const ERASED = `${ESC}G`;

interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** Asks the system. Node itself asks when it hears of a new size, which may be after the next frame. */
interface Refreshing extends WriteStream {
  _refreshSize?: () => void;
}

/**
 * What ink writes to: the terminal, but for three things.
 * - `rows` is not there. Ink clears the terminal with all its scrollback where a frame is as high as it; ours never is.
 * - A terminal that becomes narrower wraps the rows that stand in it, and ink erases as many as it wrote: the others are
 *   erased here.
 * - A terminal that is gone takes nothing and throws nothing.
 */
export class Terminal extends EventEmitter<{ resize: [] }> {
  readonly isTTY = true;
  readonly #stdout: Refreshing;
  #size: Size;
  #frame = '';
  #isGone = false;
  #isWriting = false;

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
    const isErasing = data.includes(ERASE_LINE);
    const content = data.slice(isErasing ? data.lastIndexOf(ERASED) + ERASED.length : 0);
    const wrapped = isErasing ? ERASE_LINE_AND_UP.repeat(this.#wrappedRows()) : '';
    if (isErasing || stripVTControlCharacters(content).trim() !== '') this.#frame = content;
    return this.#stdout.write(wrapped + data);
  };

  /** Ink has drawn for the last time. */
  release(): void {
    this.#stdout.off('resize', this.#resized);
  }

  readonly #resized = (): void => {
    this.#size = sizeOf(this.#stdout);
    // Ink would draw in the middle of drawing.
    if (this.#isWriting) queueMicrotask(() => this.emit('resize'));
    else this.emit('resize');
  };

  /** How many rows more than were written the last frame has by now. */
  #wrappedRows(): number {
    this.#isWriting = true;
    this.#stdout._refreshSize?.();
    this.#isWriting = false;
    const { columns, rows } = this.#size;
    const lines = stripVTControlCharacters(this.#frame).split('\n');
    const more = lines.reduce((sum, line) => sum + Math.max(0, Math.ceil(widthOf(line) / columns) - 1), 0);
    return Math.min(more, rows);
  }
}

function sizeOf({ columns, rows }: WriteStream): Size {
  return { columns: columns > 0 ? columns : 80, rows: rows > 0 ? rows : 24 };
}
