import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { sidebarOf } from '../sidebar.mjs';
import { slugOf } from '../slug.mjs';

const inDist = (name) => fileURLToPath(new URL(`../dist/${name}`, import.meta.url));
/** A copy of docs/: from there this folder's packages would not be found. */
const pages = inDist('pages');

export default defineConfig({
  title: 'responses-loop',
  description: 'OpenAI Responses API provider for the Vercel AI SDK with the tool loop inside the model.',
  srcDir: pages,
  outDir: inDist('site'),
  cacheDir: inDist('cache'),
  // Where the site will stand, if not at the root of its host.
  base: process.env['DOCS_BASE'] ?? '/',
  rewrites: { 'README.md': 'all-pages.md' },
  cleanUrls: false,
  // A dead link ends the build.
  ignoreDeadLinks: false,
  // Their contrast is enough for small text, too.
  markdown: {
    anchor: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    sidebar: sidebarOf(`${pages}/README.md`),
    outline: [2, 3],
    search: { provider: 'local' },
  },
});
