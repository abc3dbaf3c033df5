import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { firstLoad } from '../../../bench/first-load.js';
import { buildPage } from '../../../src/page/build-page.js';
import { readPageFiles } from '../../../src/page/page-files.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

const SCREENSHOTS = fileURLToPath(new URL('../../../screenshots', import.meta.url));
const MAX_TABS = 60;

describeInChromium('the page, as people meet it', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  beforeAll(async () => {
    server = await startChat();
  });
  afterAll(() => server.stop());

  async function open(options: Parameters<typeof newPage>[0] = {}) {
    return newPage.open(server.url, options);
  }

  it.each([
    { name: 'wide-light', width: 1280, height: 800, colorScheme: 'light' },
    { name: 'wide-dark', width: 1280, height: 800, colorScheme: 'dark' },
    { name: 'narrow-light', width: 400, height: 800, colorScheme: 'light' },
    { name: 'narrow-dark', width: 400, height: 800, colorScheme: 'dark' },
  ] as const)('fits: $name', async ({ name, width, height, colorScheme }) => {
    const { chat, page, problems } = await open({ viewport: { width, height }, colorScheme });
    await chat.say('think about it');
    await chat.say('run touch made-by-a-command', 'waiting for you');
    const listed = page.getByRole('navigation', { name: 'Chats', includeHidden: true }).locator('li').first();
    await expect.poll(() => listed.textContent()).toContain('waiting for you');
    await expectToFit(page);
    await picture(page, `${name}-approval`);
    await chat.approve();
    await chat.becomes('ready');
    await chat.say('ask a sub-agent to write from-an-agent.md', 'waiting for you');
    await expectToFit(page);
    await picture(page, `${name}-sub-agent`);
    await chat.approve();
    await chat.becomes('ready');
    await chat.say('make a plan');
    await chat.say('show markdown');
    await expectToFit(page);
    await picture(page, `${name}-markdown`);
    expect(problems).toEqual([]);
  });

  it('shows the chats over the conversation where there is little room, and lets go of them', async () => {
    const { chat, page } = await open({ viewport: { width: 400, height: 800 } });
    await chat.say('hello');
    const chats = page.getByRole('navigation', { name: 'Chats' });
    expect(await chats.isVisible()).toBe(false);
    await chat.button('Show chats').click();
    await chats.waitFor();
    await page.keyboard.press('Escape');
    await chats.waitFor({ state: 'hidden' });
    await chat.button('Show chats').click();
    await chats.getByRole('link').first().click();
    await chats.waitFor({ state: 'hidden' });
    await chat.button('New chat').click();
    expect(new URL(page.url()).pathname).toBe('/');
  });

  it('works by the keyboard alone', async () => {
    const { chat, page } = await open();
    await page.keyboard.type('write by-keyboard.md');
    await page.keyboard.press('Enter');
    await chat.becomes('waiting for you');
    await tabTo(page, 'Approve', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    await tabTo(page, 'writeFile', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await chat.shows(chat.tool('writeFile'), 'by-keyboard.md');
    await tabTo(page, 'Message', 'Tab');
    await page.keyboard.type('tell me a long story');
    await page.keyboard.press('Enter');
    await chat.becomes('working');
    await chat.shows(chat.answers.last(), '1. Once there was a duck');
    await page.keyboard.press('Escape');
    await chat.becomes('ready');
    await tabTo(page, 'Regenerate', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await chat.becomes('working');
    await tabTo(page, 'Stop', 'Tab');
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    await tabTo(page, 'Edit', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('hello');
    await page.keyboard.press('Enter');
    await chat.shows(chat.questions.last(), '2 / 2');
    await chat.becomes('ready');
    await tabTo(page, 'New chat', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/');
    await page.keyboard.type('hello from the keyboard');
    await page.keyboard.press('Enter');
    await chat.shows(chat.questions, 'hello from the keyboard');
  });

  it('has the names that assistive technology is promised', async () => {
    const { chat, page } = await open();
    await chat.say('write names.md', 'waiting for you');
    await page.getByRole('navigation', { name: 'Chats', exact: true }).waitFor();
    await page.getByRole('log', { name: 'Conversation', exact: true }).waitFor();
    await page.getByRole('article', { name: 'You', exact: true }).waitFor();
    await page.getByRole('article', { name: 'Assistant', exact: true }).waitFor();
    await page
      .getByRole('group', { name: 'Tool writeFile', exact: true })
      .getByText('waiting for you', { exact: true })
      .waitFor();
    for (const name of ['Send', 'New chat', 'Approve', 'Always in this chat', 'Reject', 'Regenerate', 'Edit']) {
      expect(await chat.button(name).count(), name).toBe(1);
    }
    expect(await chat.status.count()).toBe(1);
    const unnamed = await page.evaluate(() =>
      [...document.querySelectorAll('button,a,input,select,textarea')]
        .filter((element) => (element.getAttribute('aria-label') ?? element.textContent ?? '').trim() === '')
        .map(({ outerHTML }) => outerHTML),
    );
    expect(unnamed).toEqual([]);
  });

  it('is small: 250 kB go over the wire at most before somebody can type', async () => {
    const files = firstLoad(readPageFiles(await buildPage()));
    const bytes = files.reduce((sum, { gzip }) => sum + gzip.byteLength, 0);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThanOrEqual(250_000);
  });
});

/** Nothing is wider than the window: no one has to scroll sideways. */
async function expectToFit(page: Page): Promise<void> {
  const wide = await page.evaluate(() => ({
    page: document.documentElement.scrollWidth - innerWidth,
    log: Math.max(...[...document.querySelectorAll('[role=log]')].map((log) => log.scrollWidth - log.clientWidth)),
  }));
  expect(wide).toEqual({ page: 0, log: 0 });
}

/** Those of the README are made anew with `SCREENSHOTS=1`; else only what is missing. */
async function picture(page: Page, name: string): Promise<void> {
  const file = join(SCREENSHOTS, `${name}.png`);
  const png = await page.screenshot();
  const isKept = ['wide-light-approval', 'narrow-dark-sub-agent'].includes(name);
  const other = process.env['SCREENSHOTS'];
  if (other !== undefined && other !== '1') return writeFileSync(join(other, `${name}.png`), png);
  if (!isKept || (existsSync(file) && other !== '1')) return;
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(file, png);
}

/** As somebody without a mouse goes there. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab'): Promise<void> {
  for (let press = 0; press < MAX_TABS; press += 1) {
    await page.keyboard.press(key);
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (at === name || (name !== 'Message' && at.trim().startsWith(name))) return;
  }
  throw new Error(`${name} is not reached by ${key}.`);
}
