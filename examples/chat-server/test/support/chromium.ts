import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const PROGRAM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Why there is no Chromium, if so. */
export function missingChromium(): string | undefined {
  return existsSync(PROGRAM) ? undefined : `${PROGRAM} is not there; set CHROMIUM_PATH`;
}

/** A real Chromium, in an empty profile of its own that is thrown away. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: PROGRAM, headless: true, args: FLAGS });
}
