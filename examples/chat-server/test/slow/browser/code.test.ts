import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { say, startModel } from './support/model.js';

const HOSTILE = '<img src=x onerror="document.title=1">';
const LONG_LINE = `const duck = '${'quack '.repeat(60)}';`;
const CODE = `// a comment\n${LONG_LINE}\nconst html = '${HOSTILE}';\n`;
const GROWING = 'const growing = true;\n'.repeat(200);

describeInChromium('code in an answer', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(({ question }) => {
      if (question.includes('plain')) return [say('```\nno language\n```')];
      if (question.includes('long')) return [say(`\`\`\`ts\n${GROWING}\`\`\`\nThe end.`.match(/[^]{1,12}/g) ?? [])];
      return [say(`Here:\n\n\`\`\`ts\n${CODE}\`\`\`\n`)];
    });
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function open(options: Parameters<typeof newPage>[0] = {}) {
    return newPage.open(server.url, options);
  }

  it.each(LOOKS)('has its language, colours and buttons, and fits: $name', async ({ viewport, colorScheme }) => {
    const { chat, page, problems } = await open({ viewport, colorScheme });
    await chat.say('code');
    await page.locator('.token.keyword', { hasText: 'const' }).first().waitFor();
    await chat.answers.getByText('typescript', { exact: true }).waitFor();
    expect(await page.locator('.code code').textContent()).toBe(CODE.trimEnd());
    const code = page.locator('.code pre');
    expect(await code.evaluate((pre) => pre.scrollWidth > pre.clientWidth)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('is text, whatever it holds', async () => {
    const { chat, page } = await open();
    await chat.say('code');
    await page.locator('.token.string', { hasText: 'onerror' }).waitFor();
    expect(await page.locator('.code img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
  });

  it('is copied and wrapped by buttons that are there without a pointer, also by the keyboard', async () => {
    const { chat, page, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await chat.say('code');
    const copy = chat.button('Copy code');
    expect(await copy.evaluate((button) => getComputedStyle(button).opacity)).toBe('1');
    await copy.focus();
    await page.keyboard.press('Enter');
    await chat.button('Copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(CODE.trimEnd());
    const wrap = page.getByRole('button', { name: 'Wrap', exact: true });
    await wrap.focus();
    await page.keyboard.press('Space');
    expect(await wrap.getAttribute('aria-pressed')).toBe('true');
    const code = page.locator('.code pre');
    expect(await code.evaluate((pre) => pre.scrollWidth - pre.clientWidth)).toBe(0);
  });

  it('asks for what highlights it when there is something to highlight, and for no other language', async () => {
    const { chat, page, requests } = await open();
    const asked = (): string[] => requests.filter((url) => /lowlight|typescript|python/.test(url));
    await chat.say('plain');
    expect(asked()).toEqual([]);
    await chat.say('code');
    await page.locator('.token.keyword').first().waitFor();
    expect(asked().map((url) => /assets\/(\w+)-/.exec(url)?.[1])).toEqual(['lowlight', 'typescript']);
  });

  it('keeps the focus and the word of its button when the answer ends', async () => {
    const { chat, page, context } = await open();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await chat.send('long');
    const copy = chat.answers.getByRole('button', { name: 'Copy code' });
    await copy.focus();
    await page.keyboard.press('Enter');
    const copied = await chat.button('Copied').elementHandle();
    await chat.becomes('ready');
    await page.waitForTimeout(300);
    expect(await copied?.evaluate((button) => [document.activeElement === button, button.textContent])).toEqual([
      true,
      'Copied',
    ]);
  });

  it('has its colours while it comes, and all of them at its end', async () => {
    const { chat, page } = await open();
    await chat.send('long');
    await page.locator('.token.keyword').first().waitFor();
    await chat.becomes('ready');
    await expect.poll(() => page.locator('.token.keyword', { hasText: 'const' }).count()).toBe(200);
    expect(await page.locator('.code code').textContent()).toBe(GROWING.trimEnd());
  });
});
