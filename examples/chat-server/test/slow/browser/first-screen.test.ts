import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { say, startModel } from './support/model.js';

describeInChromium('the first screen', () => {
  const newPage = useChromium();
  const folder = newFolder();
  let demo: ChatProcess;
  beforeAll(async () => {
    mkdirSync(join(folder, 'notes'));
    demo = await startChat({ workspace: join(folder, 'notes') });
  });
  afterAll(() => demo.stop());

  async function open(server: ChatProcess, viewport = { width: 1280, height: 800 }) {
    const watched = await newPage.open(server.url, { viewport });
    const { chat } = watched;
    const suggestions = watched.page.getByRole('list', { name: 'Suggestions' }).getByRole('button');
    await suggestions.first().waitFor();
    return { ...watched, chat, suggestions };
  }

  it('names the folder, what is asked about and who answers', async () => {
    const { page, chat } = await open(demo);
    const text = (await chat.log.textContent()) ?? '';
    expect(text).toContain(
      `The demo model works in ${join(folder, 'notes')}. It can read files on its own and asks you`,
    );
    expect(text).toContain('ModeAsks before changes · no sandbox');
    expect(text).toContain('ModelDemo model');
    expect(await page.getByRole('heading', { name: 'What are we working on?' }).count()).toBe(1);
  });

  it.each([
    { width: 1280, height: 800 },
    { width: 400, height: 800 },
  ])('has the composer in the middle until something was said: %o', async (viewport) => {
    const { chat, suggestions } = await open(demo, viewport);
    const middle = async (): Promise<number> => {
      const box = await chat.message.boundingBox();
      return ((box?.y ?? 0) + (box?.height ?? 0) / 2) / viewport.height;
    };
    expect(await suggestions.count()).toBe(4);
    expect(await middle()).toBeGreaterThan(0.35);
    expect(await middle()).toBeLessThan(0.65);
    await chat.say('hello');
    expect(await middle()).toBeGreaterThan(0.8);
    expect(await suggestions.count()).toBe(0);
  });

  it('sends the suggestion that is clicked, and the message box has the focus', async () => {
    const { chat, page, suggestions } = await open(demo);
    await suggestions.filter({ hasText: 'Make a plan' }).click();
    await chat.shows(chat.questions, 'make a plan');
    await chat.shows(chat.answers, 'All 3 steps of the plan are done.');
    await chat.becomes('ready');
    expect(await chat.message.evaluate((box) => box === document.activeElement)).toBe(true);
    expect(new URL(page.url()).pathname).toMatch(/^\/c\//);
  });

  it('has other suggestions for a model, which it names', async () => {
    const model = await startModel(() => [say('Hello.')]);
    const server = await startChat({ baseURL: model.baseURL });
    try {
      const { chat, suggestions } = await open(server);
      await chat.shows(chat.log, /The model works in ~|The model works in \//);
      await chat.shows(chat.log, 'Modeltest');
      expect(await suggestions.allTextContents()).toContain(
        'Explain this folder What is here, and how it fits together',
      );
    } finally {
      await server.stop();
      await model.close();
    }
  });
});
