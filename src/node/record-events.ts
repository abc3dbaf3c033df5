import { randomBytes } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs';
import type { Observer } from '../observe/event.js';
import { wantingRounds } from '../observe/notify.js';
import { errorText } from '../util/error-text.js';
import { EventLines } from './event-lines.js';

/** An observer that writes each event as a line of a file. */
export interface EventRecorder {
  /** The observer for the setting `onEvent`. */
  (...event: Parameters<Observer>): void;
  /** Writes the remaining lines and closes the file; later events are dropped. */
  readonly close: () => void;
}

/** Options of `recordEvents`. */
export interface RecordEventsOptions {
  /** `'short'`: up to 2,000 characters of an output. `'full'`: all that a replay needs. @default `'short'` */
  readonly outputs?: 'short' | 'full' | undefined;
}

/**
 * An observer that keeps all events in a file, from which `npx responses-loop timeline` makes a page. It appends; a new file
 * can be read by its owner only. Make one recorder for each provider; several, also of several processes, may write to one
 * file.
 *
 * A file that cannot be written is an error at once. If writing fails later (a full disk), the process gets one warning
 * and nothing more is kept, but calls continue.
 *
 * With `outputs: 'full'` the file also has what `replayEvents` (`responses-loop/testing`) needs: the input of each call,
 * every answer, and the outputs of tools as the model was given them. Secrets are taken out of these too.
 *
 * @throws Error naming the file and why it cannot be written
 * @example
 * const record = recordEvents('events.jsonl');
 * const provider = createResponsesProvider({ onEvent: record });
 * // … and at the end, or not at all: the last lines are also written when the process ends by itself or by `process.exit`
 * record.close();
 */
export function recordEvents(path: string, { outputs = 'short' }: RecordEventsOptions = {}): EventRecorder {
  if (!OUTPUTS.has(outputs))
    throw new Error(`recordEvents: "outputs" is 'short' or 'full', not ${JSON.stringify(outputs)}.`);
  const file = new EventFile(path);
  const observer: Observer = (event) => file.add(event);
  const close = (): void => file.close();
  return Object.assign(outputs === 'full' ? wantingRounds(observer) : observer, { close });
}

const OUTPUTS: ReadonlySet<unknown> = new Set(['short', 'full']);

/** More characters are written at once: nothing else may run for a while. */
const MAX_GATHERED_CHARS = 1_000_000;

class EventFile {
  readonly #path: string;
  readonly #lines = new EventLines(randomBytes(6).toString('base64url'));
  #file: number | undefined;
  #gathered: string[] = [];
  #chars = 0;

  constructor(path: string) {
    this.#path = path;
    try {
      this.#file = openSync(path, 'a+', 0o600);
      writeAll(this.#file, `${endsInLine(this.#file) ? '' : '\n'}${this.#lines.head(Date.now())}`);
    } catch (error) {
      throw new Error(`recordEvents: cannot write to ${JSON.stringify(path)}: ${errorText(error)}`, { cause: error });
    }
    flushAtExit(this);
  }

  add(event: Parameters<Observer>[0]): void {
    if (this.#file === undefined) return;
    const text = this.#lines.of(event, Date.now());
    this.#gathered.push(text);
    this.#chars += text.length;
    if (this.#chars > MAX_GATHERED_CHARS) this.flush();
    // Events of one turn of the event loop become one write.
    else if (this.#gathered.length === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const text = this.#gathered.join('');
    this.#gathered = [];
    this.#chars = 0;
    if (this.#file === undefined || text === '') return;
    try {
      writeAll(this.#file, text);
    } catch (error) {
      this.#giveUp(error);
    }
  }

  close(): void {
    this.flush();
    this.#end();
  }

  /** A missing part would be missing from every event that names it, so recording stops. */
  #giveUp(error: unknown): void {
    this.#end();
    process.emitWarning(`No more events are kept in ${JSON.stringify(this.#path)}: ${errorText(error)}`, {
      type: 'ResponsesLoopWarning',
      code: 'EVENTS_NOT_KEPT',
    });
  }

  #end(): void {
    const file = this.#file;
    this.#file = undefined;
    OPEN.delete(this);
    if (OPEN.size === 0) process.off('exit', flushOpen);
    try {
      if (file !== undefined) closeSync(file);
    } catch {
      // The disk may report a lost write only now; nothing can be saved.
    }
  }
}

/** One listener for all files, because Node warns of more than ten. */
const OPEN = new Set<EventFile>();

function flushOpen(): void {
  for (const file of OPEN) file.flush();
}

function flushAtExit(file: EventFile): void {
  if (OPEN.size === 0) process.on('exit', flushOpen);
  OPEN.add(file);
}

/**
 * Returns whether the file ends in a whole line. A process killed while writing leaves half a line, which must not
 * swallow ours.
 */
function endsInLine(file: number): boolean {
  const { size } = fstatSync(file);
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  // A pipe and the like have no size.
  readSync(file, last, 0, 1, size - 1);
  return last.toString() === '\n';
}

function writeAll(file: number, text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  while (written < bytes.length) written += writeSync(file, bytes, written);
}
