import { createInterface, type Interface } from 'node:readline';
import { raceAbort } from '../../util/abort.js';
import type { Terminal } from '../command.js';

/** Reads the user's lines from a terminal. */
export class Dialog {
  readonly #lines: Interface;
  readonly #typedAhead: string[] = [];
  #waiting: ((line: string | undefined) => void) | undefined;
  #isOver = false;
  /** The action of Ctrl-C; without it, Ctrl-C ends the dialog. */
  onInterrupt: (() => void) | undefined;

  constructor({ stdin, stderr, signal }: Terminal) {
    this.#lines = createInterface({ input: stdin, output: stderr, terminal: true });
    this.#lines.on('line', (line) => (this.#waiting === undefined ? this.#typedAhead.push(line) : this.#waiting(line)));
    this.#lines.once('close', () => {
      this.#isOver = true;
      this.#waiting?.(undefined);
    });
    this.#lines.on('SIGINT', () => (this.onInterrupt === undefined ? this.close() : this.onInterrupt()));
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** Returns the next line, even one typed earlier; `undefined` at the end (Ctrl-D, Ctrl-C at the prompt). */
  next(prompt: string): Promise<string | undefined> {
    const early = this.#typedAhead.shift();
    return early === undefined ? this.#read(prompt) : Promise.resolve(early);
  }

  /** Asks a question. A line typed before it is no answer. Rejects if `signal` fires. */
  async answer(question: string, signal: AbortSignal): Promise<string | undefined> {
    Object.assign(this.#lines, { line: '', cursor: 0 });
    try {
      return await raceAbort(this.#read(question), signal);
    } finally {
      this.#waiting = undefined;
    }
  }

  close(): void {
    this.#lines.close();
  }

  #read(prompt: string): Promise<string | undefined> {
    if (this.#isOver) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#waiting = (line) => {
        this.#waiting = undefined;
        resolve(line);
      };
      this.#lines.setPrompt(prompt);
      this.#lines.prompt(true);
    });
  }
}
