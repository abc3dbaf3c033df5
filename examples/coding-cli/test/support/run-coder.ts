import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished } from 'vitest';

import type { CoderEvent, EventData, EventType } from '../../src/protocol/events.js';
import type { Op } from '../../src/protocol/submissions.js';
import { newFolder } from './folders.js';

const BIN = fileURLToPath(new URL('../../bin/coder.mjs', import.meta.url));

type ServerOptions = NonNullable<Parameters<typeof createScriptedServer>[0]>;

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly home: string;
  readonly env?: Record<string, string>;
  readonly input?: string;
  /** The program that starts it, such as a shell with limits. */
  readonly through?: readonly string[];
}

/** A command as a user would start it, that can be watched. */
export interface RunningCoder {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  /** Of the lines of stdout so far. */
  readonly events: () => CoderEvent[];
  readonly send: (id: string, op: Op) => void;
  /** Waits for an event: the first that fits, also one that has come already. */
  seen<Type extends EventType>(type: Type, fits?: (data: EventData<Type>) => boolean): Promise<EventData<Type>>;
}

export function startCoder(args: readonly string[], options: RunOptions): RunningCoder {
  const { cwd, home, env = {}, input, through = [] } = options;
  const [program = '', ...rest] = [...through, process.execPath, '--', BIN, ...args];
  const clean = { PATH: process.env['PATH'], HOME: home, CODER_HOME: home, ...env };
  const child = spawn(program, rest, { cwd, env: clean, stdio: 'pipe' });
  if (input !== undefined) child.stdin.end(input);
  child.stdin.on('error', () => {}); // It ended first.
  const said = { stdout: '', stderr: '' };
  const watchers = new Set<() => void>();
  const notify = (): void => {
    for (const watcher of watchers) watcher();
  };
  let isOver = false;
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      notify();
    });
  }
  const ended = new Promise<Finished>((resolve) => {
    child.once('close', (code, signal) => {
      isOver = true;
      resolve({ code, signal, ...said });
      notify();
    });
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  const events = (): CoderEvent[] => eventsIn(said.stdout);
  const seen: RunningCoder['seen'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const watcher = (): void => {
        const found = events().find(({ msg }) => msg.type === type && fits(msg.data as never));
        if (found === undefined && !isOver) return;
        watchers.delete(watcher);
        if (found !== undefined) resolve(found.msg.data as never);
        else reject(new Error(`It ended without ${type}.\n${said.stdout}\n${said.stderr}`));
      };
      watchers.add(watcher);
      watcher();
    });
  const send = (id: string, op: Op): void => void child.stdin.write(`${JSON.stringify({ id, op })}\n`);
  return { child, ended, events, seen, send };
}

/** Runs a command to its end. */
export async function runCoder(args: readonly string[], options: RunOptions): Promise<Finished> {
  return startCoder(args, { input: '', ...options }).ended;
}

/** The whole lines of a text. */
export function eventsIn(text: string): CoderEvent[] {
  return text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as CoderEvent);
}

/** A model server that says what the test says, a workspace and a home, and the flags that lead there. */
export async function startWorld(steps: ServerOptions['steps'], otherwise?: ServerOptions['otherwise']) {
  const server = await createScriptedServer({
    ...(steps === undefined ? {} : { steps }),
    ...(otherwise === undefined ? {} : { otherwise }),
  });
  onTestFinished(() => server.close());
  const cwd = newFolder();
  const home = newFolder();
  const flags = ['--base-url', server.baseURL, '--api-key', 'test-key-1234', '--model', 'any'];
  const all = [...flags, '-a', 'never', '-s', 'danger_full_access'];
  return { server, cwd, home, flags, /** Nothing is asked about. */ all, at: { cwd, home } };
}

/** Every rollout of a home, oldest first. */
export function rolloutsOf(home: string): string[] {
  const folder = join(home, 'sessions');
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jsonl'))
    .toSorted()
    .map((name) => join(folder, name));
}

export function locksOf(home: string): string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.lock'));
}

export function linesOf(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Polls for a condition. */
export async function until(isSo: () => boolean, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!isSo()) {
    if (Date.now() > end) throw new Error('It did not come about.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Processes whose command line holds a word that only the test knows. */
export function processesWith(word: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
      } catch {
        return false; // It is gone.
      }
    })
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

export function lastTwo(text: string): string[] {
  const events = eventsIn(text);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  return events.slice(-2).map(({ msg }) => msg.type);
}
