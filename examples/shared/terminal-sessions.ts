import { setTimeout as sleep } from 'node:timers/promises';
import { OutputWindow } from './output-window.js';
import { type TerminalCommand, TerminalProcess } from './terminal-process.js';

export interface TerminalLimits {
  /** Terminals at a time. */
  readonly sessions: number;
  /** How long one may go without a call, in milliseconds. */
  readonly idleMs: number;
}

/** How long a call waits, and what it wants of the output. */
export interface TerminalWait {
  /** Milliseconds; it ends earlier with the program. */
  readonly yieldMs: number;
  /** Characters of the output: the first 60 %, the last 40 %. */
  readonly maxChars: number;
  /** Ends the terminal. */
  readonly signal: AbortSignal;
  readonly onOutput?: ((text: string) => void) | undefined;
}

export interface TerminalReport {
  readonly id: number;
  /** Absent while the program runs. */
  readonly exitCode?: number | undefined;
  /** What came since the last call, readable. */
  readonly output: string;
  readonly isTruncated: boolean;
  /** How long the output was, in characters. */
  readonly totalChars: number;
  readonly waitedMs: number;
}

/** A terminal, for a person who is asked about a text that goes there. */
export interface OpenTerminal {
  readonly id: number;
  readonly command: string;
  /** What was typed after the last line end. */
  readonly line: string;
}

/** Stops the program that runs in a terminal. */
export const CTRL_C = '\u0003';

export const TERMINAL_LIMITS: TerminalLimits = { sessions: 8, idleMs: 30 * 60_000 };
/** Of what comes between two calls. */
const MAX_PENDING_CHARS = 1_000_000;
/** The system cuts a longer line off, without a word. */
const MAX_LINE_BYTES = 4095;
const MAX_KEPT_LINE = 20_000;

/** Commands that go on between calls, each in a terminal of its own. */
export class TerminalSessions {
  readonly #limits: TerminalLimits;
  readonly #open = new Map<number, Session>();
  #starting = 0;
  #lastId = 0;
  #isClosed = false;

  constructor(limits: Partial<TerminalLimits> = {}) {
    this.#limits = { ...TERMINAL_LIMITS, ...limits };
  }

