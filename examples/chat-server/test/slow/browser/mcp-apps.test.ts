import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { call, say, startModel } from './support/model.js';

const INPUTS: Readonly<Record<string, object>> = {
  show_cart: { title: 'Mine' },
  writeFile: { actionName: 'Write it down', path: 'a.md', content: 'One\n' },
};

describeInChromium('an app of an MCP server', () => {
  const newPage = useChromium();
  const workspace = newFolder();
  const calls = join(workspace, 'calls.txt');
  const reached: string[] = [];
  let evil: Server;
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    evil = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    model = await startModel(({ question, answered }) => {
      const tools = [...question.matchAll(/call (\w+)/g)].map(([, name = '']) => name);
      if (answered > 0) return [say('There it is.')];
      return tools.map((name) => call(name, INPUTS[name] ?? {}));
    });
    const env = { EVIL: `http://127.0.0.1:${(evil.address() as AddressInfo).port}`, CALLS: calls };
    const args = mcpConfig(workspace, { shop: { ...MCP_SERVERS.apps, env, trust: true } });
    server = await startChat({ baseURL: model.baseURL, workspace, args });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
    evil.close();
  });

  async function show(tool = 'show_cart', options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage.open(server.url, options);
    const { page, chat } = watched;
    await chat.say(`call ${tool}`);
    const app = page.getByRole('region', { name: 'App of the MCP server shop' });
    const inside = page.frameLocator(`iframe[title="App of shop: ${tool}"]`);
    return { ...watched, app, inside, answer: inside.locator('#answer') };
  }

  const made = (): string => (existsSync(calls) ? readFileSync(calls, 'utf8') : '');

  it('stands below its call with the name of its server, gets input and result of the call, and again after a reload', async () => {
    const { page, app, inside, chat, problems } = await show();
    await inside.getByText('a duck').waitFor();
    expect(await inside.locator('#input').textContent()).toBe('{"arguments":{"title":"Mine"}}');
    expect(await chat.tool('show_cart').locator('section.mcp-app').count()).toBe(1);
    await page.reload();
    await app.getByText('App of the MCP server shop').waitFor();
    await inside.getByText('a duck').waitFor();
    await app.getByRole('button', { name: 'Close app' }).click();
    await app.locator('iframe').waitFor({ state: 'detached' });
    await app.getByRole('button', { name: 'Open app' }).click();
    await inside.getByText('a duck').waitFor();
    expect(problems).toEqual([]);
  });
  it('calls a tool of its server after a yes to the whole call, and gets the result', async () => {
    const { app, inside, chat } = await show();
    await inside.getByRole('button', { name: 'Add a pond' }).click();
    const question = app.getByRole('group', { name: 'Question of the app of shop' });
    await question.getByText('"what": "a pond"').waitFor();
    expect(await question.textContent()).toContain('add_to_cart');
    expect(made()).toBe('');
    await chat.approve(question);
    await inside.getByRole('listitem').filter({ hasText: 'a pond' }).waitFor();
    expect(made()).toBe('shop a pond\n');
    await question.waitFor({ state: 'detached' });
    // One that only reads, of a trusted server, runs at once: the gate is that of the model.
    await inside.getByRole('button', { name: 'Count' }).click();
    await inside.getByText('shop has').waitFor();
  });

  it('shows the form of a question that the server asks during a call of the app, and the answer gets there', async () => {
    const { page, app, inside, answer, chat } = await show();
    await inside.getByRole('button', { name: 'Book' }).click();
    const form = app.getByRole('region', { name: 'Question of the MCP server shop' });
    await form.getByText('Who books at shop?').waitFor();
    await form.getByLabel('Your name').fill('Ada');
    await form.getByRole('button', { name: 'Submit' }).click();
    await chat.shows(answer, 'Ada');
    await form.waitFor({ state: 'detached' });
    await inside.getByRole('button', { name: 'Book' }).click();
    await form.waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await form.getByRole('button', { name: 'Decline' }).click();
    await chat.shows(answer, 'decline');
  });

  it('reads of a no, with its reason, and nothing runs; a reload ends the question', async () => {
    const before = made();
    const { page, app, inside, answer, chat } = await show();
    const question = app.getByRole('group', { name: 'Question of the app of shop' });
    await inside.getByRole('button', { name: 'Add a pond' }).click();
    await question.getByLabel('Reason for a rejection').fill('too wet');
    await question.getByRole('button', { name: 'Reject' }).click();
    await chat.shows(answer, 'too wet');
    await inside.getByRole('button', { name: 'Add a pond' }).click();
    await question.waitFor();
    await page.reload();
    await inside.getByText('a duck').waitFor();
    expect(await question.count()).toBe(0);
    expect(made()).toBe(before);
  });

  it.each([
    ['Question', 'Add a pond'],
    ['Link', 'Open the shop'],
  ])('is not answered by the click that made it ask: %s', async (what, button) => {
    const { app, inside } = await show();
    await inside.getByRole('button', { name: button }).click();
    const asked = app.getByRole('group', { name: `${what} of the app of shop`, includeHidden: true });
    await asked.waitFor();
    expect(await asked.getAttribute('inert')).not.toBe(null);
    await expect.poll(() => asked.getAttribute('inert'), { timeout: PATIENCE_MS }).toBe(null);
  });

  it.each(['Enter', 'Backspace'])(
    'is answered by Ctrl and a key only once a click could answer it: %s',
    async (key) => {
      const { page, app, inside, chat } = await show();
      await inside.getByText('a duck').waitFor();
      // The clock of the page stands still, so that the question stays as it appeared.
      await page.clock.install();
      await page.clock.pauseAt(Date.now() + 60_000);
      await inside.getByRole('button', { name: 'Add a pond' }).click();
      const question = app.getByRole('group', { name: 'Question of the app of shop', includeHidden: true });
      await question.locator('.asked-end').scrollIntoViewIfNeeded();
      await expect.poll(() => question.locator('button.primary').isEnabled(), { timeout: PATIENCE_MS }).toBe(true);
      await chat.message.press(`Control+${key}`);
      expect(await question.getAttribute('inert')).not.toBe(null);
      await page.waitForTimeout(300);
      expect(await question.count()).toBe(1);
      await page.clock.runFor(1_000);
      await expect.poll(() => question.getAttribute('inert'), { timeout: PATIENCE_MS }).toBe(null);
      await chat.message.press(`Control+${key}`);
      await question.waitFor({ state: 'detached' });
    },
  );

  it('opens a page by a click on its whole address only', async () => {
    const { page, context, app, inside, answer, chat } = await show();
    await context.route('https://shop.example/**', (route) => route.fulfill({ body: 'the shop' }));
    await inside.getByRole('button', { name: 'Open the shop' }).click();
    const link = app.getByRole('group', { name: 'Link of the app of shop' });
    await link.getByText('https://shop.example/order?id=1', { exact: true }).waitFor();
    expect(context.pages()).toHaveLength(1);
    await link.getByRole('button', { name: 'Do not open' }).click();
    await chat.shows(answer, 'did not open');
    await inside.getByRole('button', { name: 'Open the shop' }).click();
    const opened = context.waitForEvent('page');
    await link.getByRole('link', { name: 'Open shop.example' }).click();
    expect(await (await opened).evaluate(() => globalThis.opener)).toBe(null);
    await page.bringToFront();
    await chat.shows(answer, '{"result":{}}');
    await inside.getByRole('button', { name: 'Open a script' }).click();
    await chat.shows(answer, 'not one that a browser should open');
    await inside.getByRole('button', { name: 'Ask for much' }).click();
    await chat.shows(answer, 'Too many requests wait already');
  });

  it('puts a text into the message box and sends nothing, and only while the person is at work in it', async () => {
    const { inside, chat, answer } = await show();
    const sent = await chat.questions.count();
    await inside.getByRole('button', { name: 'Ask about it' }).click();
    await expect.poll(() => chat.message.inputValue(), { timeout: PATIENCE_MS }).toBe('What is in the cart?');
    await inside.getByRole('button', { name: 'Say it later' }).click();
    await chat.message.focus();
    await chat.shows(answer, 'only while the person is at work');
    expect(await chat.message.inputValue()).toBe('What is in the cart?');
    expect(await chat.questions.count()).toBe(sent);
  });

  it('reads resources of its server, and is as high as it may be', async () => {
    const { page, app, inside, answer, chat } = await show();
    await inside.getByRole('button', { name: 'Read the note' }).click();
    await chat.shows(answer, 'note of shop');
    const height = async () => Math.round((await app.locator('iframe').boundingBox())?.height ?? 0);
    await inside.getByRole('button', { name: 'Grow' }).click();
    await expect.poll(height, { timeout: PATIENCE_MS }).toBe(600);
    await inside.getByRole('button', { name: 'Shrink' }).click();
    await expect.poll(height, { timeout: PATIENCE_MS }).toBe(60);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  });

  it('says why it cannot be shown', async () => {
    const { app } = await show('missing');
    await app.getByText(/The app cannot be shown\./).waitFor();
  });

  it('that tries to get out reaches nothing', async () => {
    const { page, context, inside, chat, app } = await show('attack');
    page.on('dialog', (dialog) => void dialog.dismiss());
    await inside.getByText('done: GOT yes').waitFor({ timeout: PATIENCE_MS });
    for (const asked of ['x2', 'x3', 'x7'])
      await inside.getByText(`answer to ${asked}`).waitFor({ timeout: PATIENCE_MS });
    const tried = await inside.locator('#tried li').allTextContents();
    expect(tried.filter((text) => text.includes('GOT') && !text.startsWith('answer'))).toEqual(['done: GOT yes']);
    expect(tried.filter((text) => text.startsWith('refused'))).toEqual([]);
    const answers = tried.filter((text) => text.startsWith('answer')).join('\n');
    expect(answers).toMatch(/x2: .*no tool/);
    for (const unknown of ['x5', 'x6', 'x7']) expect(answers).toMatch(new RegExp(`${unknown}: .*-32601`));
    expect(answers).toMatch(/x3: .*error|x3: .*code/);
    expect(answers).not.toContain(server.token);
    expect(await chat.message.inputValue()).toBe('');
    expect(context.pages()).toHaveLength(1);
    expect(page.url()).toContain(server.origin);
    // It may be of one frame only, and that one leads nowhere else.
    await inside.getByRole('button', { name: 'Leave' }).click();
    await page.waitForTimeout(500);
    expect(reached).toEqual([]);
    expect(await app.locator('iframe').count()).toBe(1);
  });

  it.each(['Flood', 'Huge'])('that sends too much is closed, and the page goes on: %s', async (name) => {
    const { app, inside, chat } = await show('attack');
    await inside.getByRole('button', { name }).click();
    await app.getByText('The app sent more messages than an app should, and was closed.').waitFor();
    expect(await app.locator('iframe').count()).toBe(0);
    await chat.message.fill('still here');
    expect(await chat.message.inputValue()).toBe('still here');
  });

  it('that is closed keeps its room while somebody is asked below it', async () => {
    const { page, chat } = await newPage.open(server.url);
    await chat.say('call attack, then call writeFile', 'waiting for you');
    const app = page.getByRole('region', { name: 'App of the MCP server shop' });
    const inside = page.frameLocator('iframe[title="App of shop: attack"]');
    const height = async (): Promise<number> => (await app.boundingBox())?.height ?? 0;
    await app.scrollIntoViewIfNeeded();
    await inside.getByText('done: GOT yes').waitFor({ timeout: PATIENCE_MS });
    const before = await height();
    await inside.getByRole('button', { name: 'Flood' }).click();
    await app.getByText('The app sent more messages than an app should, and was closed.').waitFor();
    expect(await app.locator('iframe').count()).toBe(0);
    expect(await height()).toBe(before);
    await chat.button('Reject').click();
    await chat.becomes('ready');
    await expect.poll(height, { timeout: PATIENCE_MS }).toBeLessThan(before - 100);
  });

  it('that never ends its script leaves the page usable', async () => {
    const { page, app, inside, chat } = await show('attack');
    await inside
      .getByRole('button', { name: 'Spin' })
      .click({ noWaitAfter: true, timeout: 5_000 })
      // The click itself may never be answered.
      .catch(() => {});
    const answer = inside.locator('body').evaluate(() => 'an answer');
    const first = await Promise.race([answer.catch(String), page.waitForTimeout(1_000).then(() => 'silence')]);
    expect(first).toBe('silence');
    await chat.message.fill('still here');
    expect(await chat.message.inputValue()).toBe('still here');
    await app.getByRole('button', { name: 'Close app' }).click();
    expect(await app.locator('iframe').count()).toBe(0);
  });

  it('is closed if it goes on taking the keys of a person who writes', async () => {
    const { page, app, inside, chat } = await show('attack');
    await inside.getByRole('button', { name: 'Focus' }).click();
    await chat.message.click();
    // The first keys may get lost, and the rest is written again where it belongs.
    await page.keyboard.type('secret words', { delay: 120 });
    await app.getByText('The app was closed because it kept taking the focus while you were typing.').waitFor();
    expect(await chat.message.inputValue()).toMatch(/words$/);
  });

  it('cannot speak for another app', async () => {
    const { page, chat, requests } = await show('show_cart, then call attack');
    const good = page.frameLocator('iframe[title="App of shop: show_cart"]');
    const bad = page.frameLocator('iframe[title="App of shop: attack"]');
    await chat.tool('show_cart').scrollIntoViewIfNeeded();
    await good.getByText('a duck').waitFor();
    await chat.tool('attack').scrollIntoViewIfNeeded();
    await bad.getByText('answer to x2').waitFor({ timeout: PATIENCE_MS });
    // What it asked for was asked once, as its own.
    for (const asked of ['/apps/calls', '/apps/resources'])
      expect(requests.filter((url) => url.endsWith(asked))).toHaveLength(1);
    expect(await good.locator('#answer').textContent()).toBe('');
    expect(await good.getByText('poison').count()).toBe(0);
    expect(await chat.message.inputValue()).toBe('');
  });

  it('is worked with by the keyboard, and left again', async () => {
    const { page, app, inside } = await show();
    await inside.getByText('a duck').waitFor();
    await app.getByRole('button', { name: 'Close app' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    const question = app.getByRole('group', { name: 'Question of the app of shop' });
    await question.waitFor();
    await expect.poll(() => question.getAttribute('inert'), { timeout: PATIENCE_MS }).toBe(null);
    for (let presses = 0; presses < 30; presses += 1) {
      await page.keyboard.press('Tab');
      if (await question.getByRole('region').evaluate((element) => element === document.activeElement)) break;
    }
    await page.keyboard.press('End');
    await page.keyboard.press('Tab');
    await expect
      .poll(() => question.getByRole('button', { name: 'Approve' }).isEnabled(), { timeout: PATIENCE_MS })
      .toBe(true);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await question.waitFor({ state: 'detached' });
    await inside.getByRole('listitem').filter({ hasText: 'a pond' }).first().waitFor();
  });

  it.each(LOOKS)('looks well: $name', async ({ name, ...look }) => {
    const { page, app, inside } = await show('show_cart', look);
    await inside.getByText(look.colorScheme, { exact: true }).waitFor();
    await inside.getByRole('button', { name: 'Add a pond' }).click();
    await app.getByRole('group', { name: 'Question of the app of shop' }).waitFor();
    await page.waitForTimeout(1_000);
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1') writeFileSync(join(folder, `app ${name}.png`), await page.screenshot());
  });
});
