import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { livingProcesses } from './living-processes.js';
import { OutputWindow } from './output-window.js';

export interface RunCommandOptions {
  readonly command: string;
  readonly cwd: string;
  /** All that the command sees: see `cleanEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Default: 30,000. */
  readonly maxChars?: number | undefined;
  /** Where all of a longer output goes. */
  readonly outputFile?: string | undefined;
  /** Stands in front of it: see `Sandbox.wrap`. */
  readonly sandbox?: readonly string[] | undefined;
}

export interface CommandResult {
  /** As a shell tells it: 128 and the signal's number for a process that was ended by one. */
  readonly exitCode: number;
  readonly output: string;
  readonly isTruncated: boolean;
  /** Why it was ended. */
  readonly ended?: 'timeout' | 'abort' | undefined;
}

const MAX_CHARS = 30_000;
const MAX_FILE_BYTES = 50_000_000;
const GRACE_MS = 2000;
const REAP_MS = 500;
const POLL_MS = 20;
/** For what lies in the pipe when the shell has ended, if something it left behind holds the pipe open. */
const DRAIN_MS = 250;
const MAX_PROBLEM_CHARS = 1000;
/** Both outputs through one pipe keep their order. No file is read on start, and there is no terminal. */
const ARGS = ['--norc', '--noprofile', '-c', 'exec "$BASH" --norc --noprofile -c -- "$1" "$0" 2>&1', 'bash'];

/** By its place: the workspace may hold a program of that name. */
export const BASH =
  ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash'].find((path) => existsSync(path)) ??
  'bash';

/**
 * Runs a command in a process group of its own, which has ended when this resolves. Rejects if it, or the sandbox that it is
 * to run in, cannot be started.
 */
export async function runCommand(options: RunCommandOptions): Promise<CommandResult> {
  const { command, timeoutMs, signal, onOutput, maxChars = MAX_CHARS, outputFile } = options;
  if (command.includes('\0')) throw new Error('The command holds a NUL.');
  if (signal?.aborted === true) return { exitCode: 130, output: '', isTruncated: false, ended: 'abort' };
  const window = new OutputWindow({ maxChars, file: outputFile, maxFileBytes: MAX_FILE_BYTES });
  const { child, inside } = start(options);
  const group = new ProcessGroup(child, inside);
  let ended: CommandResult['ended'];
  const end = (why: CommandResult['ended']): void => {
    ended ??= why;
    group.end();
  };
  const onAbort = (): void => end('abort');
  const timer = setTimeout(() => end('timeout'), timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  child.stdout?.on('data', (chunk: Buffer) => {
    const text = window.add(chunk);
    if (text !== '') onOutput?.(text);
  });
  try {
    const exitCode = await exitOf(child);
    await group.gone();
    await closed(child);
    inside?.check(exitCode);
    const { text, isTruncated } = window.end();
    return { exitCode, output: text, isTruncated, ended };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  }
}

interface Started {
  readonly child: ChildProcess;
  readonly inside?: Inside;
}

function start({ command, cwd, env, sandbox = [] }: RunCommandOptions): Started {
  const shell = [BASH, ...ARGS, command];
  const [wrapper] = sandbox;
  if (wrapper === undefined) {
    return { child: spawn(BASH, shell.slice(1), { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] }) };
  }
  const args = [...sandbox.slice(1), '--chdir', cwd, '--info-fd', '3', '--', ...shell];
  const child = spawn(wrapper, args, { cwd: '/', env, detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  return { child, inside: new Inside(child) };
}

/** What runs in a sandbox: bubblewrap tells which process it is, and puts it into a group of its own. */
class Inside {
  #told = '';
  #said = '';

  constructor({ stdio, stderr }: ChildProcess) {
    stdio[3]?.on('data', (text: Buffer) => (this.#told += text.toString()));
    stderr?.on('data', (text: Buffer) => (this.#said = (this.#said + text.toString()).slice(0, MAX_PROBLEM_CHARS)));
  }

  get group(): number | undefined {
    const pid = Number(/"child-pid": (\d+)/.exec(this.#told)?.[1]);
    return pid > 1 ? pid : undefined;
  }

  /** What runs in it writes both of its outputs into one pipe, so that this one holds what bubblewrap itself says. */
  check(exitCode: number): void {
    if (exitCode !== 0 && this.#said.startsWith('bwrap: '))
      throw new Error(`The sandbox cannot be made: ${this.#said.slice('bwrap: '.length).trim()}`);
  }
}

/** A shell and all that it starts. */
class ProcessGroup {
  readonly #pid: number | undefined;
  readonly #inside: Inside | undefined;
  #killer: ReturnType<typeof setTimeout> | undefined;

  constructor({ pid }: ChildProcess, inside?: Inside) {
    this.#pid = pid;
    this.#inside = inside;
  }

  /** Asks it to end, and ends it 2 s later. Bubblewrap itself would end all at once. */
  end(): void {
    if (this.#killer !== undefined) return;
    const inside = this.#inside?.group;
    if (inside === undefined) this.#signal('SIGTERM');
    else send(inside, 'SIGTERM');
    this.#killer = setTimeout(() => this.#signal('SIGKILL'), GRACE_MS);
  }

  /** The shell has ended: what it left behind goes too. */
  async gone(): Promise<void> {
    if (this.#isAlive()) this.end();
    const deadline = Date.now() + GRACE_MS + REAP_MS;
    while (this.#isAlive() && Date.now() < deadline) await sleep(POLL_MS);
    clearTimeout(this.#killer);
  }

  #isAlive(): boolean {
    return this.#signal(0) && this.#pid !== undefined && hasLiving(this.#pid);
  }

  /** Whether there was somebody to get it. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    return this.#pid !== undefined && send(this.#pid, signal);
  }
}

function send(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    // It is gone, or runs with other rights and cannot be ended from here.
    return false;
  }
}

/** Where nobody reaps orphans, the dead stay in a group. Only Linux shows which are. */
function hasLiving(group: number): boolean {
  return process.platform !== 'linux' || livingProcesses().some((living) => living.group === group);
}

function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

async function closed(child: ChildProcess): Promise<void> {
  const { stdout } = child;
  if (stdout === null || stdout.closed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, DRAIN_MS);
    stdout.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
  stdout.destroy();
}
