import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, useChromium, type WatchedPage } from './support/browser.js';
import { ChatPage, PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

describeInChromium('a conversation in Chromium', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  beforeAll(async () => {
    server = await startChat();
  });
  afterAll(() => server.stop());

  async function open(): Promise<WatchedPage & { readonly chat: ChatPage }> {
    return newPage.open(server.url);
  }

  it('answers, has an address of its own, and is in the list of chats', async () => {
    const { chat, page, problems } = await open();
    await chat.becomes('ready');
    await chat.say('My duck is called Alfred.');
    await chat.shows(chat.answers, 'demo model');
    expect(new URL(page.url()).pathname).toMatch(/^\/c\/[\w-]+$/);
    await chat.shows(page.getByRole('navigation', { name: 'Chats' }).getByRole('link'), 'My duck is called Alfred.');
    expect(problems).toEqual([]);
  });

  it('is there again after a reload, and in another tab', async () => {
    const { chat, page, context } = await open();
    await chat.say('Remember the pond.');
    await page.reload();
    await chat.shows(chat.questions, 'Remember the pond.');
    const other = new ChatPage(await context.newPage());
    await other.open(`${page.url()}#token=${server.token}`);
    await other.shows(other.answers, 'This is your first message.');
  });

  it('goes on after a reload in the middle of an answer, which comes whole and once', async () => {
    const { chat, page } = await open();
    await chat.send('tell me a long story');
    await chat.shows(chat.answers, '2. Once there was a duck');
    await page.reload();
    await chat.becomes('working');
    await chat.becomes('ready');
    const text = (await chat.answers.last().textContent()) ?? '';
    expect(text.match(/\d+\. Once there was a duck/g)).toHaveLength(12);
  });

  it('stops, also after a reload, and keeps what was said', async () => {
    const { chat, page } = await open();
    await chat.send('tell me a long story');
    await chat.shows(chat.answers, '1. Once there was a duck');
    await page.reload();
    await chat.button('Stop').click();
    await chat.becomes('ready');
    await chat.shows(chat.answers, 'Stopped.');
    await chat.shows(chat.answers, /tokens in|\d s/);
    expect(await chat.answers.last().textContent()).not.toContain('unknown');
    const kept = (await chat.answers.last().textContent()) ?? '';
    expect(kept).toContain('1. Once there was a duck');
    expect(kept).not.toContain('12. Once there was a duck');
    await chat.button('Continue').click();
    await chat.shows(chat.questions, 'Continue.');
    await expect.poll(() => chat.answers.count()).toBe(2);
    await chat.becomes('ready');
    const rest = (await chat.answers.last().textContent()) ?? '';
    expect(rest).toContain('12. Once there was a duck');
    // The stop may cut one of the sentences.
    const whole = `${kept}${rest}`.match(/\d+\. Once there was a duck/g) ?? [];
    expect([11, 12]).toContain(whole.length);
    expect(new Set(whole).size).toBe(whole.length);
    expect(await chat.button('Continue').count()).toBe(0);
    await chat.say('hello');
  });

  it('takes what is said while it tells a story in chapters, and goes on as it was wished', async () => {
    const { chat } = await open();
    await chat.send('tell me a story in chapters');
    await chat.shows(chat.answers, 'Chapter 1: The morning.');
    await chat.message.fill('make it about a frog');
    await chat.button('Steer').click();
    await chat.shows(chat.answers, 'I heard “make it about a frog” while I worked.');
    await chat.shows(chat.answers, /On that day (?:a letter|so the frog|under the bridge)/);
    await chat.button('Stop').click();
    await chat.becomes('ready');
  });

  it('names the tool that is off, and where to turn it on', async () => {
    const { chat, page } = await open();
    await chat.button('Settings').click();
    await page.getByRole('switch', { name: 'writeFile' }).uncheck();
    await page.keyboard.press('Escape');
    await chat.say('write hello.md');
    await chat.shows(chat.answers, 'The tool writeFile is off in this chat');
    await chat.shows(chat.answers, 'Turn it on in Settings (Ctrl + ,), under Tools.');
  });

  it('has a branch for every edit, and goes back and forth between them', async () => {
    const { chat } = await open();
    await chat.say('My duck is called Alfred.');
    await chat.say('what did I say before?');
    await chat.questions.first().getByRole('button', { name: 'Edit' }).click();
    const box = chat.page.getByRole('textbox', { name: 'Edit message' });
    await box.fill('My duck is called Berta.');
    await box.press('Enter');
    await chat.shows(chat.questions.first(), 'Berta');
    await chat.becomes('ready');
    await expect.poll(() => chat.questions.count()).toBe(1);
    await chat.shows(chat.questions, '2 / 2');
    await chat.button('Previous version').first().click();
    await chat.shows(chat.questions.first(), 'Alfred');
    await expect.poll(() => chat.questions.count()).toBe(2);
    await chat.button('Next version').first().click();
    await chat.shows(chat.questions.first(), 'Berta');
    await chat.say('what did I say before?');
    await chat.shows(chat.answers.last(), 'Berta');
    expect(await chat.answers.last().textContent()).not.toContain('Alfred');
  });

  it('makes an answer anew beside the old one', async () => {
    const { chat, page } = await open();
    await chat.say('hello');
    await chat.answers.first().getByRole('button', { name: 'Regenerate' }).click();
    await chat.shows(chat.answers, '2 / 2');
    await chat.becomes('ready');
    await page.reload();
    await chat.shows(chat.answers, '2 / 2');
    expect(await chat.answers.count()).toBe(1);
  });

  it('copies what was said', async () => {
    const { chat, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await chat.say('A duck, *copied*.');
    await chat.questions.first().getByRole('button', { name: 'Copy' }).click();
    await chat.questions.first().getByRole('button', { name: 'Copied' }).waitFor();
    expect(await chat.page.evaluate(() => navigator.clipboard.readText())).toBe('A duck, *copied*.');
  });

  it('says what failed, and makes it anew', async () => {
    const { chat, page } = await open();
    await chat.send('fail');
    await chat.becomes('error');
    await chat.shows(chat.answers, 'You asked me to fail');
    await page.reload();
    await chat.becomes('error');
    await chat.answers.last().getByRole('button', { name: 'Regenerate' }).click();
    await chat.becomes('working');
    await chat.becomes('error');
    await chat.say('hello');
  });

  it('has a plan that is ticked off, tool cards that open, and the tokens it took', async () => {
    const { chat, page } = await open();
    await chat.say('make a plan');
    await page.getByText('Plan: 3 of 3 done').click();
    await chat.shows(page.getByRole('listitem'), 'Choose a name');
    // One plan, whose last state it shows, however often it was updated.
    expect(await chat.tool('updatePlan').count()).toBe(0);
    const card = chat.tool('listDir');
    expect(await card.textContent()).toContain('done');
    await card.getByText('List files').click();
    await card.getByText('Output').waitFor();
    expect(await chat.answers.last().textContent()).toMatch(/[\d,]+ tokens in · [\d,]+ out/);
    await chat.message.click();
    const cost = chat.answers.last().locator('.cost');
    const opacity = (): Promise<string> => cost.evaluate((element) => getComputedStyle(element).opacity);
    await expect.poll(opacity).toBe('0');
    await chat.answers.last().hover();
    await expect.poll(opacity).toBe('1');
    await chat.message.hover();
    await cost.focus();
    await expect.poll(opacity).toBe('1');
  });

  it('thinks, and shows its thoughts to who opens them', async () => {
    const { chat } = await open();
    await chat.say('think about it');
    // The demo model calls it what the page calls it.
    const name = (await chat.answers.last().locator('em').textContent()) ?? '';
    await chat.answers.last().locator('summary', { hasText: name }).click();
    await chat.answers.last().getByText('The person wants to see reasoning.').waitFor();
  });

  it('names the command in the closed card of a shell, beside what the model says of it', async () => {
    const { chat } = await open();
    await chat.say('run ls -a');
    const head = chat.tool('shellCommand').locator('summary');
    await chat.shows(head, 'Run a command');
    await head.getByText('ls -a', { exact: true }).waitFor();
    expect(await chat.tool('shellCommand').locator('details').getAttribute('open')).toBeNull();
  });

  it('can be renamed and deleted', async () => {
    const { chat, page } = await open();
    await chat.say('a chat to rename');
    await chat.menu('a chat to rename', 'Rename');
    await page.getByRole('textbox', { name: 'Title' }).fill('Ducks of the north');
    await page.keyboard.press('Enter');
    await chat.menu('Ducks of the north', 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => page.getByRole('link', { name: 'Ducks of the north' }).count()).toBe(0);
    expect(new URL(page.url()).pathname).toBe('/');
    await chat.say('hello');
  });

  it('lists commands while one is typed, and shows what they answer without keeping it', async () => {
    const { chat, page } = await open();
    await chat.say('hello');
    await chat.message.fill('/he');
    await page.getByRole('option', { name: /help/ }).waitFor();
    await chat.message.press('Enter');
    await chat.message.press('Enter');
    const aside = page.getByRole('note', { name: 'Answer to a command' });
    await chat.shows(aside, '/summary-title');
    await chat.becomes('ready');
    await expect.poll(() => chat.questions.count()).toBe(1);
    expect(await chat.message.inputValue()).toBe('');
    await aside.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => aside.count()).toBe(0);
  });

  it('sends no unknown command, unless it is meant as text', async () => {
    const { chat, page } = await open();
    await chat.send('/nonsense');
    await chat.shows(page.getByRole('alert'), 'Unknown command /nonsense. Type / for a list');
    expect(await chat.message.inputValue()).toBe('/nonsense');
    await chat.say(' /nonsense');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await chat.questions.count()).toBe(1);
  });

  it('takes files, and refuses what is too large before it is sent', async () => {
    const { chat, page } = await open();
    const input = page.getByLabel('Attach files');
    await input.setInputFiles({ name: 'huge.txt', mimeType: 'text/plain', buffer: Buffer.alloc(3_000_000, 'x') });
    await chat.shows(
      page.getByRole('alert'),
      'huge.txt: too large (3.0 MB). The files of a message can have 2.9 MB together.',
    );
    await input.setInputFiles({ name: 'program.exe', mimeType: 'application/x-msdownload', buffer: Buffer.from('MZ') });
    await chat.shows(page.getByRole('alert'), 'you can attach images, PDF, text');
    await input.setInputFiles({ name: 'ducks.md', mimeType: 'text/markdown', buffer: Buffer.from('# Ducks') });
    await chat.say('What is in it?');
    await chat.shows(chat.questions, 'ducks.md');
  });

  it('keeps the files that it can send when others are refused', async () => {
    const { chat, page } = await open();
    await page.getByLabel('Attach files').setInputFiles([
      { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('A note') },
      { name: 'x.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('?') },
      { name: 'huge.txt', mimeType: 'text/plain', buffer: Buffer.alloc(3_000_000, 'x') },
      { name: 'y.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('?') },
      { name: 'duck.md', mimeType: 'text/markdown', buffer: Buffer.from('# Ducks') },
    ]);
    await chat.shows(
      page.getByRole('alert'),
      'x.bin, y.bin: you can attach images, PDF, text, Word (.docx) and Excel (.xlsx) files. huge.txt: too',
    );
    expect(await page.getByRole('list', { name: 'Attached files' }).getByRole('listitem').allTextContents()).toEqual([
      ' note.txt',
      ' duck.md',
    ]);
  });

  it('stays where the reader went while more is written, and follows again from the bottom', async () => {
    const { chat, page } = await open();
    await chat.say('tell me a long story');
    await chat.send('tell me a long story');
    await chat.becomes('working');
    const scroller = chat.log.locator('..');
    const top = (): Promise<number> => scroller.evaluate((element) => element.scrollTop);
    const gap = (): Promise<number> =>
      scroller.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await scroller.hover();
    await page.mouse.wheel(0, -600);
    await page.getByRole('button', { name: 'Latest' }).waitFor();
    await expect.poll(gap).toBeGreaterThan(100);
    const [where, before] = [await top(), await gap()];
    await expect.poll(gap, { timeout: PATIENCE_MS }).toBeGreaterThan(before + 100);
    expect(await top()).toBe(where);
    await page.getByRole('button', { name: 'Latest' }).click();
    await chat.becomes('ready');
    expect(await gap()).toBeLessThan(2);
  });

  it('stays at the end if what is shown shrinks and grows again before the next frame', async () => {
    const { chat } = await open();
    await chat.say('tell me a long story');
    const gap = await chat.log.evaluate(async (log) => {
      const scroller = log.parentElement ?? log;
      const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
      const setHeight = (px: number): void => void (log.style.minHeight = `${px}px`);
      const high = scroller.scrollHeight + 900;
      setHeight(high);
      for (let count = 0; count < 3; count += 1) await frame();
      await new Promise<void>((resolve) => {
        requestAnimationFrame(() => {
          setHeight(high - 600);
          // After this frame was laid out, and before the next one sends the event of the scrolling.
          setTimeout(() => resolve(setHeight(high - 200)));
        });
      });
      for (let count = 0; count < 3; count += 1) await frame();
      return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;
    });
    expect(gap).toBeLessThan(2);
  });
});
