// Opens every page of the site in Chromium at two widths: npm run docs && npm run docs:look [folder for screenshots]
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const SITE = fileURLToPath(new URL('dist/site', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
const WIDTHS = [400, 1280];
const SETTING = 'maxToolOutputChars';
// A development dependency of the application that uses it too.
const AXE = createRequire(new URL('../../examples/chat-server/package.json', import.meta.url)).resolve(
  'axe-core/axe.min.js',
);
const folder = process.argv[2];
const program = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

if (!existsSync(SITE)) fail('There is no site yet: npm run docs');
if (!existsSync(program)) {
  console.log(`SKIPPED: there is no Chromium at ${program}; CHROMIUM_PATH says where another one is.`);
  process.exit();
}

const server = createServer((request, response) => {
  const path = join(SITE, new URL(request.url ?? '/', 'http://site').pathname.replace(/\/$/, '/index.html'));
  const isThere = path.startsWith(SITE) && existsSync(path);
  response.writeHead(isThere ? 200 : 404, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' });
  response.end(isThere ? readFileSync(path) : '');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const root = `http://127.0.0.1:${server.address().port}`;
const browser = await chromium.launch({ executablePath: program, args: ['--no-sandbox'] });
const problems = [];
try {
  for (const width of WIDTHS) await lookAtPages(width);
  for (const colorScheme of ['light', 'dark']) await checkAccess(colorScheme);
  await lookForSetting();
} finally {
  await browser.close();
  server.close();
}
if (problems.length > 0) fail(problems.join('\n'));
console.log('Every page fits both widths, and the search finds what it should.');

function pageNames() {
  return readdirSync(SITE).filter((name) => name.endsWith('.html') && name !== '404.html');
}

async function lookAtPages(width) {
  const page = await browser.newPage({ viewport: { width, height: 900 } });
  page.on('pageerror', (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${page.url()} asks for ${response.url()}: ${response.status()}`);
  });
  const names = pageNames();
  for (const name of names) {
    await page.goto(`${root}/${name}`, { waitUntil: 'networkidle' });
    const seen = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      headings: document.querySelectorAll('h1').length,
      broken: [...document.images].filter((image) => image.naturalWidth === 0).map((image) => image.src),
    }));
    if (seen.wide > width) problems.push(`${name} at ${width}: ${seen.wide} pixels wide`);
    if (seen.headings !== 1) problems.push(`${name} has ${seen.headings} headings of the first level`);
    problems.push(...seen.broken.map((src) => `${name}: ${src} is not shown`));
    if (folder !== undefined) await page.screenshot({ path: join(folder, `${name}-${width}.png`) });
  }
  console.log(`${names.length} pages at ${width} pixels`);
  await page.close();
}

/**
 * What axe-core finds on each page: contrast, names, headings. The dark theme differs in contrast alone. The search button is
 * the theme's: it is named "Search" and shows its key, too.
 */
async function checkAccess(colorScheme) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme, reducedMotion: 'reduce' });
  for (const name of pageNames()) {
    // The theme's first page has no main landmark.
    const onlyContrast = colorScheme === 'dark' || name === 'index.html';
    await page.goto(`${root}/${name}`, { waitUntil: 'load' });
    await page.addScriptTag({ path: AXE });
    const found = await page.evaluate(
      async (chosen) => {
        const { violations } = await globalThis.axe.run({ exclude: ['.DocSearch-Button'] }, chosen);
        return violations.map(({ id, nodes }) => `${id}: ${nodes.length} × ${nodes[0].html.slice(0, 120)}`);
      },
      onlyContrast ? { runOnly: ['color-contrast'] } : {},
    );
    problems.push(...found.map((line) => `${name}, ${colorScheme}: ${line}`));
  }
  console.log(`axe-core has looked at all pages, ${colorScheme}`);
  await page.close();
}

async function lookForSetting() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(root, { waitUntil: 'networkidle' });
  await page.locator('.VPNavBarSearch button').click();
  await page.locator('#localsearch-input').fill(SETTING);
  const first = page.locator('#localsearch-list a').first();
  await first.waitFor();
  const links = await page.locator('#localsearch-list a').evaluateAll((all) => all.map((link) => link.href));
  if (!links.some((link) => link.includes('/limits.html')))
    problems.push(`The search for ${SETTING} leads to ${links.join(', ')}`);
  if (folder !== undefined) await page.screenshot({ path: join(folder, 'search.png') });
  await page.close();
}

function fail(words) {
  console.error(words);
  process.exit(1);
}
