import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { docx } from '../../support/documents.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { say, startModel } from './support/model.js';

const MANY = Array.from({ length: 500 }, (_, at) => `crowd-${String(at).padStart(3, '0')}`);
const PICTURE = { name: 'duck.png', mimeType: 'image/png', buffer: Buffer.from('iVBORw0KGgo=', 'base64') };
const SOON_MS = 300;

describeInChromium('the models of several providers', () => {
  const newPage = useChromium();
  const models: { close: () => Promise<void> }[] = [];
  /** That the other one was asked with. */
  const efforts: (string | undefined)[] = [];
  let server: ChatProcess;

  beforeAll(async () => {
    const [first, second] = await Promise.all([
      startModel(() => [say('The first one answers.')]),
      startModel(({ text }) => {
        efforts.push((JSON.parse(text) as { reasoning?: { effort?: string } }).reasoning?.effort);
        return [say('The other one answers.')];
      }),
    ]);
    models.push(first, second);
    const file = join(newFolder(), 'models.json');
    const small = { id: 'small', images: false, files: false, efforts: ['low', 'high'] };
    const large = { id: 'large', images: true, files: true, efforts: ['low'] };
    const at = { adapter: 'loop', baseUrl: second.baseURL };
    const other = { ...at, label: 'The other provider', models: [small, large] };
    const crowd = { ...at, label: 'The crowd', models: MANY };
    const locked = { ...at, label: 'The locked one', keyVariable: 'NO_SUCH_KEY', models: ['secret'] };
    writeFileSync(file, JSON.stringify({ providers: { other, crowd, locked } }));
    server = await startChat({ baseURL: first.baseURL, args: ['--models', file] });
  });
  afterAll(async () => {
    await Promise.all([server.stop(), ...models.map((model) => model.close())]);
  });

  const picker = (page: Page) => page.getByRole('button', { name: /^Model: / });
  const search = (page: Page) => page.getByRole('combobox', { name: 'Search models' });
  const options = (page: Page) => page.getByRole('listbox', { name: 'Models' }).getByRole('option');
  const chosen = (page: Page) => picker(page).textContent();

  /** By the keyboard alone. */
  async function choose(page: Page, words: string): Promise<void> {
    await picker(page).focus();
    await page.keyboard.press('Enter');
    await search(page).waitFor();
    await page.keyboard.type(words);
    await expect.poll(() => options(page).count()).toBe(1);
    await page.keyboard.press('Enter');
    await search(page).waitFor({ state: 'detached' });
  }

  it('are in groups with what they take, and why those of a provider are missing', async () => {
    const { page } = await newPage.open(server.url);
    await picker(page).click();
    const group = page.getByRole('group', { name: 'The other provider' });
    await group.getByRole('option').nth(1).waitFor();
    expect(await group.getByRole('option').allTextContents()).toEqual(['smallreasoning', 'largeimagesfilesreasoning']);
    expect(await page.getByRole('group', { name: 'The crowd' }).getByRole('option').count()).toBe(500);
    await page.getByText('The locked one: NO_SUCH_KEY is not set').waitFor();
  });

  it('are searched by words and chosen by the keyboard, and the chosen one answers', async () => {
    const { page, chat } = await newPage.open(server.url);
    await choose(page, 'other small');
    expect(await chosen(page)).toBe('small');
    expect(await picker(page).evaluate((button) => document.activeElement === button)).toBe(true);
    await chat.say('Who answers?');
    await chat.shows(chat.answers, 'The other one answers.');
    await page.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('high');
    await chat.say('And now?');
    expect(efforts.slice(-2)).toEqual([undefined, 'high']);
    await page.reload();
    await expect.poll(() => chosen(page)).toBe('small');
  });

  it('are gone through by arrows, and Escape changes nothing and stops nothing', async () => {
    const { page } = await newPage.open(server.url);
    await picker(page).press('Enter');
    const active = () => page.locator('[role=option][aria-selected=true]').textContent();
    const first = await active();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await active()).toContain('large');
    await page.keyboard.press('PageDown');
    expect(await active()).toBe('crowd-009');
    expect(await search(page).getAttribute('aria-activedescendant')).toBe('model-crowd/crowd-009');
    await page.keyboard.press('Escape');
    await search(page).waitFor({ state: 'detached' });
    expect(first).toContain((await chosen(page)) ?? '');
  });

  it('may be asked through the stock provider, which is a switch and no second entry', async () => {
    const { page, chat } = await newPage.open(server.url);
    await picker(page).click();
    await page.getByRole('checkbox', { name: /through @ai-sdk\/openai/i }).check();
    await page.keyboard.press('Escape');
    const [request] = await Promise.all([page.waitForRequest('**/api/chat'), chat.say('Hello')]);
    expect(request.postDataJSON()).toMatchObject({ chatModelId: 'default', chatModelSource: 'stock' });
    await choose(page, 'large');
    const [next] = await Promise.all([page.waitForRequest('**/api/chat'), chat.say('Hello')]);
    expect(next.postDataJSON()).toMatchObject({ chatModelId: 'other/large', chatModelSource: 'loop' });
  });

  it('are shown and searched without a delay, 500 of them', async () => {
    const { page } = await newPage.open(server.url);
    await picker(page).click();
    await expect.poll(() => options(page).count()).toBeGreaterThan(500);
    const ms = await page.evaluate(async () => {
      const input = document.activeElement as HTMLInputElement;
      const times: number[] = [];
      for (const text of ['c', 'cr', 'cro', 'crow', 'crowd', '']) {
        const at = performance.now();
        input.select();
        document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
        await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
        times.push(performance.now() - at);
      }
      return times.toSorted((one, other) => one - other)[3] ?? 0;
    });
    expect(ms).toBeLessThan(SOON_MS);
  });

  it('that take no images are told before the message is sent, and it goes out once another is chosen', async () => {
    const { page, chat } = await newPage.open(server.url);
    await choose(page, 'other small');
    await page.getByLabel('Attach files').setInputFiles(PICTURE);
    await chat.shows(page.getByRole('alert'), 'small takes no images. Remove duck.png, or choose another model.');
    await chat.message.fill('What is this?');
    await chat.message.press('Enter');
    expect(await chat.questions.count()).toBe(0);
    expect(await chat.button('Send').isDisabled()).toBe(true);
    await chat.button('Choose a model').click();
    await search(page).fill('other large');
    await page.keyboard.press('Enter');
    await chat.message.focus();
    await chat.say('What is this?');
    await choose(page, 'other small');
    await chat.shows(page.getByRole('alert'), 'this chat has duck.png. Choose another model, or start a new chat.');
  });

  it('that take no files take documents and text all the same', async () => {
    const { page, chat } = await newPage.open(server.url);
    await choose(page, 'other small');
    await page.getByLabel('Attach files').setInputFiles([
      { name: 'notes.docx', mimeType: '', buffer: docx('Ducks float.') },
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('Geese float.') },
    ]);
    await chat.say('What floats?');
    await chat.shows(chat.questions, 'notes.docx');
    await page.getByLabel('Attach files').setInputFiles({ ...PICTURE, name: 'a.pdf', mimeType: 'application/pdf' });
    await chat.shows(page.getByRole('alert'), 'small takes no files. Remove a.pdf');
  });

  it('that lack the chosen effort are told, and one press takes the default', async () => {
    const { page, chat } = await newPage.open(server.url);
    await choose(page, 'other small');
    await page.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('high');
    await choose(page, 'other large');
    await chat.shows(page.getByRole('alert'), 'large has no reasoning effort "high": it has low.');
    await chat.button('Use the default effort').click();
    await chat.say('Hello');
    expect(efforts.at(-1)).toBeUndefined();
  });

  it('keeps what was written if the server cannot read a file', async () => {
    const { page, chat } = await newPage.open(server.url);
    await page
      .getByLabel('Attach files')
      .setInputFiles({ name: 'notes.docx', mimeType: '', buffer: docx('Ducks').subarray(0, 200) });
    await chat.send('What is in it?');
    await chat.shows(page.getByRole('alert'), 'notes.docx is broken');
    await expect.poll(() => chat.message.inputValue()).toBe('What is in it?');
    await chat.button('Remove notes.docx').waitFor();
  });

  it.each(LOOKS)('are a list that fits, and axe finds nothing: $name', async ({ viewport, colorScheme }) => {
    const { page } = await newPage.open(server.url, { viewport, colorScheme });
    await picker(page).click();
    await expect.poll(() => options(page).count()).toBeGreaterThan(500);
    const box = await page.getByRole('dialog', { name: 'Choose a model' }).boundingBox();
    expect(box && box.x >= 0 && box.y >= 0 && box.x + box.width <= viewport.width).toBe(true);
    expect(box && box.y + box.height <= viewport.height).toBe(true);
    expect(await axeProblems(page)).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1')
      await page.screenshot({ path: join(folder, `picker-${viewport.width}-${colorScheme}.png`) });
  });
});
