import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { buildPage } from '../src/page/build-page.js';
import { readPageFiles } from '../src/page/page-files.js';
import { firstLoad } from './first-load.js';
import { TOKEN } from './programs.js';
import type { Row } from './row.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const LOADS = 5;

/** What the page weighs on its way, and how long it takes until somebody can type. */
export async function measurePage(url: string): Promise<Row[]> {
  const files = firstLoad(readPageFiles(await buildPage()));
  const kB = files.reduce((sum, { gzip }) => sum + gzip.length, 0) / 1000;
  const what = 'the first load of the page, gzip';
  const size: Row = { what, measured: `${kB.toFixed(0)} kB`, limit: '250 kB', isHeld: kB <= 250 };
  return [size, await timeToType(url)];
}

async function timeToType(url: string): Promise<Row> {
  const what = 'until somebody can type, in Chromium';
  const limit = '2000 ms';
  if (!existsSync(CHROMIUM)) return { what, limit, measured: `SKIPPED: no ${CHROMIUM}`, isHeld: true };
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const times: number[] = [];
    for (let load = 0; load < LOADS; load += 1) {
      // Without a cache, as for the first time.
      const context = await browser.newContext();
      const page = await context.newPage();
      const start = performance.now();
      await page.goto(`${url}/#token=${TOKEN}`, { waitUntil: 'commit' });
      await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
      times.push(performance.now() - start);
      await context.close();
    }
    const ms = times.toSorted((one, other) => one - other)[Math.floor(LOADS / 2)] ?? 0;
    return { what, limit, measured: `${ms.toFixed(0)} ms`, isHeld: ms <= 2000 };
  } finally {
    await browser.close();
  }
}
