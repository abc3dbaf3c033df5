import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { ChatPage } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { call, say, startModel } from './support/model.js';

const PROGRAM = fileURLToPath(new URL('../../support/loopback-chat.mjs', import.meta.url));
const PAGE = `<title>Duck shop</title><button onclick="this.textContent = 'Sold'">Buy</button>`;
const JSX = `<View>
  <Card title="Ducks">
    <Stat label="Eggs" value={3} />
  </Card>
</View>
`;

describeInChromium('the browser of the model, and views of JSX', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  let shop: Server;
  let url = '';
  const workspace = newFolder();
  beforeAll(async () => {
    shop = createServer((_, answer) => answer.setHeader('content-type', 'text/html').end(PAGE));
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    url = `http://shop.test:${(shop.address() as AddressInfo).port}/`;
    model = await startModel(({ question, answered, text }) => {
      if (question.includes('buy') && answered === 1) {
        const [, ref = ''] = [...text.matchAll(/button \\*"Buy\\*"[^\\]*?\[ref=(\w+)\]/g)].at(-1) ?? [];
        return [call('browserAct', { origin: new URL(url).origin, ref, action: 'click' })];
      }
      if (answered > 0) return [say('Done.')];
      if (question.includes('view')) return [call('writeJsx', { path: 'ducks.jsx', content: JSX })];
      if (question.includes('broken'))
        return [call('writeJsx', { path: 'bad.jsx', content: '<View><script/></View>' })];
      return [call('browserOpen', { url })];
    });
    server = await startChat({ baseURL: model.baseURL, workspace, program: PROGRAM });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
    shop.close();
    shop.closeAllConnections();
  });

  async function open(options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage(options);
    const chat = new ChatPage(watched.page);
    await chat.open(server.url);
    return { ...watched, chat };
  }

  it.each(LOOKS)('ask by origin, and show a picture of each step: $name', async ({ viewport, colorScheme }) => {
    const { chat, page, problems, requests } = await open({ viewport, colorScheme });
    await chat.say('buy a duck', 'waiting for you');
    await page.getByText(`it opens a page of ${new URL(url).origin} in a browser`).waitFor();
    await chat.approve();
    await page.getByText(`it clicks button "Buy" on ${new URL(url).origin}`).waitFor();
    await chat.approve();
    await chat.becomes('ready');
    const pictures = page.getByRole('img', { name: `The browser at ${url}`, exact: true });
    await expect.poll(() => pictures.count()).toBe(2);
    expect(
      await pictures
        .last()
        .evaluate(async (img) => img instanceof HTMLImageElement && (await img.decode(), img.naturalWidth)),
    ).toBe(1280);
    const card = chat.tool('browserAct');
    await card.locator('summary').focus();
    await page.keyboard.press('Enter');
    await card.getByText('button "Sold"').waitFor();
    await card.getByText('Duck shop').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect(requests.filter((one) => !one.startsWith(server.origin) && !one.startsWith('blob:'))).toEqual([]);
  });

  it('ask no more at an origin that was allowed always in this chat', async () => {
    const { chat, page } = await open();
    await chat.say('buy a duck', 'waiting for you');
    await chat.approve();
    await page
      .getByText(`“Always in this chat” will allow: every step in the browser at ${new URL(url).origin}`)
      .waitFor();
    await page.locator('.asked-end').last().scrollIntoViewIfNeeded();
    await chat.button('Always in this chat').click();
    await chat.becomes('ready');
    await chat.say('buy another duck');
    expect(await chat.tool('browserAct').count()).toBe(2);
    expect(await chat.tool('browserAct').last().textContent()).toContain('done');
  });

  it('draws a file of JSX once it was approved, and again after a reload', async () => {
    const { chat, page, problems } = await open();
    await chat.say('show a view', 'waiting for you');
    await page
      .getByRole('region', { name: /^All of/ })
      .getByText('<Card title="Ducks">')
      .waitFor();
    await chat.approve();
    await chat.becomes('ready');
    await page.getByRole('region', { name: 'Ducks' }).getByText('Eggs').waitFor();
    expect(readFileSync(join(workspace, 'ducks.jsx'), 'utf8')).toBe(JSX);
    await page.reload();
    await page.getByRole('region', { name: 'Ducks' }).getByText('Eggs').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('draws nothing of a file that is wrong, and keeps it', async () => {
    const { chat, page } = await open();
    await chat.say('broken', 'waiting for you');
    await chat.approve();
    await chat.tool('writeJsx').getByText('failed').waitFor();
    expect(await page.locator('.view').count()).toBe(0);
    expect(readFileSync(join(workspace, 'bad.jsx'), 'utf8')).toBe('<View><script/></View>');
  });
});
