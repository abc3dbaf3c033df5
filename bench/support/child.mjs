import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** What a program in `children` prints: one JSON value, from a process that has done nothing else. */
export async function child(name, ...args) {
  const path = fileURLToPath(new URL(`../children/${name}.mjs`, import.meta.url));
  const { stdout } = await run(process.execPath, ['--expose-gc', path, ...args]);
  return JSON.parse(stdout);
}
