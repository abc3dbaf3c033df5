import { EventEmitter } from 'node:events';
import type { WriteStream } from 'node:tty';
import type { Canvas, Size } from './painter.js';

const HIDE_CURSOR = '\u001B[?25l';
const SHOW_CURSOR = '\u001B[?25h';

/** Asks the system. Node itself asks when it hears of a new size, which may be after the next frame. */
interface Refreshing extends WriteStream {
  _refreshSize?: () => void;
}

/** The terminal of this process. Its size changes with an event only; one that is gone takes nothing and throws nothing. */
export class Terminal extends EventEmitter<{ resize: [] }> implements Canvas {
  readonly #stdout: Refreshing;
  size: Size;
  #isGone = false;
  #isMeasuring = false;

  constructor(stdout: WriteStream, onGone: () => void) {
    super();
    this.#stdout = stdout;
    this.size = sizeOf(stdout);
    stdout.on('resize', this.#resized);
    stdout.on('error', () => {
      this.#isGone = true;
      onGone();
    });
    this.write(HIDE_CURSOR);
    process.once('exit', this.#showCursor);
  }

  measure(): Size {
    this.#isMeasuring = true;
    this.#stdout._refreshSize?.();
    this.#isMeasuring = false;
    return this.size;
  }

  readonly write = (data: string): void => {
    if (data !== '' && !this.#isGone && !this.#stdout.destroyed) this.#stdout.write(data);
  };

  /** Nothing is drawn any more. */
  release(): void {
    this.#stdout.off('resize', this.#resized);
    process.off('exit', this.#showCursor);
    this.#showCursor();
  }

  readonly #showCursor = (): void => this.write(SHOW_CURSOR);

  readonly #resized = (): void => {
    this.size = sizeOf(this.#stdout);
    // A frame would be drawn in the middle of another one.
    if (this.#isMeasuring) queueMicrotask(() => this.emit('resize'));
    else this.emit('resize');
  };
}

function sizeOf({ columns, rows }: WriteStream): Size {
  return { columns: columns > 0 ? columns : 80, height: rows > 0 ? rows : 24 };
}
