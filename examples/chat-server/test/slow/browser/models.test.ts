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
  /** That the other one was asked with. */
  const efforts: (string | undefined)[] = [];
  let chat: ChatProcess;

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
    const small = { id: 'small', efforts: ['low', 'high'] };
    const other = { adapter: 'loop', label: 'The other provider', baseUrl: second.baseURL, models: [small] };
    const locked = { ...other, label: 'The locked one', keyVariable: 'NO_SUCH_KEY' };
    writeFileSync(file, JSON.stringify({ providers: { other, locked } }));
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
    const problem = picker.locator('option:disabled');
    expect(await problem.allTextContents()).toContain('The locked one: NO_SUCH_KEY is not set');
    await page.getByRole('combobox', { name: 'Reasoning effort' }).selectOption('high');
    await view.say('And now?');
    expect(efforts).toEqual([undefined, 'high']);
    expect(await picker.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.textContent)).toBe('small');
  });
});
