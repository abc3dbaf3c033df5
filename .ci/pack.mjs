// Packs what would be published into node_modules/.cache/package.tgz, unless it is there and nothing of it has changed since.
// Without scripts: the build is already there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';

const TARBALL = 'node_modules/.cache/package.tgz';

if (!isFresh()) pack();

function isFresh() {
  const packed = statSync(TARBALL, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const { files } = JSON.parse(readFileSync('package.json', 'utf8'));
  const roots = ['package.json', ...files.filter((path) => !path.startsWith('!'))];
  return roots.flatMap(below).every((path) => statSync(path).mtimeMs < packed);
}

/** A path and, if it is a folder, all in it: a file that is gone shows in the time of its folder. */
function below(path) {
  if (!statSync(path).isDirectory()) return [path];
  return [path, ...readdirSync(path, { encoding: 'utf8', recursive: true }).map((name) => `${path}/${name}`)];
}

function pack() {
  mkdirSync('node_modules/.cache', { recursive: true });
  const folder = mkdtempSync('node_modules/.pack-');
  try {
    const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
    renameSync(`${folder}/${readdirSync(folder)[0]}`, TARBALL);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
