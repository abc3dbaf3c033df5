import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A server that runs in a process of its own, so that none pays for the work of another. */
export interface Program {
  readonly url: string;
  /** Microseconds of CPU so far, all threads. */
  cpu(): Promise<number>;
  stop(): Promise<void>;
}

const CPU_USAGE = new URL('cpu-usage.mjs', import.meta.url).href;

export const TOKEN = 'a-token-for-the-bench';

export function startChatServer(workspace: string, data: string, baseURL: string): Promise<Program> {
  const bin = fileURLToPath(new URL('../bin/chat-server.mjs', import.meta.url));
  const model = ['--base-url', baseURL, '--api-key', 'bench', '--model', 'bench'];
  return start([bin, '-w', workspace, '--data', data, '--port', '0', '--no-open', ...model], { CHAT_TOKEN: TOKEN });
}

export function startBareRoute(baseURL: string): Promise<Program> {
  const loader = fileURLToPath(new URL('../../use-package.mjs', import.meta.url));
  return start(['--import', loader, fileURLToPath(new URL('bare-route.ts', import.meta.url)), baseURL], {});
}

function start(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Program> {
  const child = spawn(process.execPath, ['--import', CPU_USAGE, ...args], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  let said = '';
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`A server ended with ${code}: ${said}`)));
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, port] = /(\d{4,5})(?:\/|\n|$)/.exec(said) ?? [];
      if (port !== undefined && said.includes('\n')) {
        resolve({ url: `http://127.0.0.1:${port}`, cpu: () => cpuOf(child), stop: () => stop(child) });
      }
    });
  });
}

function cpuOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('message', (microseconds: number) => resolve(microseconds));
    child.send('cpu');
  });
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.removeAllListeners('exit').once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
