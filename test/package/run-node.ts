import { spawn } from 'node:child_process';

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of the consumer with this Node and waits for its end; a server in the test goes on answering meanwhile. */
export function runNode(
  args: readonly string[],
  options: {
    cwd: string;
    env?: Readonly<Record<string, string>>;
    answer?: { readonly to: string; readonly with: string };
  },
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      cwd: options.cwd,
      // Nothing of vitest's or npm's environment: a user's shell has none of it.
      env: { PATH: process.env['PATH'], ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      timeout: 60_000,
    });
    if (options.answer === undefined) child.stdin.end();
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      // Typed when it is asked for, as a person would.
      if (options.answer !== undefined && stdout.includes(options.answer.to)) child.stdin.end(options.answer.with);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
