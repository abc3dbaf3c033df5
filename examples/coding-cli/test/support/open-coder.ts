import { mkdtempSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createScriptedServer,
  type ResponseDescription,
  type ScriptedRequest,
  type ScriptedServer,
} from 'responses-loop/testing';
import { TestTerminal } from './terminal.js';

const BIN = fileURLToPath(new URL('../../bin/coder.mjs', import.meta.url));

export const SIZES = [
  { columns: 80, rows: 24 },
  { columns: 40, rows: 12 },
] as const;

export interface Folders {
  readonly workspace: string;
  /** Config and data. */
  readonly home: string;
}

export function newFolders(): Folders {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'coder-')));
  return { workspace: mkdtempSync(join(root, 'work-')), home: join(root, 'home') };
}

export interface OpenOptions {
  readonly folders?: Folders;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly server?: ScriptedServer;
  /** What is seen once it can be talked to. Default: the empty input. */
  readonly ready?: string;
  /** What is typed as soon as the terminal is there, before the program reads keys. */
  readonly typed?: string;
  readonly columns?: number;
  readonly rows?: number;
}

export interface OpenCoder extends Disposable {
  readonly terminal: TestTerminal;
  readonly folders: Folders;
  /** Writes a line, and sends it once it is seen. */
  say(text: string): Promise<void>;
  /** Waits for a question, and allows what it is about, once. */
  yes(): Promise<void>;
  /** Waits until it is the user's turn. */
  idle(): Promise<void>;
}

/** The program itself in a pseudo terminal, ready to be talked to. */
export async function openCoder({
  folders = newFolders(),
  args = [],
  env = {},
  server,
  ready = 'Ask anything',
  typed = '',
  ...size
}: OpenOptions = {}): Promise<OpenCoder> {
  const { PATH, LANG = 'C.UTF-8' } = process.env;
  const model =
    server === undefined ? ['--offline'] : ['--base-url', server.baseURL, '--api-key', 'test', '--model', 'any'];
  const terminal = new TestTerminal({
    command: process.execPath,
    args: [BIN, ...args, ...model],
    cwd: folders.workspace,
    env: { PATH, LANG, HOME: folders.home, CODER_HOME: folders.home, ...env },
    ...size,
  });
  terminal.write(typed);
  const idle = (): Promise<void> => terminal.shows((screen) => screen.includes('Ask anything'));
  await terminal.shows((screen) => screen.includes(ready));
  const say = async (text: string): Promise<void> => {
    terminal.write(text);
    await terminal.shows((screen) => screen.replaceAll(/\n */g, '').includes(`› ${text.replaceAll('\n', '')}`));
    terminal.write('\r');
  };
  const yes = async (): Promise<void> => {
    await terminal.shows((screen) => screen.includes('Esc cancel'));
    terminal.write('y');
    await terminal.shows((screen) => !screen.includes('Esc cancel'));
  };
  return { terminal, folders, say, yes, idle, [Symbol.dispose]: () => terminal[Symbol.dispose]() };
}

/** A model that answers each request by a function of how often it was asked. */
export function scripted(
  answer: (index: number, request: ScriptedRequest) => ResponseDescription,
): Promise<ScriptedServer> {
  return createScriptedServer({
    otherwise: (request) => {
      const { output = [], ...description } = answer(request.index, request);
      return { ...description, output, id: `resp_${request.index}` };
    },
  });
}

export const text = (said: string): ResponseDescription => ({
  output: [{ type: 'text', text: said.match(/\S+\s*|\s+/g) ?? [] }],
});

export const bash = (command: string): ResponseDescription => ({
  output: [{ type: 'call', name: 'bash', arguments: { command } }],
});

/** Asked to: a command; with its output: an answer that says so. */
export function commandModel(command: string): Promise<ScriptedServer> {
  return scripted((_, { input }) => {
    const last = input.at(-1);
    return last?.['type'] === 'function_call_output'
      ? text(`Answer: ${JSON.stringify(last['output'])}`)
      : bash(command);
  });
}

export function rolloutsIn(home: string): string[] {
  const found = readdirSync(join(home, 'sessions'), { recursive: true, encoding: 'utf8' });
  return found.filter((name) => name.endsWith('.jsonl')).map((name) => join(home, 'sessions', name));
}

/** Every line of a rollout; throws if one is broken. */
export function linesOf(path: string): Record<string, unknown>[] {
  const whole = readFileSync(path, 'utf8');
  if (!whole.endsWith('\n')) throw new Error(`${path}: the last line is torn`);
  return whole
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

export function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' });
}
