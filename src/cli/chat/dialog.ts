import { createInterface, type Interface } from 'node:readline';
import type { Terminal } from '../command.js';

/** A person at a terminal, line by line. */
export class Dialog {
  readonly #lines: Interface;
  #isOver = false;
  /** What Ctrl-C does; without it, it ends the dialog. */
  onInterrupt: (() => void) | undefined;

  constructor({ stdin, stderr, signal }: Terminal) {
    this.#lines = createInterface({ input: stdin, output: stderr, terminal: true });
    this.#lines.once('close', () => (this.#isOver = true));
    this.#lines.on('SIGINT', () => (this.onInterrupt === undefined ? this.close() : this.onInterrupt()));
    signal.addEventListener('abort', () => this.close(), { once: true });
  }

  /** The next line; `undefined` at the end (Ctrl-D, Ctrl-C at the prompt), or when `signal` fires. */
  ask(question: string, signal?: AbortSignal): Promise<string | undefined> {
    if (this.#isOver || signal?.aborted === true) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      const over = (): void => settle(undefined);
      const settle = (line: string | undefined): void => {
        this.#lines.off('close', over);
        signal?.removeEventListener('abort', over);
        resolve(line);
      };
      this.#lines.once('close', over);
      signal?.addEventListener('abort', over);
      // What was typed before the question is no answer to it.
      Object.assign(this.#lines, { line: '', cursor: 0 });
      this.#lines.question(question, signal === undefined ? {} : { signal }, settle);
    });
  }

  close(): void {
    this.#lines.close();
  }
}
