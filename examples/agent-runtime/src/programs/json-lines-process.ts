import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Line } from './dialect.js';

/** A line may not be longer: a program that never ends one would fill the memory. */
const MAX_LINE_CHARS = 16_000_000;
const MAX_STDERR_CHARS = 2_000;
/** How long a program may take to end by itself, and then after SIGTERM. */
const END_MS = 2_000;

export interface ProcessOptions {
  /** The program and its arguments; started without a shell. */
  readonly command: readonly string[];
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  readonly onLine: (line: Line) => void;
  /** Called once, with a sentence about the end. */
  readonly onEnd: (reason: string) => void;
}

/** A program that reads and writes JSON lines. What is no JSON object is passed over. */
export class JsonLinesProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #options: ProcessOptions;
  readonly #ended: Promise<void>;
  #rest = '';
  #stderr = '';
  #isOver = false;

  constructor(options: ProcessOptions) {
    this.#options = options;
    const { command, cwd, env } = options;
    const [program = '', ...args] = command;
    this.#child = spawn(program, args, { cwd, env, stdio: 'pipe' });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-MAX_STDERR_CHARS);
    });
    // It may end while it is written to.
    this.#child.stdin.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#child.once('error', (error) => this.#end(`${program} cannot be run: ${error.message}`, resolve));
      this.#child.once('close', (code, signal) => {
        this.#end(`${program} ended with ${code ?? signal}. ${this.#stderr.trim()}`.trim(), resolve);
      });
    });
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  write(line: Line): void {
    if (!this.#isOver) this.#child.stdin.write(`${JSON.stringify(line)}\n`);
  }

  /** Ends its input, and the program if it does not end then. */
  async close(): Promise<void> {
    this.#child.stdin.end();
    const timers = [
      setTimeout(() => this.#child.kill('SIGTERM'), END_MS),
      setTimeout(() => this.#child.kill('SIGKILL'), 2 * END_MS),
    ];
    await this.#ended;
    for (const timer of timers) clearTimeout(timer);
  }

  #end(reason: string, resolve: () => void): void {
    if (!this.#isOver) {
      this.#isOver = true;
      this.#options.onEnd(reason);
    }
    resolve();
  }

  #read(text: string): void {
    // Only a line feed ends a line: JSON may hold the separators of Unicode.
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    if (this.#rest.length > MAX_LINE_CHARS) {
      this.#rest = '';
      this.#child.kill('SIGKILL');
    }
    for (const line of lines) {
      const value = parsed(line);
      if (value !== undefined) this.#options.onLine(value);
    }
  }
}

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}
