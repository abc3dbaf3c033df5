import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** What a command did: programs that it started, and paths that it opened or tried to open. */
export interface Trace {
  readonly programs: readonly string[];
  readonly paths: readonly string[];
  readonly output: string;
}

export const HAS_STRACE = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

const run = promisify(execFile);
const CALLS = 'execve,execveat,open,openat,openat2';

/** Runs a line in bash, as the tools do. The shell itself does not count. */
export async function traceCommand(
  line: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<Trace> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'trace-')));
  const log = join(folder, 'log');
  try {
    const args = ['-f', '-qq', '-s', '4096', '-e', `trace=${CALLS}`, '-o', log];
    const bash = ['/bin/bash', '--norc', '--noprofile', '-c', line];
    const { stdout, stderr } = await run('strace', [...args, ...bash], { cwd, env, timeout: 30_000 }).catch(
      (error: { stdout?: string; stderr?: string }) => ({ stdout: error.stdout ?? '', stderr: error.stderr ?? '' }),
    );
    return { ...readTrace(readFileSync(log, 'utf8'), cwd), output: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readTrace(log: string, cwd: string): Omit<Trace, 'output'> {
  const programs: string[] = [];
  const paths: string[] = [];
  for (const line of log.split('\n')) {
    const [, call = '', path] =
      /^\d+ +(execve|execveat|open|openat|openat2)\((?:AT_FDCWD, )?"((?:[^"\\]|\\.)*)"/.exec(line) ?? [];
    if (path === undefined) continue;
    if (call.startsWith('open')) paths.push(resolve(cwd, path));
    else if (!line.includes('ENOENT')) programs.push(path);
  }
  return { programs: programs.slice(1), paths };
}
