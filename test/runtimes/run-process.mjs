import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

const TIME_LIMIT_MS = 90_000;

/** Runs a program to its own end: one that stays is a failure, whatever it reported. Resolves with its output. */
export async function runProcess(command, args, { cwd, env = {} }) {
  // None of npm's environment: a user's shell has none of it.
  const child = spawn(command, args, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    child.kill('SIGKILL');
  }, TIME_LIMIT_MS);
  const ended = new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
  try {
    const [code, stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
    if (isLate) throw new Error(`${command} did not end by itself.\n${stdout}${stderr}`);
    if (code !== 0) throw new Error(`${command} ended with ${code}.\n${stdout}${stderr}`);
    return stdout.trim();
  } finally {
    clearTimeout(timer);
  }
}
