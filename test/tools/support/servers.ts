import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const packages = fileURLToPath(new URL('../../../node_modules/@modelcontextprotocol', import.meta.url));

export const everythingPath = `${packages}/server-everything/dist/index.js`;
export const filesystemPath = `${packages}/server-filesystem/dist/index.js`;

/** `get-env` shows the model the server's whole environment: give it as little as possible. */
const environment = { PATH: process.env['PATH'] ?? '' };

export interface RunningServer {
  readonly port: number;
  readonly url: string;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** The official demo server over HTTP, as a process of its own. */
export async function startEverything(mode: 'streamableHttp' | 'sse', port?: number): Promise<RunningServer> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, [everythingPath, mode], {
    env: { ...environment, PORT: String(chosen) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const url = `http://127.0.0.1:${chosen}/${mode === 'sse' ? 'sse' : 'mcp'}`;
  await untilListening(chosen, child);
  return { port: chosen, url, kill: (signal = 'SIGKILL') => kill(child, signal) };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Waits until something holds; for outcomes of other processes, which tell nobody. */
export async function until(condition: () => boolean | Promise<boolean>, milliseconds = 10_000): Promise<void> {
  const end = Date.now() + milliseconds;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`not within ${milliseconds} ms: ${condition.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function untilListening(port: number, child: ChildProcess): Promise<void> {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`server ended: ${stderr}`);
    try {
      await fetch(`http://127.0.0.1:${port}/`).then((response) => response.body?.cancel());
      return true;
    } catch {
      return false;
    }
  });
}

async function kill(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}
