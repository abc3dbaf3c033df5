import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { say, startModel } from './support/model.js';

describeInChromium('finding a chat', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(({ question }) => [say(`I heard: ${question.replaceAll(/[^\w ]/g, '')}`)]);
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  /** With two chats, the second of which is open. */
  async function open(one: string, other: string, options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage.open(server.url, options);
    const { chat } = watched;
    await chat.say(one);
    await watched.page.keyboard.press('Control+Shift+O');
    await expect.poll(() => new URL(watched.page.url()).pathname).toBe('/');
    await chat.say(other);
    return { ...watched, chat, list: watched.page.getByRole('navigation', { name: 'Chats', exact: true }) };
  }

  const search = (page: Page) => page.getByRole('combobox', { name: 'Search chats' });
  const found = (page: Page) => page.getByRole('listbox', { name: 'Chats found' }).getByRole('option');

  it('works by the keyboard alone: Ctrl-K, words, arrows, Enter', async () => {
    const { chat, page, problems } = await open('Alfred is a duck', 'Berta is a goose');
    await page.keyboard.press('Control+k');
    await search(page).waitFor();
    await expect.poll(() => found(page).count()).toBeGreaterThanOrEqual(2);
    await page.keyboard.type('heard');
    await expect.poll(() => page.locator('mark').count(), { timeout: PATIENCE_MS }).toBeGreaterThanOrEqual(2);
    await page.getByText('2 chats found').waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await found(page).nth(1).getAttribute('aria-selected')).toBe('true');
    await search(page).fill('heard alfred');
    await expect.poll(() => found(page).allTextContents(), { timeout: PATIENCE_MS }).toHaveLength(1);
    await page.keyboard.press('Enter');
    await chat.shows(chat.questions, 'Alfred is a duck');
    expect(await search(page).count()).toBe(0);
    await page.keyboard.press('Control+k');
    await search(page).fill('no such word');
    await page.getByText('No chats found').waitFor();
    await page.keyboard.press('Escape');
    await search(page).waitFor({ state: 'hidden' });
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)('has no fault that axe knows, and fits: $name', async ({ viewport, colorScheme }) => {
    const { chat, page, list } = await open('Look at the pond', 'Look at the lake', { viewport, colorScheme });
    if (viewport.width < 700) await chat.button('Show chats').click();
    await list.getByRole('group', { name: 'Today' }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const row = await list.getByRole('listitem').first().boundingBox();
    expect(row?.height).toBeLessThanOrEqual(36);
    await page.keyboard.press('Control+k');
    await search(page).fill('look pond');
    await page.locator('mark').first().waitFor();
    await page.getByText(/^\d+ chats? found$/).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });

  it('pins, archives and brings back, from a menu that the keyboard reaches', async () => {
    const { chat, page, list } = await open('Pin this chat', 'Archive that chat');
    await chat.button('Actions for chat Pin this chat').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await list.getByRole('group', { name: 'Pinned' }).getByRole('link', { name: 'Pin this chat' }).waitFor();
    await chat.button('Actions for chat Archive that chat').focus();
    await page.keyboard.press('Enter');
    const first = page.locator('[role=menuitem]:focus');
    await first.and(page.getByRole('menuitem', { name: 'Pin', exact: true })).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await list.getByRole('link', { name: 'Archive that chat' }).waitFor({ state: 'hidden' });
    await chat.button('Archived chats').click();
    await list.getByRole('link', { name: 'Archive that chat' }).waitFor();
    await chat.menu('Archive that chat', 'Unarchive');
    await list.getByText('No archived chats.').waitFor();
    await chat.button('Back to all chats').click();
    await list.getByRole('link', { name: 'Archive that chat' }).waitFor();
    await chat.menu('Pin this chat', 'Unpin');
    await list.getByRole('group', { name: 'Pinned' }).waitFor({ state: 'hidden' });
  });

  it('saves a chat as Markdown and as JSON', async () => {
    const { chat, page, problems } = await open('Nothing', 'Save this chat');
    for (const [action, name, words] of [
      ['Export as Markdown', 'Save this chat.md', '## You\n\nSave this chat'],
      ['Export as JSON', 'Save this chat.json', '"title": "Save this chat"'],
    ] as const) {
      const download = page.waitForEvent('download');
      await chat.menu('Save this chat', action);
      const file = await download;
      expect(file.suggestedFilename()).toBe(name);
      expect(readFileSync(await file.path(), 'utf8')).toContain(words);
    }
    expect(problems).toEqual([]);
  });

  it('shows all shortcuts by ? and by Ctrl-/, and leaves a question mark in a message alone', async () => {
    const { chat, page } = await open('One', 'Two');
    await page.keyboard.type('what?');
    expect(await chat.message.inputValue()).toBe('what?');
    await page.keyboard.press('Control+/');
    const help = page.getByRole('dialog');
    await help.getByText('Ctrl + Shift + O').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'hidden' });
    await chat.button('New chat').focus();
    await page.keyboard.press('?');
    await help.waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Shift+Escape');
    expect(await chat.message.evaluate((box) => box === document.activeElement)).toBe(true);
  });
});
