import { createRequire } from 'node:module';
import { spawn, type IPty } from '@lydell/node-pty';
import type { Terminal as Xterm } from '@xterm/headless';

// It is CommonJS, and its names are not seen from here.
const { Terminal } = createRequire(import.meta.url)('@xterm/headless') as { Terminal: typeof Xterm };

const PATIENCE_MS = 90_000;
const ESC = '\u001B';
const CLEARS = new RegExp(`${ESC}\\[[23]J|${ESC}c`, 'g');
const QUIET_MS = 100;

export interface TerminalOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A program in a pseudo terminal, seen through the buffer of a terminal emulator. */
export class TestTerminal {
  readonly #pty: IPty;
  readonly #xterm: Xterm;
  readonly #waiting = new Set<() => void>();
  readonly exited: Promise<{ readonly exitCode: number; readonly signal: number | undefined }>;
  /** All that the program wrote. */
  raw = '';
  #hasExited = false;

  constructor({ command, args, cwd, env, columns = 80, rows = 24 }: TerminalOptions) {
    this.#xterm = new Terminal({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
    const set = Object.entries({ ...env, TERM: 'xterm-256color' }).filter(([, value]) => value !== undefined);
    this.#pty = spawn(command, [...args], {
      cols: columns,
      rows,
      cwd,
      env: Object.fromEntries(set) as Record<string, string>,
    });
    this.#pty.onData((data) => {
      this.raw += data;
      this.#xterm.write(data, () => this.#changed());
    });
    this.exited = new Promise((resolve) => {
      this.#pty.onExit(({ exitCode, signal }) => {
        this.#hasExited = true;
        this.#changed();
        resolve({ exitCode, signal });
      });
    });
  }

  get pid(): number {
    return this.#pty.pid;
  }

  write(text: string): void {
    this.#pty.write(text);
  }

  /** What is seen now, a string for each row, without the spaces at their ends. */
  get screen(): string[] {
    const { baseY } = this.#xterm.buffer.active;
    return this.all.slice(baseY);
  }

  /** With what has scrolled away. */
  get all(): string[] {
    const buffer = this.#xterm.buffer.active;
    const rows = Array.from({ length: buffer.baseY + this.#xterm.rows }, (_, y) => buffer.getLine(y));
    return rows.map((line) => line?.translateToString(true) ?? '');
  }

  get text(): string {
    return this.all.join('\n').trimEnd();
  }

  get buffer(): Xterm['buffer'] {
    return this.#xterm.buffer;
  }

  /** How often all of the screen was erased. */
  get clears(): number {
    return this.raw.match(CLEARS)?.length ?? 0;
  }

  count(text: string): number {
    return this.text.split(text).length - 1;
  }

  /** Waits until the terminal shows it; `screen` alone, without what has scrolled away, for a function. */
  async shows(wanted: string | RegExp | ((screen: string) => boolean)): Promise<void> {
    const isSeen = (): boolean => {
      if (typeof wanted === 'function') return wanted(this.screen.join('\n'));
      return typeof wanted === 'string' ? this.text.includes(wanted) : wanted.test(this.text);
    };
    await this.until(isSeen, String(wanted));
  }

  async until(condition: () => boolean, name = String(condition)): Promise<void> {
    if (condition()) return;
    await new Promise<void>((resolve, reject) => {
      const fail = (why: string): void => {
        finish();
        reject(new Error(`${why} before: ${name}\n${this.text}`));
      };
      const timer = setTimeout(() => fail(`${PATIENCE_MS} ms are over`), PATIENCE_MS);
      // What it wrote last is still on its way to the buffer.
      const check = (): void => {
        if (condition()) {
          finish();
          resolve();
        } else if (this.#hasExited) setTimeout(() => (condition() ? (finish(), resolve()) : fail('It ended')), 300);
      };
      const poll = setInterval(check, 50);
      const finish = (): void => {
        clearTimeout(timer);
        clearInterval(poll);
        this.#waiting.delete(check);
      };
      this.#waiting.add(check);
    });
  }

  /**
   * Between two frames: a frame that is on its way was drawn for the old size, and no program can take it back. So the
   * program stands still until the terminal has read what it wrote.
   */
  async resize(columns: number, rows: number): Promise<void> {
    this.#pty.kill('SIGSTOP');
    await this.#quiet();
    this.#pty.resize(columns, rows);
    this.#xterm.resize(columns, rows);
    this.#pty.kill('SIGCONT');
  }

  /** The terminal is closed, as its window is. */
  hangUp(): void {
    this.#pty.kill('SIGHUP');
  }

  kill(signal: string): void {
    this.#pty.kill(signal);
  }

  [Symbol.dispose](): void {
    if (!this.#hasExited) this.#pty.kill('SIGKILL');
    this.#xterm.dispose();
  }

  /** Until nothing has come for a while. */
  async #quiet(): Promise<void> {
    for (let seen = -1; seen !== this.raw.length;) {
      seen = this.raw.length;
      await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    }
  }

  #changed(): void {
    for (const check of this.#waiting) check();
  }
}
