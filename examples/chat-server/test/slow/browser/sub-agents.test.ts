import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { ChatPage } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { call, say, startModel } from './support/model.js';

describeInChromium('sub-agents in Chromium, whose server is killed', () => {
  const newPage = useChromium();
  const workspace = newFolder();
  let server: ChatProcess;
  let model: Awaited<ReturnType<typeof startModel>>;

  beforeAll(async () => {
    model = await startModel(({ question, answered }) => {
      if (answered > 0) return [say(`${answered} answered.`)];
      const agent = call('subAgent', { agent: 'shell', task: question.replaceAll(/.*hand on: |".*/g, '') });
      if (question.includes('hand on')) return [agent];
      const [, path] = /write (\S+\.md)/.exec(question) ?? [];
      if (path !== undefined) return [call('writeFile', { path, content: 'One\nTwo\n' })];
      return [call('shellCommand', { command: 'bash -c "echo ran >> slow.txt; sleep 30"' })];
    });
    server = await startChat({ baseURL: model.baseURL, workspace });
  });
  afterAll(async () => {
    await server.stop('SIGKILL');
    await model.close();
  });

  async function killAndStart(): Promise<void> {
    const port = Number(new URL(server.url).port);
    await server.stop('SIGKILL');
    server = await startChat({ baseURL: model.baseURL, workspace, port });
  }

  async function open(): Promise<ChatPage> {
    const { page } = await newPage();
    const chat = new ChatPage(page);
    await chat.open(server.url);
    return chat;
  }
  const written = (name: string): string => join(workspace, name);

  it('wait after a reload with the whole call, and go on in the same answer when they are approved by keyboard', async () => {
    const chat = await open();
    await chat.say('hand on: write later.md', 'waiting for you');
    await killAndStart();
    await chat.page.reload();
    await chat.becomes('waiting for you');
    const agent = chat.page.getByRole('region', { name: 'Sub-agent shell' });
    await chat.shows(agent, 'waiting for you');
    expect(await agent.getByRole('group', { name: 'Tool writeFile' }).textContent()).toMatch(
      /later\.md.*\+ One.*\+ Two/s,
    );
    await chat.shows(agent, 'Needs approval because it writes a file.');
    await chat.shows(agent, '“Always in this chat” will allow');
    expect(existsSync(written('later.md'))).toBe(false);
    await agent.locator('.asked-end').scrollIntoViewIfNeeded();
    await expect.poll(() => chat.button('Approve').isEnabled()).toBe(true);
    await chat.message.press('Control+Enter');
    await chat.becomes('ready');
    await chat.shows(agent, 'done');
    await chat.shows(chat.answers, '1 answered.');
    expect(await chat.answers.count()).toBe(1);
    expect(readFileSync(written('later.md'), 'utf8')).toBe('One\nTwo\n');
    await chat.page.reload();
    await chat.shows(chat.answers, '1 answered.');
    expect(await chat.answers.count()).toBe(1);
  });

  it('that worked have a button to go on, and what they did is not done again', async () => {
    const chat = await open();
    await chat.say('hand on: be slow', 'waiting for you');
    await chat.approve();
    await expect.poll(() => existsSync(written('slow.txt')), { timeout: 30_000 }).toBe(true);
    await killAndStart();
    await chat.page.reload();
    await chat.becomes('ready');
    const agent = chat.page.getByRole('region', { name: 'Sub-agent shell' });
    await chat.shows(agent, 'interrupted');
    await agent.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.shows(chat.answers, '1 answered.');
    await chat.becomes('ready');
    await chat.shows(agent, 'done');
    expect(await chat.button('Continue').count()).toBe(0);
    expect(readFileSync(written('slow.txt'), 'utf8')).toBe('ran\n');
  });
});
