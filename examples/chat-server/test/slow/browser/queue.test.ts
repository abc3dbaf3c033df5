import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

describeInChromium('messages that are sent while a turn runs', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  beforeAll(async () => {
    server = await startChat();
  });
  afterAll(() => server.stop());

  it('wait in a list, can be edited and removed, survive a reload, and are sent in their order', async () => {
    const { page, problems, chat } = await newPage.open(server.url, { viewport: { width: 400, height: 800 } });
    const queued = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    await chat.send('tell me a long story');
    await chat.becomes('working');
    await chat.send('first');
    await chat.send('wrong');
    await chat.send('unwanted');
    await expect.poll(() => queued.count()).toBe(3);
    expect(await axeProblems(page)).toEqual([]);
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/queue.png` });
    await queued.nth(2).getByRole('button', { name: 'Remove queued message' }).click();
    await queued.nth(1).getByRole('button', { name: 'Edit queued message' }).click();
    expect(await chat.message.inputValue()).toBe('wrong');
    await chat.send('second');
    await page.reload();
    await expect.poll(() => queued.allTextContents()).toEqual(['first', 'second']);
    await expect.poll(() => chat.answers.count(), { timeout: 60_000 }).toBe(3);
    await chat.becomes('ready');
    expect(await chat.questions.allTextContents()).toEqual(['tell me a long story', 'first', 'second']);
    expect(await queued.count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('stay after a Stop until they are sent by hand', async () => {
    const { chat } = await newPage.open(server.url);
    await chat.send('tell me a long story');
    await chat.shows(chat.answers, '1. Once there was a duck');
    await chat.send('hello');
    await chat.button('Stop').click();
    await chat.becomes('ready');
    expect(await chat.questions.count()).toBe(1);
    await chat.button('Send now').click();
    await expect.poll(() => chat.answers.count()).toBe(2);
    await chat.becomes('ready');
  });
});
