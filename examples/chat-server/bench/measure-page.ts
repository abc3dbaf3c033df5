import { buildPage } from '../src/page/build-page.js';
import { readPageFiles } from '../src/page/page-files.js';
import { launchChromium, missingChromium } from '../test/support/chromium.js';

/** All files of the page, as they go over the wire. */
export async function measurePageSize(): Promise<{ readonly gzipBytes: number; readonly files: number }> {
  const files = [...readPageFiles(await buildPage()).values()];
  return { gzipBytes: files.reduce((sum, { gzip }) => sum + gzip.byteLength, 0), files: files.length };
}

export interface InteractiveTimes {
  /** From the beginning of the navigation until the message box takes text, with an empty cache. */
  readonly medianMs: number;
  readonly allMs: readonly number[];
}

/** `url` is the one that the server prints, with its token. Without a Chromium: why there is none. */
export async function measureTimeToInteractive(
  url: string,
  { loads = 5 } = {},
): Promise<InteractiveTimes | { readonly skipped: string }> {
  const skipped = missingChromium();
  if (skipped !== undefined) return { skipped };
  const browser = await launchChromium();
  try {
    const all: number[] = [];
    for (let load = 0; load < loads; load += 1) all.push(await timeOfLoad(browser, url));
    const inOrder = all.toSorted((a, b) => a - b);
    return { medianMs: inOrder[Math.floor(inOrder.length / 2)] ?? Number.NaN, allMs: all };
  } finally {
    await browser.close();
  }
}

async function timeOfLoad(browser: Awaited<ReturnType<typeof launchChromium>>, url: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    await page.goto(url);
    const box = page.getByRole('textbox', { name: 'Message', exact: true });
    await box.pressSequentially('x');
    await page.waitForFunction(() => document.querySelector('textarea')?.value === 'x');
    return await page.evaluate(() => performance.now());
  } finally {
    await context.close();
  }
}