  get open(): readonly OpenTerminal[] {
    return [...this.#open.values()];
  }

  find(id: number): OpenTerminal | undefined {
    return this.#open.get(id);
  }

  /** @throws Error for the model, if there are too many. */
  async start(command: TerminalCommand, wait: TerminalWait): Promise<TerminalReport> {
    const { sessions, idleMs } = this.#limits;
    if (this.#isClosed) throw new Error('No terminal is opened any more.');
    if (this.#open.size + this.#starting >= sessions) {
      const named = [...this.#open.keys()].join(', ');
      throw new Error(`${sessions} terminals are open (${named}), and there may be no more. End one: write "\\u0003".`);
    }
    wait.signal.throwIfAborted();
    this.#starting += 1;
    const session = new Session((this.#lastId += 1), command.command, idleMs);
    try {
      await session.start(command);
      this.#open.set(session.id, session);
    } finally {
      this.#starting -= 1;
    }
    // It was closed meanwhile.
    if (this.#isClosed) await session.end();
    return this.#report(session, wait);
  }

  /** Types, and waits. @throws Error for the model, if there is no such terminal. */
  async write(id: number, chars: string, wait: TerminalWait): Promise<TerminalReport> {
    const session = this.#open.get(id);
    if (session === undefined) {
      const ids = [...this.#open.keys()];
      const others = ids.length === 0 ? 'none is open' : `open are ${ids.join(', ')}`;
      const why =
        id > this.#lastId ? ' If it was open before, it ended with the server or program that opened it.' : '';
      throw new Error(`There is no terminal ${id} (any more): ${others}.${why} Start the command again.`);
    }
    if (chars.split(/[\n\r]/).some((line) => Buffer.byteLength(line) > MAX_LINE_BYTES)) {
      throw new Error(
        `A line of more than ${MAX_LINE_BYTES} bytes cannot be typed. Write it to a file, or send parts.`,
      );
    }
    wait.signal.throwIfAborted();
    session.type(chars);
    return this.#report(session, wait);
  }

  /** Ends all of them; later ones may follow. */
  async endAll(): Promise<void> {
    await Promise.all([...this.#open.values()].map((session) => session.end()));
    this.#open.clear();
  }

  /** Ends all of them for good. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.endAll();
  }

  async #report(session: Session, wait: TerminalWait): Promise<TerminalReport> {
    const report = await session.wait(wait);
    if (report.exitCode !== undefined) this.#open.delete(session.id);
    return report;
  }
}

class Session implements OpenTerminal {
  readonly id: number;
  readonly command: string;
  readonly #idleMs: number;
  #window = newWindow(MAX_PENDING_CHARS);
  #pendingChars = 0;
  #process: TerminalProcess | undefined;
  #exitCode: number | undefined;
  #idle: ReturnType<typeof setTimeout> | undefined;
  #listener: ((text: string) => void) | undefined;
  line = '';

  constructor(id: number, command: string, idleMs: number) {
    this.id = id;
    this.command = command;
    this.#idleMs = idleMs;
  }

  async start(command: TerminalCommand): Promise<void> {
    this.#process = await TerminalProcess.start(command, (text) => this.#keep(text));
    void this.#process.exited.then((code) => (this.#exitCode = code));
  }

  type(chars: string): void {
    if (chars === '' || this.#exitCode !== undefined) return;
    this.line =
      (this.line + chars)
        .replaceAll(CTRL_C, '\n')
        .split(/[\n\r]/)
        .at(-1)
        ?.slice(-MAX_KEPT_LINE) ?? '';
    this.#process?.write(chars);
  }

  end(): Promise<unknown> {
    clearTimeout(this.#idle);
    return Promise.all([this.#process?.end(), this.#process?.exited]);
  }

  async wait({ yieldMs, maxChars, signal, onOutput }: TerminalWait): Promise<TerminalReport> {
    const startedAt = performance.now();
    clearTimeout(this.#idle);
    this.#listener = onOutput;
    const enough = new AbortController();
    const onAbort = (): void => void this.end();
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    const over = sleep(yieldMs, undefined, { signal: enough.signal }).catch(() => {});
    // One that was ended is waited for.
    await Promise.race([this.#process?.exited, over.then(() => (signal.aborted ? this.#process?.exited : undefined))]);
    enough.abort();
    signal.removeEventListener('abort', onAbort);
    this.#listener = undefined;
    this.#idle = setTimeout(() => void this.end(), this.#idleMs).unref();
    if (this.#exitCode !== undefined) clearTimeout(this.#idle);
    return { id: this.id, exitCode: this.#exitCode, ...this.#take(maxChars), waitedMs: performance.now() - startedAt };
  }

  #keep(text: string): void {
    if (text === '') return;
    this.#pendingChars += text.length;
    this.#window.add(Buffer.from(text));
    this.#listener?.(text);
  }

  #take(maxChars: number): Pick<TerminalReport, 'output' | 'isTruncated' | 'totalChars'> {
    this.#keep(this.#process?.flush() ?? '');
    const { text, isTruncated } = this.#window.end();
    const totalChars = this.#pendingChars;
    [this.#window, this.#pendingChars] = [newWindow(MAX_PENDING_CHARS), 0];
    if (text.length <= maxChars) return { output: text, isTruncated, totalChars };
    const cut = newWindow(maxChars);
    cut.add(Buffer.from(text));
    return { output: cut.end().text, isTruncated: true, totalChars };
  }
}

function newWindow(maxChars: number): OutputWindow {
  return new OutputWindow({ maxChars, maxFileBytes: 0 });
}
