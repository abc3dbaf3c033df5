import { existsSync } from 'node:fs';
import { chromium, type Page } from 'playwright-core';
import { buildPage } from '../src/page/build-page.js';
import { readPageFiles } from '../src/page/page-files.js';
import { firstLoad } from './first-load.js';
import { TOKEN } from './programs.js';
import type { Row } from './row.js';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const LOADS = 5;

/** Opened from the list by a person. */
export const OPENED_CHAT = { id: 'opened', title: 'A chat of 300 messages', count: 300 };

/** What the page weighs on its way, and how long it takes until somebody can type. */
export async function measurePage(url: string): Promise<Row[]> {
  const files = firstLoad(readPageFiles(await buildPage()));
  const kB = files.reduce((sum, { gzip }) => sum + gzip.length, 0) / 1000;
  const what = 'the first load of the page, gzip';
  const size: Row = { what, measured: `${kB.toFixed(0)} kB`, limit: '250 kB', isHeld: kB <= 250 };
  return [size, ...(await inChromium(url))];
}

async function inChromium(url: string): Promise<Row[]> {
  const rows = [
    { what: 'until somebody can type, in Chromium', most: 2000, measure: timeToType },
    { what: 'until a chat of 300 messages is read and typed into', most: 500, measure: timeToOpen },
  ];
  if (!existsSync(CHROMIUM)) {
    const measured = `SKIPPED: no ${CHROMIUM}`;
    return rows.map(({ what, most }) => ({ what, limit: `${most} ms`, measured, isHeld: true }));
  }
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const held: Row[] = [];
    for (const { what, most, measure } of rows) {
      const times: number[] = [];
      for (let load = 0; load < LOADS; load += 1) {
        // Without a cache, as for the first time.
        const context = await browser.newContext();
        times.push(await measure(await context.newPage(), `${url}/#token=${TOKEN}`));
        await context.close();
      }
      const ms = times.toSorted((one, other) => one - other)[Math.floor(LOADS / 2)] ?? 0;
      held.push({ what, measured: `${ms.toFixed(0)} ms`, limit: `${most} ms`, isHeld: ms <= most });
    }
    return held;
  } finally {
    await browser.close();
  }
}

async function timeToType(page: Page, address: string): Promise<number> {
  const start = performance.now();
  await page.goto(address, { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  return performance.now() - start;
}

async function timeToOpen(page: Page, address: string): Promise<number> {
  await page.goto(address);
  const { title, count } = OPENED_CHAT;
  const chat = page.getByRole('link', { name: title });
  await chat.waitFor();
  const start = performance.now();
  await chat.click();
  await page.getByText(`Message ${count - 1}:`).waitFor();
  await page.getByRole('textbox', { name: 'Message' }).fill('Hello');
  return performance.now() - start;
}
