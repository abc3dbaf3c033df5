import { existsSync } from 'node:fs';
import { chromium as playwright } from 'playwright-core';
import { runBundles } from './bundle.mjs';
import { serve } from './loopback.mjs';

const program = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

const FLAGS = [
  '--no-sandbox',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A page may ask anybody, but run nothing except its own script: no `eval`. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src *";

export const chromium = {
  missing: () =>
    existsSync(program)
      ? undefined
      : `${program} is not there; set CHROMIUM_PATH, or add --install-chromium (Debian, as root)`,
  async open() {
    const browser = await playwright.launch({ executablePath: program, headless: true, args: FLAGS });
    return {
      version: `Chromium ${browser.version()}`,
      run: (consumer, job) => runBundles(consumer, 'page', (script) => inPage(browser, script, job)),
      close: () => browser.close(),
    };
  },
};

async function inPage(browser, script, job) {
  const site = await serve(async (request, response) => {
    const isScript = request.url === '/script.js';
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    response.setHeader('content-security-policy', POLICY);
    response.end(isScript ? script : '<!doctype html><script src="/script.js"></script>');
  });
  const page = await browser.newPage();
  try {
    await page.goto(`${site.origin}/`);
    return await page.evaluate((options) => globalThis.runJob(options), job);
  } finally {
    await page.close();
    await site.close();
  }
}
