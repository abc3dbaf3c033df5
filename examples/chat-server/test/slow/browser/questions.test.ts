import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { call, say, startModel } from './support/model.js';

describeInChromium('a question of an MCP server', () => {
  const newPage = useChromium();
  const workspace = newFolder();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(({ question, answered, text }) => {
      if (answered > 0) return [say(/"output":("(?:[^"\\]|\\.)*"|\[[^\]]*\])/.exec(text)?.[1] ?? 'No output.')];
      return [call('ask', { what: question.includes('page') ? 'page' : 'booking' })];
    });
    const args = mcpConfig(workspace, { booking: { ...MCP_SERVERS.asking, trust: true } });
    server = await startChat({ baseURL: model.baseURL, workspace, args });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function ask(what: string, options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage.open(server.url, options);
    const { chat } = watched;
    await chat.send(what);
    const form = watched.page.getByRole('region', { name: 'Question of the MCP server booking' });
    await form.waitFor();
    await chat.becomes('waiting for you');
    return { ...watched, chat, form };
  }

  it('is a form that survives a reload, shows what is wrong by each field, and is answered by the keyboard', async () => {
    const { page, chat, form, requests } = await ask('booking');
    await page.reload();
    await form.waitFor();
    expect(await form.getByLabel('Seats (optional)').inputValue()).toBe('2');
    expect(await form.getByLabel('By the window (optional)').isChecked()).toBe(true);
    await form.getByLabel('Your name').focus();
    await page.keyboard.type('A');
    await page.keyboard.press('Enter');
    await form.getByText('Expected 2 characters or more.').waitFor();
    // The page has found it: nothing was asked of the server.
    expect(requests.filter((url) => url.includes('/questions/'))).toEqual([]);
    await form.getByText('Required.').waitFor();
    expect(await form.getByLabel('Your name').getAttribute('aria-invalid')).toBe('true');
    await form.getByLabel('Your name').focus();
    await page.keyboard.type('da');
    await form.getByLabel('Meal').selectOption({ label: 'Vegetarian' });
    await form.getByLabel('Tea').check();
    await form.getByLabel('Day (optional)').fill('2026-12-24');
    await form.getByLabel('Seat (optional)', { exact: true }).fill('12G');
    await form.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Enter');
    await form.getByText('Expected a text that fits the pattern ^[0-9]+[A-F]$').waitFor();
    await form.getByLabel('Seat (optional)', { exact: true }).fill('12F');
    await form.getByRole('button', { name: 'Submit' }).focus();
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    await form.waitFor({ state: 'hidden' });
    await chat.shows(chat.answers.last(), 'Ada');
    const said = (await chat.answers.last().textContent()) ?? '';
    for (const value of ['2026-12-24', '"v"', '"t"']) expect(said.replaceAll('\\', '')).toContain(value);
  });

  it('can be declined', async () => {
    const { chat, form } = await ask('booking');
    await form.getByRole('button', { name: 'Decline' }).click();
    await chat.becomes('ready');
    await chat.shows(chat.answers.last(), 'decline');
  });

  it('about a page shows all of its address, and opens it only when it is followed', async () => {
    const { page, context, chat, form, requests } = await ask('page');
    await form.getByText('http://127.0.0.1:9/pay?order=1', { exact: true }).waitFor();
    expect(requests.filter((url) => url.includes('127.0.0.1:9/'))).toEqual([]);
    const opened = context.waitForEvent('page');
    await form.getByRole('link', { name: 'Open 127.0.0.1:9' }).click();
    const other = await opened;
    expect(await other.evaluate(() => globalThis.opener)).toBe(null);
    await page.bringToFront();
    await chat.becomes('ready');
    await chat.shows(chat.answers.last(), 'accept');
  });

  it.each(LOOKS)('looks well: $name', async ({ name, ...look }) => {
    const { page, chat, form } = await ask('form', look);
    await form.getByRole('button', { name: 'Submit' }).click();
    await form.getByText('Required.').first().waitFor();
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1')
      writeFileSync(join(folder, `question ${name}.png`), await page.screenshot());
    await form.getByRole('button', { name: 'Cancel' }).click();
    await chat.becomes('ready');
  });
});
