import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Everything that was started and still runs: ended with this process, by its id. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export function start(command, args, { log, ...options }) {
  const file = openSync(log, 'a');
  const child = spawn(command, args, { stdio: ['ignore', file, file], ...options });
  closeSync(file);
  running.add(child);
  child.on('exit', () => running.delete(child));
  return child;
}

export async function kill(child, signal = 'SIGKILL') {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Asks again until it is so. */
export async function until(what, ask, limitMs = 60_000) {
  const deadline = Date.now() + limitMs;
  let last;
  while (Date.now() < deadline) {
    try {
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(50);
  }
  throw new Error(`${what}: not within ${limitMs} ms${last === undefined ? '' : ` (${last.message})`}`);
}
