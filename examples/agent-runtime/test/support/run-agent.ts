import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';

const BIN = fileURLToPath(new URL('../../bin/agent.mjs', import.meta.url));

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A command as a user would start it, that can be watched. */
export interface RunningAgent {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  /** Resolves with what was printed so far, once it holds this. */
  readonly printed: (what: string | RegExp, stream?: 'stdout' | 'stderr') => Promise<string>;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];

afterEach(async () => {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(
    left.map(
      (child) => new Promise((resolve) => (child.exitCode === null ? child.once('close', resolve) : resolve(0))),
    ),
  );
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is thrown away after the test. */
export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'agent-'));
  folders.push(folder);
  return folder;
}

export function startAgent(
  args: readonly string[],
  { cwd = newFolder(), env = {}, input }: RunOptions = {},
): RunningAgent {
  const clean = { PATH: process.env['PATH'], HOME: cwd, ...env };
  const child = spawn(process.execPath, [BIN, ...args], { cwd, env: clean, stdio: 'pipe' });
  running.add(child);
  if (input !== undefined) child.stdin.end(input);
  const said = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      for (const watcher of watchers) watcher();
    });
  }
  const ended = new Promise<Finished>((resolve) => {
    child.once('close', (code) => {
      running.delete(child);
      resolve({ code, ...said });
      for (const watcher of watchers) watcher();
    });
  });
  const printed = (what: string | RegExp, name: 'stdout' | 'stderr' = 'stdout'): Promise<string> =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        const isThere = typeof what === 'string' ? said[name].includes(what) : what.test(said[name]);
        if (!isThere && running.has(child)) return;
        watchers.delete(watcher);
        if (isThere) resolve(said[name]);
        else reject(new Error(`It ended without printing ${String(what)}.\n${said.stdout}\n${said.stderr}`));
      };
      watchers.add(watcher);
      watcher();
    });
  return { child, ended, printed };
}

/** Runs a command to its end. */
export async function runAgent(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  return startAgent(args, { input: '', ...options }).ended;
}

/** The lines of `--json`. */
// oxlint-disable-next-line typescript/no-explicit-any -- what they hold is what the tests are about
export function jsonLines(text: string): any[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
