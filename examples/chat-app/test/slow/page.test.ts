import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';
import type { ScriptedServer } from 'responses-loop/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startStandIn } from '../../server/stand-in';
import { type RunningApp, type Sdk, startApp } from './support/start-app';

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
const SDKS: readonly Sdk[] = [6, 7];

describe.skipIf(!existsSync(CHROMIUM)).each(SDKS)('the chat app with AI SDK %i, in Chromium', (sdk) => {
  let model: ScriptedServer;
  let app: RunningApp;
  let browser: Browser;
  beforeAll(async () => {
    model = await startStandIn();
    app = await startApp(sdk, model.baseURL);
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(async () => {
    await browser.close();
    await app[Symbol.asyncDispose]();
    await model.close();
  });

  const open = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(10_000);
    await page.goto(app.url);
    return page;
  };
  const say = async (page: Page, text: string): Promise<void> => {
    await page.getByLabel('Message').fill(text);
    await page.getByRole('button', { name: 'Send' }).click();
  };
  const card = (page: Page, tool: string) => page.getByRole('region', { name: tool }).last();

  it('runs a read-only tool without a question, and shows its result', async () => {
    const page = await open();
    await say(page, 'list my notes');
    await page.getByText('The tool answered').waitFor();
    expect(await card(page, 'listNotes').textContent()).toContain('Done: ["Buy seed for the ducks"');
  });

  it('runs the others once the user has pressed Approve, and shows all of it again after a reload', async () => {
    const page = await open();
    await say(page, 'add Call Ada');
    expect(await card(page, 'addNote').locator('pre').textContent()).toContain('Call Ada');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText(/The tool answered: Note \d+ is saved/).waitFor();
    await page.reload();
    await page.getByText(/The tool answered: Note \d+ is saved/).waitFor();
    expect(await card(page, 'addNote').getByRole('status').textContent()).toMatch(/^Done: "Note \d+ is saved/);
    await say(page, 'list my notes');
    await card(page, 'listNotes').getByText('Call Ada').waitFor();
  });

  it('does not run what the user has denied', async () => {
    const page = await open();
    await say(page, 'add Sell the ducks');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByText('The tool answered').waitFor();
    expect(await card(page, 'addNote').getByRole('status').textContent()).toContain('did not run');
    await say(page, 'list my notes');
    await page.getByText('The tool answered: [').waitFor();
    expect(await card(page, 'listNotes').textContent()).not.toContain('Sell the ducks');
  });

  it('has the question after a reload, and cancels the call if the user writes something else', async () => {
    const page = await open();
    await say(page, 'add Feed the geese');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await say(page, 'hello');
    await page.getByText('I am the demo model').waitFor();
    expect(await card(page, 'addNote').getByRole('status').textContent()).toBe('Not answered, so it did not run.');
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
  });

  it('stops an answer at the server, and keeps the part that has come', async () => {
    const page = await open();
    await say(page, 'tell me a story');
    await page.getByText('Once upon a time').waitFor();
    const request = model.requests.at(-1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await request?.closed;
    expect(request?.aborted).toBe(true);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.reload();
    await page.getByText('Once upon a time').waitFor();
  });

  it('shows a call that the user has stopped as stopped, also after a reload', async () => {
    const page = await open();
    await say(page, 'add slowly');
    const outcome = card(page, 'addNote').getByRole('status');
    await outcome.getByText('In progress…').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await outcome.getByText('Stopped.').waitFor();
    await page.reload();
    await outcome.getByText('Stopped.').waitFor();
  });

  it('runs nothing by an approval that the browser made up', async () => {
    const page = await open();
    await say(page, 'add Feed the geese');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await page.evaluate(() => {
      const kept = localStorage.getItem('chat-app-messages') ?? '';
      localStorage.setItem('chat-app-messages', kept.replaceAll('Feed the geese', 'Sell the geese'));
    });
    await page.reload();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('The tool answered').waitFor();
    await say(page, 'list my notes');
    await page.getByText('The tool answered: [').waitFor();
    expect(await card(page, 'listNotes').textContent()).not.toContain('Sell the geese');
  });
});
