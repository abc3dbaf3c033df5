// Installs what a folder of its own lock file needs, builds the package, and puts it beside that as npm would: on their copies
// of what they share.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `home`: the folder. */
export function prepare(home) {
  const changed = (path) => statSync(join(home, path), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (changed('node_modules/.package-lock.json') < changed('package-lock.json'))
    runIn(home, 'npm', ['ci', '--ignore-scripts', '--loglevel=error']);
  runIn(root, process.execPath, ['.ci/build-if-stale.mjs', '--js-only']);
  const target = join(home, 'node_modules/responses-loop');
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  for (const name of ['package.json', 'dist']) cpSync(join(root, name), join(target, name), { recursive: true });
}

function runIn(cwd, command, args) {
  const stdio = ['ignore', 'ignore', 'inherit'];
  const { status } = spawnSync(command, args, { cwd, stdio, shell: process.platform === 'win32' });
  if (status !== 0) process.exit(status ?? 1);
}
