import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

const NARROW = { width: 400, height: 800 };

describeInChromium('somebody new finds their way:', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  beforeAll(async () => {
    server = await startChat();
  });
  afterAll(() => server.stop());

  const open = (viewport = { width: 1280, height: 800 }) => newPage.open(server.url, { viewport });
  const topOf = async (locator: Locator): Promise<number> => (await locator.boundingBox())?.y ?? Number.NaN;

  it('the menu of a chat is as wide as its words', async () => {
    const { chat, page } = await open();
    await chat.say('hello');
    await chat.button('Actions for chat hello').first().click();
    const menu = page.getByRole('menu');
    await menu.waitFor();
    expect((await menu.boundingBox())?.width).toBeLessThan(260);
    expect(await axeProblems(page)).toEqual([]);
  });

  it.each([{ width: 1280, height: 500 }, NARROW])('the list of shortcuts opens at its beginning: %o', async (size) => {
    const { chat, page } = await open(size);
    await chat.button('Help').click();
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts and commands' });
    await dialog.waitFor();
    expect(await dialog.evaluate((element) => element.scrollTop)).toBe(0);
    expect(await topOf(dialog.getByRole('heading', { level: 2 }))).toBeGreaterThanOrEqual(await topOf(dialog));
    expect(await axeProblems(page)).toEqual([]);
  });

  it('“Latest” covers no button of a question', async () => {
    const { chat, page } = await open(NARROW);
    await chat.say('show markdown');
    await chat.say('run touch covered', 'waiting for you');
    await chat.log.locator('..').hover();
    await page.mouse.wheel(0, -150);
    const latest = chat.button('Latest');
    await latest.waitFor();
    const { y = 0 } = (await latest.boundingBox()) ?? {};
    const { y: start = 0, height = 0 } = (await chat.log.locator('..').boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(start + height);
    await latest.click();
    await expect.poll(() => latest.count()).toBe(0);
    await chat.button('Reject').click();
    await chat.becomes('ready');
  });

  it.each([{ width: 1280, height: 800 }, NARROW])(
    'the folder is named above a chat with messages: %o',
    async (size) => {
      const { chat, page } = await open(size);
      await chat.say('hello');
      await chat.shows(page.getByRole('banner').or(page.locator('.chat-head')), server.workspace);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    },
  );

  it('“Loading…” is shown for what takes long, and does not flash before', async () => {
    const { chat, page } = await open();
    await chat.say('hello');
    await page.route('**/grants', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1500));
      await route.continue().catch(() => {});
    });
    await chat.button('Settings').first().click();
    const wait = page.getByRole('region', { name: 'Always allowed' }).getByText('Loading…');
    const opacity = (): Promise<string> => wait.evaluate((element) => getComputedStyle(element).opacity);
    await wait.waitFor();
    const delay = await wait.evaluate((element) => getComputedStyle(element).animationDelay);
    expect({ delay, name: await wait.evaluate((element) => getComputedStyle(element).animationName) }).toEqual({
      delay: '0.3s',
      name: 'appear',
    });
    await expect.poll(opacity).toBe('1');
  });

  it('a call shows that it opens, and whether it is open', async () => {
    const { chat, page } = await open();
    await chat.say('list the files');
    const head = chat.tool('listDir').locator('summary');
    await head.locator('svg').waitFor();
    expect(await head.getAttribute('aria-expanded')).toBe('false');
    const before = await head.evaluate((element) => getComputedStyle(element).backgroundColor);
    await head.hover();
    expect(await head.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(before);
    await head.focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('true');
    expect(await axeProblems(page)).toEqual([]);
  });

  it('who approves by the keyboard is in the message box then', async () => {
    const { chat, page } = await open();
    await chat.say('write focus.md', 'waiting for you');
    await page.getByText('“Always in this chat” will allow: every call of writeFile').waitFor();
    await page.locator('.asked-end').scrollIntoViewIfNeeded();
    await chat.button('Approve').focus();
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    expect(await chat.message.evaluate((box) => box === document.activeElement)).toBe(true);
    await chat.say('write again.md', 'waiting for you');
    await page.getByRole('textbox', { name: 'Reason for a rejection' }).fill('Not now.');
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    expect(await chat.message.evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('another version of a message stands where the first one stood, and its buttons keep the focus', async () => {
    const { chat, page } = await open();
    await chat.say('hello');
    await chat.say('show markdown');
    await chat.say('show markdown');
    const first = chat.answers.first();
    await first.getByRole('button', { name: 'Regenerate' }).click();
    await expect.poll(() => chat.answers.count()).toBe(1);
    await chat.becomes('ready');
    await chat.shows(first, '2 / 2');
    const top = await topOf(first);
    await first.getByRole('button', { name: 'Previous version' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => chat.answers.count()).toBe(3);
    await chat.shows(first, '1 / 2');
    await page.waitForTimeout(300);
    expect(Math.abs((await topOf(first)) - top)).toBeLessThan(3);
    expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Next version');
    await chat.button('Latest').waitFor();
    await chat.say('hello again');
    await expect.poll(() => chat.button('Latest').count()).toBe(0);
  });
});
