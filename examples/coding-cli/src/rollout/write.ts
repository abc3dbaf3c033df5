import { closeSync, fstatSync, fsyncSync, ftruncateSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Line, SessionMeta } from './lines.js';

/** Power may go right behind them: they are on disk before anything follows. */
const SYNCED: ReadonlySet<Line['type']> = new Set(['user', 'turn_end']);
/** Of lines that could not be written and are tried again with the next one. */
const MAX_BACKLOG = 10_000;

export interface RolloutOptions {
  readonly path: string;
  /** The first line of a new one: written with the second, so that a session in which nothing was said leaves nothing. */
  readonly meta?: SessionMeta | undefined;
  /** The folder is there, the file is about to be. */
  readonly onOpen?: (() => void) | undefined;
  /** Something could not be written. Called once. */
  readonly onError: (error: Error) => void;
}

/**
 * Appends to one file, a line with one write. A disk that is full does not stop the talk: what is missing is tried again
 * with the next line, so that there is never a gap.
 */
export class RolloutWriter {
  readonly #options: RolloutOptions;
  #backlog: string[];
  #file: number | undefined;
  #size = 0;
  #hasFailed = false;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#backlog = options.meta === undefined ? [] : [textOf(options.meta)];
  }

  /** Whether all that was said is written. */
  get isWhole(): boolean {
    return !this.#hasFailed || this.#backlog.length === 0;
  }

  write(line: Line): void {
    this.#backlog.push(textOf(line));
    try {
      if (this.#backlog.length > MAX_BACKLOG) throw new Error('too much could not be written');
      const file = (this.#file ??= this.#open());
      this.#flush(file);
      if (SYNCED.has(line.type)) fsyncSync(file);
    } catch (error) {
      this.#backlog = this.#backlog.slice(0, MAX_BACKLOG);
      const isFirst = !this.#hasFailed;
      this.#hasFailed = true;
      if (isFirst) this.#options.onError(error as Error);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #open(): number {
    const { path, onOpen } = this.#options;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    onOpen?.();
    const file = openSync(path, 'a', 0o600);
    this.#size = fstatSync(file).size;
    return file;
  }

  #flush(file: number): void {
    for (let text = this.#backlog[0]; text !== undefined; text = this.#backlog[0]) {
      const bytes = Buffer.from(text);
      this.#append(file, bytes);
      this.#size += bytes.length;
      this.#backlog.shift();
    }
  }

  /** All of it or nothing: half a line would spoil the one behind it. */
  #append(file: number, bytes: Buffer): void {
    let written = 0;
    try {
      written = writeSync(file, bytes);
      if (written < bytes.length) throw new Error(`only ${written} of ${bytes.length} bytes could be written`);
    } catch (error) {
      ftruncateSync(file, this.#size);
      throw error;
    }
  }
}

function textOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}
