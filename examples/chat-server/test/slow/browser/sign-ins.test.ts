import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mcpConfig } from '../../support/mcp-servers.js';
import { type SignInService, startSignInService } from '../../../../../test/tools/mcp/sign-in-service.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';

describeInChromium('the sign-in of an MCP server', () => {
  const newPage = useChromium();
  const workspace = newFolder();
  let service: SignInService;
  let server: ChatProcess;
  beforeAll(async () => {
    service = await startSignInService();
    const args = mcpConfig(workspace, { docs: { url: service.url } });
    server = await startChat({ workspace, args });
  });
  afterAll(async () => {
    await server.stop();
    service.close();
  });

  it('opens in a tab of its own, ends there, and the settings follow; no token comes to the page', async () => {
    const { page, context, requests, problems, chat } = await newPage.open(server.url, {
      viewport: { width: 400, height: 800 },
    });
    await chat.button('Settings').click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const link = settings.getByRole('link', { name: `Sign in at ${new URL(service.origin).host}` });
    await settings.getByText('needs sign-in').waitFor();
    expect(await axeProblems(page)).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1') writeFileSync(join(folder, 'sign-in.png'), await page.screenshot());
    const opened = context.waitForEvent('page');
    await link.focus();
    await page.keyboard.press('Enter');
    const tab = await opened;
    await tab.getByText('You are signed in at docs. You can close this tab.').waitFor();
    expect(await tab.evaluate(() => globalThis.opener)).toBe(null);
    await tab.close();
    await page.bringToFront();
    await settings.getByRole('button', { name: 'Sign out of docs' }).waitFor();
    await settings.getByRole('switch', { name: 'docs MCP server' }).waitFor();
    expect(requests.join('\n') + (await page.content())).not.toContain('secret-token-');
    expect(problems).toEqual([]);
    await settings.getByRole('button', { name: 'Sign out of docs' }).click();
    await link.waitFor();
  });

  it('asks for the client of a service that registers none, by the keyboard, and tells of a sign-out that is not whole', async () => {
    const given = await startSignInService({ client: { id: 'ours', secret: 'hidden' }, revocation: { status: 500 } });
    const own = newFolder();
    const chatServer = await startChat({ workspace: own, args: mcpConfig(own, { notes: { url: given.url } }) });
    const { page, context, chat } = await newPage.open(chatServer.url, { viewport: { width: 400, height: 800 } });
    await chat.button('Settings').click();
    const settings = page.getByRole('dialog', { name: 'Settings' });
    const form = settings.getByRole('form', { name: 'Client of notes' });
    await form.getByText(`${chatServer.origin}/oauth/callback`).waitFor();
    expect(await axeProblems(page)).toEqual([]);
    await form.getByLabel('Client ID').focus();
    await page.keyboard.type('ours');
    await page.keyboard.press('Tab');
    await page.keyboard.type('hidden');
    await page.keyboard.press('Enter');
    const opened = context.waitForEvent('page');
    await settings.getByRole('link', { name: `Sign in at ${new URL(given.origin).host}` }).click();
    const tab = await opened;
    await tab.getByText('You are signed in at notes.').waitFor();
    await tab.close();
    await settings.getByRole('button', { name: 'Sign out of notes' }).click();
    await settings.getByText('the service may still know its tokens: ').waitFor();
    await chatServer.stop();
    given.close();
  });
});
