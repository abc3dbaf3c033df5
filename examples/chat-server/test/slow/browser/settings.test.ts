import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { type Asked, call, say, startModel } from './support/model.js';

describeInChromium('the settings of a chat', () => {
  const newPage = useChromium();
  const asked: Asked[] = [];
  const workspace = newFolder();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel((request) => {
      asked.push(request);
      if (!request.question.includes('write') || request.answered > 0) return [say('Done.')];
      return [call('writeFile', { path: 'a.md', content: 'x' })];
    });
    const args = mcpConfig(workspace, { files: MCP_SERVERS.files(workspace) });
    server = await startChat({ baseURL: model.baseURL, workspace, args });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function open(options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage.open(server.url, options);
    const { chat } = watched;
    return { ...watched, chat, settings: watched.page.getByRole('dialog', { name: 'Settings' }) };
  }
  const offered = (): readonly string[] => asked.at(-1)?.offered ?? [];

  it('reach the first message of a new chat: instructions, a tool and a server that are off', async () => {
    const { page, chat, settings, problems } = await open();
    await chat.button('Settings').click();
    await settings.getByRole('textbox', { name: 'Instructions for this chat' }).fill('Answer like a pirate.');
    await settings.getByRole('button', { name: 'Save instructions' }).click();
    await settings.getByText('Saved', { exact: true }).waitFor();
    await settings.getByRole('switch', { name: 'writeFile' }).uncheck();
    await settings.getByRole('switch', { name: 'files MCP server' }).uncheck();
    await page.keyboard.press('Escape');
    await chat.say('Hello');
    expect(asked.at(-1)?.text).toContain('Answer like a pirate.');
    expect(offered()).toContain('readFile');
    expect(offered().filter((name) => name === 'writeFile' || name.includes('_'))).toEqual([]);
    await page.reload();
    await chat.button('Settings').click();
    await expect.poll(() => settings.getByRole('switch', { name: 'writeFile' }).isChecked()).toBe(false);
    await settings.getByRole('switch', { name: 'files MCP server' }).check();
    await settings.getByText('14 tools').click();
    await settings.getByRole('switch', { name: 'write_file' }).uncheck();
    await page.keyboard.press('Escape');
    await chat.say('Hello again');
    await expect.poll(() => offered().includes('read_file')).toBe(true);
    expect(offered()).not.toContain('write_file');
    expect(problems).toEqual([]);
  });

  it('reach the message that is sent right after a switch, however long the server takes for it', async () => {
    const { page, chat, settings } = await open();
    await page.route('**/api/sessions/*', async (route) => {
      if (route.request().method() === 'PATCH') await new Promise((resolve) => setTimeout(resolve, 1_500));
      await route.continue();
    });
    await chat.button('Settings').click();
    await settings.getByRole('switch', { name: 'writeFile' }).uncheck();
    await page.keyboard.press('Escape');
    await chat.say('Hello at once');
    expect(asked.at(-1)?.question).toContain('Hello at once');
    expect(offered()).toContain('readFile');
    expect(offered()).not.toContain('writeFile');
  });

  it('show what is always allowed, whole, and take it back', async () => {
    const { page, chat, settings } = await open();
    await chat.say('write', 'waiting for you');
    await page.locator('.asked-end').last().scrollIntoViewIfNeeded();
    await chat.button('Always in this chat').click();
    await chat.becomes('ready');
    await chat.button('Settings').click();
    await settings.getByRole('button', { name: 'Take back Tool writeFile' }).click();
    await settings.getByText('“Always in this chat” in a question adds to this list.').waitFor();
    await page.keyboard.press('Escape');
    await chat.say('write', 'waiting for you');
  });

  it('work by the keyboard alone', async () => {
    const { page, chat, settings } = await open();
    await page.keyboard.press('ControlOrMeta+,');
    await settings.waitFor();
    await settings.getByRole('switch', { name: 'shellCommand' }).waitFor();
    await tabTo(page, 'Instructions for this chat');
    await page.keyboard.type('By keyboard.');
    await tabTo(page, 'Save instructions');
    await page.keyboard.press('Enter');
    await settings.getByText('Saved', { exact: true }).waitFor();
    await tabTo(page, 'shellCommand');
    await page.keyboard.press('Space');
    await expect.poll(() => settings.getByRole('switch', { name: 'shellCommand' }).isChecked()).toBe(false);
    await page.keyboard.press('Escape');
    await settings.waitFor({ state: 'hidden' });
    await chat.say('Hello');
    expect(asked.at(-1)?.text).toContain('By keyboard.');
    expect(offered()).not.toContain('shellCommand');
  });

  it('keep the theme in this browser, against the system, and nothing is painted in another one first', async () => {
    const { page, chat, settings, problems } = await open({ colorScheme: 'light' });
    const paper = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [light, dark] = ['rgb(251, 250, 247)', 'rgb(25, 25, 23)'];
    expect(await paper()).toBe(light);
    await chat.button('Settings').click();
    await settings.getByRole('radio', { name: 'Dark' }).check();
    expect(await paper()).toBe(dark);
    // At the first moment at which there is a body: no script of the page has run by then.
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (document.body === null) return;
        observer.disconnect();
        const seen = getComputedStyle(document.body).backgroundColor;
        Object.assign(globalThis, { firstPaper: seen });
      }).observe(document, { childList: true, subtree: true });
    });
    await page.reload();
    await chat.message.waitFor();
    expect(await page.evaluate(() => (globalThis as unknown as { firstPaper: string }).firstPaper)).toBe(dark);
    expect(await paper()).toBe(dark);
    await chat.button('Settings').click();
    await settings.getByRole('radio', { name: 'As the system' }).check();
    expect(await paper()).toBe(light);
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await paper()).toBe(dark);
    await settings.getByRole('radio', { name: 'Light', exact: true }).check();
    expect(await paper()).toBe(light);
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)('look well: $name', async ({ name, ...look }) => {
    const { page, chat, settings, problems } = await open(look);
    await chat.say('write', 'waiting for you');
    await page.locator('.asked-end').last().scrollIntoViewIfNeeded();
    await chat.button('Always in this chat').click();
    await chat.becomes('ready');
    await chat.button('Settings').click();
    await settings.getByText('14 tools').click({ timeout: PATIENCE_MS });
    expect(await axeProblems(page)).toEqual([]);
    const wide = await settings.evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
    expect(wide).toBe(0);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1') {
      writeFileSync(join(folder, `settings ${name}.png`), await page.screenshot());
      await settings.evaluate((dialog) => dialog.scrollTo(0, dialog.scrollHeight));
      writeFileSync(join(folder, `settings ${name} end.png`), await page.screenshot());
    }
    expect(problems).toEqual([]);
  });
});

/** As somebody without a mouse goes there. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate(() => {
      const element = document.activeElement;
      const labels =
        element instanceof HTMLInputElement ? [...(element.labels ?? [])].map((label) => label.textContent) : [];
      const by = document.getElementById(element?.getAttribute('aria-labelledby') ?? '')?.textContent;
      return by ?? labels[0] ?? element?.textContent ?? '';
    });
    if (at === name) return;
  }
  throw new Error(`${name} is not reached by Tab.`);
}
