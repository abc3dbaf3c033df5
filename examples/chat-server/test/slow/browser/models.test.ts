import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { ChatPage } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { say, startModel } from './support/model.js';

describeInChromium('the models of several providers', () => {
  const newPage = useChromium();
  const models: { close: () => Promise<void> }[] = [];
  let chat: ChatProcess;

  beforeAll(async () => {
    const [first, second] = await Promise.all([
      startModel(() => [say('The first one answers.')]),
      startModel(() => [say('The other one answers.')]),
    ]);
    models.push(first, second);
    const file = join(newFolder(), 'models.json');
    const other = { adapter: 'loop', label: 'The other provider', baseUrl: second.baseURL, models: ['small'] };
    writeFileSync(file, JSON.stringify({ providers: { other } }));
    chat = await startChat({ baseURL: first.baseURL, args: ['--models', file] });
  });
  afterAll(async () => {
    await Promise.all([chat.stop(), ...models.map((model) => model.close())]);
  });

  it('are in groups, each only by a way that can ask it, and the chosen one answers', async () => {
    const { page } = await newPage({ viewport: { width: 1280, height: 800 } });
    const view = new ChatPage(page);
    await view.open(chat.url);
    const picker = page.getByRole('combobox', { name: 'Model' });
    await picker.locator('optgroup').nth(1).waitFor({ state: 'attached' });
    const others = picker.locator('optgroup[label="The other provider"] option');
    expect(await others.allTextContents()).toEqual(['small']);
    expect(await picker.locator('option').filter({ hasText: 'through @ai-sdk/openai' }).count()).toBeGreaterThan(0);
    await picker.selectOption({ label: 'small' });
    await view.say('Who answers?');
    await view.shows(view.answers, 'The other one answers.');
    expect(await picker.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent)).toBe('small');
  });
});
