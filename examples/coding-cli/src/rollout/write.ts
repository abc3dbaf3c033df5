import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { type JsonlFile, openJsonl } from 'responses-loop-example-shared/jsonl.js';
import type { Line, SessionMeta } from './lines.js';

/** Power may go right behind them: they are on disk before anything follows. */
const SYNCED: ReadonlySet<Line['type']> = new Set(['user', 'turn_end']);
/** Of lines that could not be written and are tried again with the next one. */
const MAX_BACKLOG = 10_000;

export interface RolloutOptions {
  readonly path: string;
  /** The first line of a new one: written with the second, so that a session in which nothing was said leaves nothing. */
  readonly meta?: SessionMeta | undefined;
  /** Something could not be written. Called once. */
  readonly onError: (error: Error) => void;
}

/**
 * Appends to one file, a line with one write. A disk that is full does not stop the talk: what is missing is tried again
 * with the next line, so that there is never a gap.
 */
export class RolloutWriter {
  readonly #options: RolloutOptions;
  #backlog: Line[];
  #file: JsonlFile | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#backlog = options.meta === undefined ? [] : [options.meta];
  }

  /** Whether all that was said is written. */
  get isWhole(): boolean {
    return !this.#hasFailed || this.#backlog.length === 0;
  }

  /** Nothing is written behind the end: another process may have the session by then. */
  write(line: Line): void {
    if (this.#isClosed) return;
    this.#backlog.push(line);
    try {
      if (this.#backlog.length > MAX_BACKLOG) throw new Error('too much could not be written');
      const file = (this.#file ??= this.#open());
      for (let next = this.#backlog[0]; next !== undefined; next = this.#backlog[0]) {
        file.append(next, { isSynced: SYNCED.has(next.type) });
        this.#backlog.shift();
      }
    } catch (error) {
      this.#backlog = this.#backlog.slice(0, MAX_BACKLOG);
      const isFirst = !this.#hasFailed;
      this.#hasFailed = true;
      if (isFirst) this.#options.onError(error as Error);
    }
  }

  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#isClosed = true;
  }

  #open(): JsonlFile {
    const { path } = this.#options;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    return openJsonl(path);
  }
}
