import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';

const EVERY_MS = 1_000;

/** Calls `onTooMuch` once a browser with all its processes takes more memory; only Linux tells it. Gives what ends the watch. */
export async function watchMemory(browser: Browser, maxBytes: number, onTooMuch: () => void): Promise<() => void> {
  const session = await browser.newBrowserCDPSession();
  const look = async (): Promise<void> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const sizes = await Promise.all(processInfo.map(({ id }) => residentBytes(id)));
    if (sizes.reduce((sum, size) => sum + size, 0) > maxBytes) onTooMuch();
  };
  const timer = setInterval(() => void look().catch(() => {}), EVERY_MS).unref();
  return () => clearInterval(timer);
}

async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^RssAnon:\s+(?<kB>\d+) kB$/m.exec(status)?.groups?.['kB'] ?? 0) * 1024;
}
