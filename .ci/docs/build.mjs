// Makes a static site of docs/ in .ci/docs/dist/site: npm run docs
// Installs VitePress into .ci/docs/node_modules at the first run, and when its lock file changed.
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from '../../test/runtimes/install.mjs';

const home = fileURLToPath(new URL('.', import.meta.url));
await installOnce(home);
const pages = join(home, 'dist/pages');
rmSync(pages, { recursive: true, force: true });
cpSync(fileURLToPath(new URL('../../docs', import.meta.url)), pages, { recursive: true });
const { status } = spawnSync('npx', ['--no-install', 'vitepress', 'build'], {
  cwd: home,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
process.exit(status ?? 1);
