import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { ChatClient } from './chat-client.js';

export const BIN = fileURLToPath(new URL('../../bin/chat-server.mjs', import.meta.url));
export const TOKEN = 'a-token-for-tests-0123';

export interface StartOptions {
  /** Of the model; without it the demo model answers. */
  readonly baseURL?: string;
  readonly workspace?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Run by a shell before the program, such as `ulimit -f 8`. */
  readonly before?: string;
}

export interface Finished {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Spawned {
  readonly child: ChildProcess;
  readonly said: { stdout: string; stderr: string };
  readonly ended: Promise<Finished>;
}

const running = new Set<ChildProcess>();
const folders: string[] = [];

afterAll(async () => {
  const left = [...running];
  for (const child of left) child.kill('SIGKILL');
  await Promise.all(
    left.map((child) => new Promise((resolve) => (running.has(child) ? child.once('close', resolve) : resolve(0)))),
  );
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is thrown away after the tests of the file. */
export function newFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'chat-')));
  folders.push(folder);
  return folder;
}

/** The home folder of who works in this folder, beside it; it is thrown away, too. */
export function homeOf(folder: string): string {
  const home = `${folder}.home`;
  folders.push(home);
  mkdirSync(home, { recursive: true });
  return home;
}

/** Where a server keeps what belongs to this workspace. */
export function dataOf(workspace: string, ...path: readonly string[]): string {
  const key = createHash('sha256').update(realpathSync(workspace)).digest('hex').slice(0, 32);
  return join(`${workspace}.home`, '.local/state/chat-server', key, ...path);
}

/** The program as a person starts it. */
export function spawnChat({
  baseURL,
  workspace = newFolder(),
  args = [],
  env = {},
  before,
}: StartOptions = {}): Spawned {
  const model =
    baseURL === undefined
      ? ['--offline']
      : ['--base-url', baseURL, '--api-key', 'sk-test-key-of-the-model', '--model', 'scripted'];
  const all = [BIN, '-w', workspace, '--port', '0', '--no-open', ...model, ...args];
  const [command, given] =
    before === undefined
      ? [process.execPath, all]
      : ['bash', ['-c', `${before}; exec "$0" "$@"`, process.execPath, ...all]];
  return spawnIn(command, given, workspace, env);
}

/** Any program, in an environment without anything of ours. */
export function spawnIn(
  command: string,
  args: readonly string[],
  folder: string,
  env: StartOptions['env'] = {},
): Spawned {
  const clean = { PATH: process.env['PATH'], HOME: homeOf(folder), CHAT_TOKEN: TOKEN, ...env };
  const child = spawn(command, args, { cwd: folder, env: clean, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const said = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
  const ended = new Promise<Finished>((resolve) => {
    child.once('close', (code, signal) => {
      running.delete(child);
      resolve({ code, signal, ...said });
    });
  });
  return { child, said, ended };
}

export class ChatProcess extends ChatClient {
  readonly #spawned: Spawned;
  readonly workspace: string;

  constructor(port: number, workspace: string, spawned: Spawned) {
    super(port, TOKEN);
    this.workspace = workspace;
    this.#spawned = spawned;
  }

  get stderr(): string {
    return this.#spawned.said.stderr;
  }

  get pid(): number {
    return this.#spawned.child.pid ?? 0;
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<Finished> {
    this.#spawned.child.kill(signal);
    return this.#spawned.ended;
  }
}

/** Resolves once it listens. */
export async function startChat(options: StartOptions = {}): Promise<ChatProcess> {
  const workspace = options.workspace ?? newFolder();
  const spawned = spawnChat({ ...options, workspace });
  const { said, child, ended } = spawned;
  const port = await new Promise<number>((resolve, reject) => {
    const look = (): void => {
      const [, found] = /^Chat: http:\/\/[^/]+:(\d+)\//.exec(said.stdout) ?? [];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout?.on('data', look);
    void ended.then(({ code, stderr }) => reject(new Error(`The server ended with ${code}: ${stderr}`)));
  });
  return new ChatProcess(port, workspace, spawned);
}
