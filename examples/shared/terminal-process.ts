import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IPty } from '@lydell/node-pty';
import { livingProcesses, type LivingProcess } from './living-processes.js';
import { BASH } from './run-command.js';
import { TerminalText } from './terminal-text.js';

export interface TerminalCommand {
  readonly command: string;
  readonly cwd: string;
  /** All that the command sees: see `cleanEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  /** Stands in front of it: see `Sandbox.wrap`. */
  readonly sandbox?: readonly string[] | undefined;
}

const SIZE = { cols: 120, rows: 40 };
const GRACE_MS = 2000;
const REAP_MS = 500;
const POLL_MS = 20;
/** By its place: the workspace may hold a program of that name. */
const SCRIPT = '/usr/bin/script';
/**
 * Job control gives the command a group of its own, so that Ctrl-C ends it and not the shell around it. The shell stays until
 * it is ended: what is still to be read would be lost if nobody had the terminal open (libuv ends a stream that hangs up).
 */
const SHELL = [
  '--norc',
  '--noprofile',
  '-m',
  '-c',
  String.raw`"$@"; printf '\033]%s;%s\007' "$0" "$?"; kill -STOP "$$"`,
];
/** Waits until the other end of its input is gone, and ends all processes of the session: of a parent that was killed, too. */
const WATCH = `read -r _
for dir in /proc/[0-9]*; do
  { read -r line < "$dir/stat"; } 2>/dev/null || continue
  set -- \${line##*) }
  [ "$4" = "$0" ] && kill -KILL "\${dir#/proc/}"
done`;

/** A command in a pseudo terminal of its own. */
export class TerminalProcess {
  /** Settles with the exit code when nothing of it runs any more. */
  readonly exited: Promise<number>;
  readonly #pty: IPty;
  readonly #watch: ChildProcess;
  readonly #text: TerminalText;
  #ending: Promise<void> | undefined;

  private constructor(pty: IPty, mark: string, onText: (text: string) => void) {
    this.#pty = pty;
    this.#watch = watch(pty.pid);
    let hasExited: (code: number) => void = () => {};
    const code = new Promise<number>((resolve) => (hasExited = resolve));
    this.#text = new TerminalText((content) => {
      if (content.startsWith(`${mark};`)) hasExited(Number(content.slice(mark.length + 1)));
    });
    pty.onExit(({ exitCode, signal = 0 }) => hasExited(signal === 0 ? exitCode : 128 + signal));
    this.exited = code.then(async (exitCode) => {
      await this.end();
      return exitCode;
    });
    pty.onData((chunk: string | Uint8Array) => onText(this.#text.add(Buffer.from(chunk as Uint8Array))));
  }

  /** @throws Error if no terminal can be had here. */
  static async start(wanted: TerminalCommand, onText: (text: string) => void): Promise<TerminalProcess> {
    if (wanted.command.includes('\0')) throw new Error('The command holds a NUL.');
    const { spawn: open } = await import('@lydell/node-pty');
    const mark = randomUUID();
    const pty = open(BASH, [...SHELL, mark, ...argsOf(wanted)], {
      ...SIZE,
      cwd: wanted.sandbox?.[0] === undefined ? wanted.cwd : '/',
      env: { ...wanted.env, SHELL: BASH },
      // Bytes, since a sign may be cut between two of them.
      encoding: null,
    });
    return new TerminalProcess(pty, mark, onText);
  }

  write(chars: string): void {
    this.#pty.write(chars);
  }

  /** The line that has no end yet, such as a prompt. */
  flush(): string {
    return this.#text.flush();
  }

  /** Asks everything in it to end, and ends it 2 s later. */
  end(): Promise<void> {
    this.#ending ??= this.#end();
    return this.#ending;
  }

  async #end(): Promise<void> {
    // Bubblewrap itself would end all at once.
    const asked = this.#members().filter(({ name }) => name !== 'bwrap');
    send(asked, 'SIGHUP', 'SIGTERM');
    await within(GRACE_MS, () => this.#members().length === 0);
    const { pid } = this.#pty;
    send([...this.#members(), { pid }, { pid: -pid }], 'SIGKILL');
    await within(REAP_MS, () => !livingProcesses().some((living) => living.pid === pid || living.session === pid));
    this.#watch.kill('SIGKILL');
  }

  /** Processes of its session, and those that a sandbox keeps in another one; not the shell around them. */
  #members(): LivingProcess[] {
    const living = livingProcesses();
    const shell = this.#pty.pid;
    const found = new Set([shell]);
    for (let before = 0; before !== found.size;) {
      before = found.size;
      for (const { pid, parent, session } of living) if (found.has(parent) || session === shell) found.add(pid);
    }
    return living.filter(({ pid }) => found.has(pid) && pid !== shell);
  }
}

function argsOf({ command, cwd, sandbox = [] }: TerminalCommand): string[] {
  if (sandbox.length === 0) return [BASH, '--norc', '--noprofile', '-c', '--', command];
  const inside = `exec ${BASH} --norc --noprofile -c -- '${command.replaceAll("'", String.raw`'\''`)}'`;
  // A terminal inside of the sandbox: Ctrl-C in the one around it would end the sandbox.
  const shell = existsSync(SCRIPT) ? [SCRIPT, '-q', '-e', '-c', inside, '/dev/null'] : [BASH, '-c', inside];
  return [...sandbox, '--chdir', cwd, '--', ...shell];
}

async function within(ms: number, holds: () => boolean): Promise<void> {
  const deadline = Date.now() + ms;
  while (!holds() && Date.now() < deadline) await sleep(POLL_MS);
}

function watch(session: number): ChildProcess {
  const child = spawn(BASH, ['--norc', '--noprofile', '-c', WATCH, String(session)], {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without it a terminal works too.
  child.once('error', () => {});
  child.stdin?.once('error', () => {});
  child.unref();
  return child;
}

function send(processes: readonly Pick<LivingProcess, 'pid'>[], ...signals: NodeJS.Signals[]): void {
  for (const { pid } of processes) {
    for (const signal of signals) {
      try {
        process.kill(pid, signal);
      } catch {
        // It is gone, or runs with other rights and cannot be ended from here.
      }
    }
  }
}
