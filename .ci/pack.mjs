// Packs what would be published into node_modules/.cache/package.tgz. Without scripts: the build is already there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';

const folder = mkdtempSync('node_modules/.pack-');
try {
  const args = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'], shell: process.platform === 'win32' });
  mkdirSync('node_modules/.cache', { recursive: true });
  renameSync(`${folder}/${readdirSync(folder)[0]}`, 'node_modules/.cache/package.tgz');
} finally {
  rmSync(folder, { recursive: true, force: true });
}
