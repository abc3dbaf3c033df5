import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HeldModel, startHeldModel } from '../../support/held-model.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { ChatPage, PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

describeInChromium('messages that are sent while a turn runs', () => {
  const newPage = useChromium();
  let model: HeldModel;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startHeldModel();
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  const openBusy = async (options: Parameters<typeof newPage>[0], text: string) => {
    const { page, problems, chat } = await newPage.open(server.url, options);
    model.hold(text);
    await chat.send(text);
    await model.holds(text);
    const queued = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    const texts = (): Promise<string[]> => queued.locator('.queued-text').allTextContents();
    return { page, problems, chat, queued, texts };
  };

  it.each(['light', 'dark'] as const)(
    'wait in a list, are edited, removed and kept over a reload, and go out in their order: by keyboard, at 400 px, %s',
    async (colorScheme) => {
      const viewport = { width: 400, height: 800 };
      const { page, problems, chat, queued, texts } = await openBusy({ viewport, colorScheme }, `busy ${colorScheme}`);
      for (const text of ['first', 'wrong', 'unwanted']) {
        await chat.send(text);
        await expect.poll(texts).toContain(text);
      }
      expect(await axeProblems(page)).toEqual([]);
      if (process.env['SCREENSHOTS'])
        await page.screenshot({ path: `${process.env['SCREENSHOTS']}/queue-${colorScheme}.png` });
      await queued.nth(2).getByRole('button', { name: 'Remove queued message' }).focus();
      await page.keyboard.press('Enter');
      await expect.poll(texts).toEqual(['first', 'wrong']);
      // What had the focus is gone: the keyboard is back in the message box.
      await expect.poll(() => chat.message.evaluate((box) => box === document.activeElement)).toBe(true);
      await queued.nth(1).getByRole('button', { name: 'Edit queued message' }).focus();
      await page.keyboard.press('Enter');
      const editor = page.getByRole('textbox', { name: 'Edit queued message' });
      await editor.waitFor();
      expect(await axeProblems(page)).toEqual([]);
      await page.keyboard.press('Control+A');
      await page.keyboard.type('second');
      await page.keyboard.press('Enter');
      await expect.poll(texts).toEqual(['first', 'second']);
      await chat.message.fill('a draft');
      await chat.button('Steer').waitFor();
      const rights = await page
        .locator('.chat-foot *')
        .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().right));
      expect(Math.max(...rights)).toBeLessThanOrEqual(400);
      expect(await axeProblems(page)).toEqual([]);
      if (process.env['SCREENSHOTS'])
        await page.screenshot({ path: `${process.env['SCREENSHOTS']}/draft-${colorScheme}.png` });
      await page.reload();
      await expect.poll(texts).toEqual(['first', 'second']);
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('first');
      model.release();
      await expect.poll(() => chat.answers.count(), { timeout: PATIENCE_MS }).toBe(3);
      await chat.becomes('ready');
      expect(await chat.questions.allTextContents()).toEqual([`busy ${colorScheme}`, 'first', 'second']);
      expect(await queued.count()).toBe(0);
      expect(problems).toEqual([]);
    },
  );

  it('are heard by the model at its next step, and stand there, also after a reload', async () => {
    const { page, problems, chat, texts } = await openBusy({}, 'call timeNow {}');
    await chat.message.fill('in two words');
    await chat.message.press('Control+Enter');
    await expect.poll(texts).toEqual(['in two words']);
    await page.getByText('At the next step').waitFor();
    await chat.send('by a button');
    await expect.poll(texts).toEqual(['in two words', 'by a button']);
    await chat.button('Send now').click();
    await expect.poll(() => page.getByText('At the next step').count()).toBe(2);
    model.release();
    await chat.becomes('ready');
    const heard = chat.answers.last().getByRole('note', { name: 'You, while it worked' });
    expect(await heard.allTextContents()).toEqual(['in two words', 'by a button']);
    await chat.shows(chat.answers.last(), 'You said: by a button');
    await page.reload();
    await chat.becomes('ready');
    await expect.poll(() => heard.allTextContents()).toEqual(['in two words', 'by a button']);
    expect(await chat.questions.count()).toBe(1);
    expect(await axeProblems(page)).toEqual([]);
    if (process.env['SCREENSHOTS']) await page.screenshot({ path: `${process.env['SCREENSHOTS']}/steered.png` });
    expect(problems).toEqual([]);
  });

  it('are the same in two tabs, which both show the turns that follow', async () => {
    const one = await openBusy({}, 'busy in two tabs');
    const page = await one.page.context().newPage();
    const other = new ChatPage(page);
    await page.goto(`${one.page.url()}${new URL(server.url).hash}`);
    await other.becomes('working');
    const queued = page.getByRole('list', { name: 'Queued messages' }).getByRole('listitem');
    const texts = (): Promise<string[]> => queued.locator('.queued-text').allTextContents();
    await one.chat.send('from the first tab');
    await expect.poll(texts).toEqual(['from the first tab']);
    await other.send('from the second tab');
    await expect.poll(one.texts).toEqual(['from the first tab', 'from the second tab']);
    await queued.first().getByRole('button', { name: 'Remove queued message' }).click();
    await expect.poll(one.texts).toEqual(['from the second tab']);
    model.release();
    for (const chat of [one.chat, other]) {
      await expect.poll(() => chat.answers.count(), { timeout: PATIENCE_MS }).toBe(2);
      await chat.becomes('ready');
      expect(await chat.questions.allTextContents()).toEqual(['busy in two tabs', 'from the second tab']);
    }
    await page.close();
  });

  it('stay after a Stop until they are sent by hand', async () => {
    const { page, chat, texts } = await openBusy({}, 'busy until Stop');
    await chat.send('hello');
    await expect.poll(texts).toEqual(['hello']);
    await chat.button('Stop').click();
    model.release();
    await chat.becomes('ready');
    expect(await chat.questions.count()).toBe(1);
    expect(await texts()).toEqual(['hello']);
    await page.getByText('On hold').waitFor();
    await chat.send('something else');
    await chat.shows(chat.answers, 'You said: something else');
    await chat.becomes('ready');
    expect(await texts()).toEqual(['hello']);
    expect(await axeProblems(page)).toEqual([]);
    await chat.button('Send now').click();
    await chat.shows(chat.answers.last(), 'You said: hello');
    await chat.becomes('ready');
    expect(await texts()).toEqual([]);
  });

  it('are back in the box before what was written meanwhile, if the server refuses them', async () => {
    const { page, chat, texts } = await openBusy({}, 'busy and full');
    let answer = (): void => {};
    const answered = new Promise<void>((resolve) => (answer = resolve));
    const json = { error: { code: 'queue_full', message: 'No more fit.' } };
    await page.route('**/api/chat', async (route) => {
      await answered;
      await route.fulfill({ status: 409, json });
    });
    await chat.send('refused');
    await chat.message.fill('written meanwhile');
    answer();
    await page.getByRole('alert').filter({ hasText: 'No more fit.' }).waitFor();
    await expect.poll(() => chat.message.inputValue()).toBe('refused\nwritten meanwhile');
    expect(await texts()).toEqual([]);
    model.release();
    await chat.becomes('ready');
  });

  it('that are commands stay in the box, and the page tells why', async () => {
    const { page, chat } = await openBusy({}, 'busy with a command');
    await chat.message.fill('/compact ');
    await chat.message.press('Enter');
    await page.getByRole('alert').filter({ hasText: 'Wait until it has finished' }).waitFor();
    await expect.poll(() => chat.message.inputValue()).toBe('/compact ');
    model.release();
    await chat.becomes('ready');
  });
});
