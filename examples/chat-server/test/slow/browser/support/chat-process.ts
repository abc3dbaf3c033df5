import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { homeOf, BIN } from '../../../support/start-chat.js';

const ADDRESS = /Chat: (?<url>http:\/\/\S+)/;

export interface ChatOptions {
  readonly args?: readonly string[];
  readonly workspace?: string;
  readonly port?: number;
  /** Another program than that of a person. */
  readonly program?: string;
  /** Without one the demo model answers. */
  readonly baseURL?: string;
}

/** The server as a person would start it. */
export interface ChatProcess {
  /** With the token. */
  readonly url: string;
  readonly origin: string;
  readonly token: string;
  readonly workspace: string;
  readonly child: ChildProcess;
  /** What it wrote to stderr. */
  readonly log: () => string;
  readonly stop: (signal?: NodeJS.Signals) => Promise<void>;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
}

export async function startChat(options: ChatOptions = {}): Promise<ChatProcess> {
  const { args = [], port = 0, program = BIN, baseURL } = options;
  const workspace = options.workspace ?? mkdtempSync(join(tmpdir(), 'chat-page-'));
  const model = baseURL === undefined ? ['--offline'] : ['--base-url', baseURL, '--model', 'test', '--api-key', 'test'];
  const all = [program, '-w', workspace, '--port', String(port), '--no-open', ...model, ...args];
  const child = spawn(process.execPath, all, {
    cwd: workspace,
    env: { PATH: process.env['PATH'], HOME: homeOf(workspace) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [printed, log] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill(signal);
      await once(child, 'close');
    }
    if (options.workspace === undefined) rmSync(workspace, { recursive: true, force: true });
  };
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      const address = ADDRESS.exec(printed)?.groups?.['url'];
      if (address !== undefined) resolve(address);
    });
    child.once('close', () => reject(new Error(`chat-server ended without an address:\n${printed}\n${log}`)));
  });
  const { origin, hash } = new URL(url);
  const token = new URLSearchParams(hash.slice(1)).get('token') ?? '';
  return { url, origin, token, workspace, child, log: () => log, stop, [Symbol.asyncDispose]: () => stop('SIGKILL') };
}
