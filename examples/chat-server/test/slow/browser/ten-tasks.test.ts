import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docx } from '../../support/documents.js';
import { describeInChromium, newFolder, type OpenedChat, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { say, startModel } from './support/model.js';

const MAX_TABS = 60;

/** The page may put the focus elsewhere right behind a key: no person is that quick. */
async function staysFocused(element: Element): Promise<boolean> {
  if (element !== document.activeElement) return false;
  await new Promise((resolve) => setTimeout(resolve, 100));
  return element === document.activeElement;
}

/** What somebody does in the first hour who has read nothing: by names that are seen, and by the keyboard alone. */
describeInChromium('a newcomer, without a mouse,', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(({ text }) => [say(text.includes('Ducks float.') ? 'Ducks do.' : 'A model answers.')]);
    const file = join(newFolder(), 'models.json');
    const other = { adapter: 'loop', label: 'Another provider', baseUrl: model.baseURL, models: ['reader'] };
    writeFileSync(file, JSON.stringify({ providers: { other } }));
    server = await startChat({ args: ['--models', file] });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  interface Newcomer extends OpenedChat {
    /** Presses Tab until it has the focus. */
    readonly goTo: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
    readonly press: (target: Locator, key?: 'Tab' | 'Shift+Tab') => Promise<void>;
    /** Types into whatever has the focus, and sends. */
    readonly type: (text: string) => Promise<void>;
  }

  async function start(): Promise<Newcomer> {
    const opened = await newPage.open(server.url);
    const { page } = opened;
    const goTo = async (target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> => {
      await target.waitFor();
      for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
        if (await target.evaluate(staysFocused)) return;
        await page.keyboard.press(key);
      }
      throw new Error(`${String(target)} is not reached by ${key}.`);
    };
    const press = async (target: Locator, key?: 'Tab' | 'Shift+Tab'): Promise<void> => {
      await goTo(target, key);
      await page.keyboard.press('Enter');
    };
    const type = async (text: string): Promise<void> => {
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    return { ...opened, goTo, press, type };
  }

  it('starts with a suggestion', async () => {
    const { page, chat, press } = await start();
    await press(page.getByRole('list', { name: 'Suggestions' }).getByRole('button', { name: /^Make a plan/ }));
    await chat.shows(chat.answers, 'All 3 steps of the plan are done.');
  });

  it('lets it write a file', async () => {
    const { chat, press, type } = await start();
    await type('write hello.md');
    await chat.becomes('waiting for you');
    expect(existsSync(join(server.workspace, 'hello.md'))).toBe(false);
    await press(chat.button('Approve'), 'Shift+Tab');
    await chat.becomes('ready');
    expect(existsSync(join(server.workspace, 'hello.md'))).toBe(true);
  });

  it('refuses a command and tells why', async () => {
    const { page, chat, goTo, type } = await start();
    await type('run touch unwanted');
    await chat.becomes('waiting for you');
    await goTo(page.getByRole('textbox', { name: 'Reason for a rejection' }), 'Shift+Tab');
    await type('Not in this folder.');
    await chat.becomes('ready');
    await chat.tool('shellCommand').getByText('denied', { exact: true }).waitFor();
    await chat.shows(chat.tool('shellCommand'), 'Not in this folder.');
    expect(existsSync(join(server.workspace, 'unwanted'))).toBe(false);
  });

  it('allows a command for the whole chat', async () => {
    const { chat, press, goTo, type } = await start();
    await type('run touch often');
    await chat.becomes('waiting for you');
    await press(chat.button('Always in this chat'), 'Shift+Tab');
    await chat.becomes('ready');
    await goTo(chat.message);
    await type('run touch often');
    await expect.poll(() => chat.answers.count()).toBe(2);
    await chat.becomes('ready');
    expect(await chat.button('Approve').count()).toBe(0);
  });

  it('stops an answer and lets it go on', async () => {
    const { page, chat, press, type } = await start();
    await type('tell me a long story');
    await chat.shows(chat.answers, 'Once there was a duck');
    await page.keyboard.press('Escape');
    await chat.shows(chat.answers, 'Stopped.');
    await press(chat.button('Continue'), 'Shift+Tab');
    await expect.poll(() => chat.answers.count()).toBe(2);
    await chat.becomes('ready');
  });

  it('changes what was asked, and looks at the first version again', async () => {
    const { page, chat, press, type } = await start();
    await type('hello');
    await expect.poll(() => chat.answers.count()).toBe(1);
    await chat.becomes('ready');
    await press(chat.button('Edit'), 'Shift+Tab');
    await page.keyboard.press('ControlOrMeta+a');
    await type('make a plan');
    await chat.shows(chat.questions, '2 / 2');
    await chat.becomes('ready');
    await press(chat.button('Previous version'), 'Shift+Tab');
    await chat.shows(chat.questions, 'hello');
    await chat.shows(chat.questions, '1 / 2');
  });

  it('finds an old chat', async () => {
    const { page, chat, press, type } = await start();
    await type('note remember the heron');
    await expect.poll(() => chat.answers.count()).toBe(1);
    await chat.becomes('ready');
    await press(chat.button('New chat'), 'Shift+Tab');
    await chat.shows(chat.log, 'What are we working on?');
    await press(page.getByRole('button', { name: /^Search chats/ }), 'Shift+Tab');
    await page.keyboard.type('remember heron');
    await page.getByRole('option', { name: /remember the heron/ }).waitFor();
    await page.keyboard.press('Enter');
    await chat.shows(chat.questions, 'note remember the heron');
  });

  it('asks another model about a document', async () => {
    const { page, chat, press, goTo, type } = await start();
    await press(page.getByRole('button', { name: /^Model: / }));
    await page.getByRole('combobox', { name: 'Search models' }).waitFor();
    await page.keyboard.type('reader');
    await page.getByRole('option', { name: 'reader' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Model: reader' }).waitFor();
    const attach = page.getByLabel('Attach files');
    await goTo(attach, 'Shift+Tab');
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
    await chooser.setFiles({ name: 'ducks.docx', mimeType: '', buffer: docx('Ducks float.') });
    await page.getByRole('list', { name: 'Attached files' }).getByText('ducks.docx').waitFor();
    await goTo(chat.message, 'Shift+Tab');
    await type('What floats?');
    await chat.shows(chat.answers, 'Ducks do.');
  });

  it('switches a tool off for a chat', async () => {
    const { page, chat, press, goTo, type } = await start();
    await press(chat.button('Settings'), 'Shift+Tab');
    const writes = page.getByRole('switch', { name: 'writeFile' });
    await goTo(writes);
    await page.keyboard.press('Space');
    await expect.poll(() => writes.isChecked()).toBe(false);
    await page.keyboard.press('Escape');
    await goTo(chat.message);
    await type('write never.md');
    await expect.poll(() => chat.answers.count()).toBe(1);
    await chat.becomes('ready');
    expect(existsSync(join(server.workspace, 'never.md'))).toBe(false);
  });

  it('takes a chat home', async () => {
    const { page, chat, press, type } = await start();
    await type('hello from a newcomer');
    await expect.poll(() => chat.answers.count()).toBe(1);
    await chat.becomes('ready');
    await press(chat.button('Actions for chat hello from a newcomer'), 'Shift+Tab');
    const item = page.getByRole('menuitem', { name: 'Export as Markdown' });
    await item.waitFor();
    for (
      let steps = 0;
      steps < 8 && !(await item.evaluate((element) => element === document.activeElement));
      steps += 1
    )
      await page.keyboard.press('ArrowDown');
    const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(readFileSync(await file.path(), 'utf8')).toContain('hello from a newcomer');
  });
});
