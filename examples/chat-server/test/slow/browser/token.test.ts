import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { describeInChromium, useChromium, type WatchedPage, watchedPage } from './support/browser.js';
import { ChatPage, PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

describeInChromium('the token, in Chromium', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  let other: Server;
  let elsewhere: string;
  const heard: string[] = [];

  beforeAll(async () => {
    server = await startChat();
    other = createServer((request, response) => {
      heard.push(wholeOf(request));
      response.setHeader('set-cookie', 'from-elsewhere=1; Path=/').setHeader('content-type', 'text/html');
      response.end(`<img src="${server.origin}/api/models"><a id="back" href="${server.origin}/">back</a>`);
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    elsewhere = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await server.stop();
    other.closeAllConnections();
    other.close();
  });
  beforeEach(() => void heard.splice(0));

  async function open(): Promise<WatchedPage & { readonly chat: ChatPage }> {
    return newPage.open(server.url);
  }

  it('leaves the address bar and the history, and is in no cookie and no store but that of the tab', async () => {
    const { chat, page, context } = await open();
    await chat.say('Hello, ducks.');
    expect(await historyOf(context, page)).not.toContain(server.token);
    expect(page.url()).toMatch(/\/c\/[\w-]+$/);
    expect(await context.cookies()).toEqual([]);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(server.token);
    expect(await page.evaluate(() => sessionStorage.getItem('token'))).toBe(server.token);
  });

  it('is sent to its own server in one header, and stands in no address and no referrer', async () => {
    const watched = await newPage();
    const seen: string[] = [];
    watched.page.on('request', (request) => {
      const { authorization, ...others } = request.headers();
      if (authorization !== undefined) expect(new URL(request.url()).origin).toBe(server.origin);
      // A browser sends no fragment.
      seen.push(request.url().replace(/#.*/, ''), JSON.stringify(others), request.postData() ?? '');
    });
    const chat = new ChatPage(watched.page);
    await chat.open(server.url);
    await chat.say('show markdown');
    await watched.page.reload();
    await chat.becomes('ready');
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.join('\n')).not.toContain(server.token);
    expect(server.log()).not.toContain(server.token);
    expect(watched.problems).toEqual([]);
  });

  it('goes to no other server of this machine, in the same tab, in another one, or by a link', async () => {
    const { chat, page, context } = await open();
    await chat.say('Hello.');
    await page.evaluate((url) => {
      const link = Object.assign(document.createElement('a'), { href: url, textContent: 'away', id: 'away' });
      document.body.append(link);
    }, `${elsewhere}/link`);
    await page.locator('#away').click();
    await page.locator('#back').waitFor();
    await page.goto(`${elsewhere}/same-tab`);
    expect(await page.evaluate(() => JSON.stringify([sessionStorage.length, document.referrer]))).toBe('[0,""]');
    const { page: tab } = await watchedPage(context);
    await tab.goto(`${elsewhere}/other-tab`);
    expect(heard.filter((text) => text.startsWith('GET')).length).toBeGreaterThanOrEqual(3);
    expect(heard.join('\n')).not.toContain(server.token);
    expect(heard.join('\n')).not.toMatch(/chat_token|authorization/i);
    // The tab that comes back has it still, and what others set for this host is not sent here.
    await page.locator('#back').click();
    await chat.becomes('ready');
  });

  it('is kept over a reload and a step back; a tab without it asks for it, and takes address or token', async () => {
    const { chat, page, context } = await open();
    await chat.say('Remember the pond.');
    const address = page.url();
    await page.reload();
    await chat.shows(chat.questions, 'Remember the pond.');
    const { page: tab, requests } = await watchedPage(context);
    await tab.goto(address);
    await tab.getByRole('heading', { name: 'Sign-in link required' }).waitFor();
    expect(requests.filter((url) => url.includes('/api/'))).toEqual([]);
    const field = tab.getByLabel('Or paste the link or the token here');
    for (const [pasted, answer] of [
      [`${elsewhere}/#token=${server.token}`, 'this page belongs to'],
      [`${server.origin}/`, 'has no token'],
      ['zwölf Zeichen', 'no spaces'],
      ['another-token-0123456789', 'did not accept the token'],
    ] as const) {
      await field.fill(pasted);
      await field.press('Enter');
      await tab.getByRole('alert').filter({ hasText: answer }).waitFor();
    }
    await field.fill(` ${server.url} `);
    await field.press('Enter');
    const late = new ChatPage(tab);
    await late.shows(late.questions, 'Remember the pond.');
    expect(tab.url()).toBe(address);
    expect(heard).toEqual([]);
  });

  it('in a query opens nothing, and leaves the address', async () => {
    const { page } = await newPage();
    await page.goto(`${server.origin}/?token=${server.token}`);
    await page.getByRole('heading', { name: 'Sign-in link required' }).waitFor();
    expect(page.url()).toBe(`${server.origin}/`);
  });

  it('in the address bar of a tab that has another one takes its place', async () => {
    const { page } = await newPage();
    await page.goto(`${server.origin}/#token=another-token-0123456789`);
    await page.getByRole('alert').filter({ hasText: 'did not accept the token' }).waitFor();
    await page.goto(server.url);
    const chat = new ChatPage(page);
    await expect.poll(() => chat.message.count(), { timeout: PATIENCE_MS }).toBe(1);
  });
});

function wholeOf({ method, url, rawHeaders }: IncomingMessage): string {
  return [method, url, ...rawHeaders].join(' ');
}

async function historyOf(context: BrowserContext, page: WatchedPage['page']): Promise<string> {
  const session = await context.newCDPSession(page);
  const { entries } = await session.send('Page.getNavigationHistory');
  return entries.map(({ url }) => url).join('\n');
}
