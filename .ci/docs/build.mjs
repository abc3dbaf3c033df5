// Makes a static site of docs/ in .ci/docs/dist/site: npm run docs [-- --serve]
// Installs VitePress into .ci/docs/node_modules at the first run, and when its lock file changed.
import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installOnce } from '../../test/runtimes/install.mjs';
import { apiText } from './api-text.mjs';
import { homeText } from './home.mjs';
import { llmsText } from './llms-text.mjs';

const home = fileURLToPath(new URL('.', import.meta.url));
await installOnce(home);
const pages = join(home, 'dist/pages');
rmSync(pages, { recursive: true, force: true });
cpSync(fileURLToPath(new URL('../../docs', import.meta.url)), pages, { recursive: true });
const { name, description, homepage } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);
writeFileSync(join(pages, 'index.md'), homeText(pages, { name, description }));
// Made from the sources, so no file of docs/. The index ends with the reference.
writeFileSync(join(pages, 'api.md'), apiText());
appendFileSync(join(pages, 'README.md'), '- [API](api.md): what does each entry export?\n');
vitepress('build');
writeFileSync(join(home, 'dist/site/llms.txt'), llmsText(pages, { title: name, description, homepage }));
if (process.argv.includes('--serve')) vitepress('preview');
else console.log('The site is in .ci/docs/dist/site. To look at it: npm run docs -- --serve');

function vitepress(command) {
  const { status } = spawnSync('npx', ['--no-install', 'vitepress', command], {
    cwd: home,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
