import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import fc from 'fast-check';
import { oddArguments } from '../../../../../test/tools/support/odd-arguments.js';
import { unspell } from '../../../../../test/tools/support/unspell.js';
import { describeInChromium, newFolder, useChromium, watchedPage } from './support/browser.js';
import { ChatPage } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { call, say, startModel } from './support/model.js';

const EVERYTHING = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');

const ODD = fc.sample(oddArguments, { numRuns: 4, seed: 11 });
const WORDS = Array.from({ length: 400 }, (_, at) => `word ${at + 1} `);

describeInChromium('approvals in Chromium', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  let model: Awaited<ReturnType<typeof startModel>>;
  beforeAll(async () => {
    model = await startModel(({ question, answered, offered }) => {
      if (answered > 0) return [say(question.includes('slowly') ? WORDS : `${answered} answered.`)];
      const [, path] = /write (\S+\.md)/.exec(question) ?? [];
      const write = call('writeFile', { actionName: `Write ${path}`, path, content: 'One\nTwo\n' });
      const echo = call(offered.find((name) => /echo/.test(name)) ?? 'echo', { message: 'from the page' });
      const [, sample] = /odd call (\d+)/.exec(question) ?? [];
      if (sample !== undefined)
        return [call(offered.find((name) => /echo/.test(name)) ?? 'echo', { ...ODD[Number(sample)], message: 'hi' })];
      const [, size] = /run (\d+) lines/.exec(question) ?? [];
      if (size !== undefined) {
        const command = `touch long.txt\n${'# a line\n'.repeat(Number(size))}touch EVIL-IN-THE-END`;
        return [call('shellCommand', { actionName: 'Look at the weather', command })];
      }
      if (question.includes('both')) return [say('I write and echo.'), write, echo];
      if (question.includes('echo')) return [echo];
      const agent = call('subAgent', {
        actionName: 'Hand it on',
        agent: 'document',
        task: question.replaceAll(/.*hand on: |".*/g, ''),
      });
      return [question.includes('hand on') ? agent : write];
    });
    const config = join(newFolder(), 'mcp.json');
    const everything = { command: process.execPath, args: [EVERYTHING] };
    writeFileSync(config, JSON.stringify({ mcpServers: { everything } }));
    server = await startChat({ baseURL: model.baseURL, args: ['--mcp-config', config] });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function open() {
    return newPage.open(server.url);
  }
  const written = (name: string): string => join(server.workspace, name);

  it('show what would be done, and nothing is done before the answer', async () => {
    const { chat } = await open();
    await chat.say('write shown.md', 'waiting for you');
    const card = chat.tool('writeFile');
    expect(await card.textContent()).toMatch(/shown\.md.*Write shown\.md.*waiting for you.*shown\.md.*\+ One.*\+ Two/s);
    expect(existsSync(written('shown.md'))).toBe(false);
    await chat.approve(card);
    await chat.becomes('ready');
    await chat.shows(chat.tool('writeFile'), 'done');
    expect(readFileSync(written('shown.md'), 'utf8')).toBe('One\nTwo\n');
    expect(await chat.answers.count()).toBe(1);
  });

  it('about a file that exists show which lines go and come, and a file that changed meanwhile stays as it is', async () => {
    const { chat } = await open();
    writeFileSync(written('there.md'), 'One\nZwei\n');
    await chat.say('write there.md', 'waiting for you');
    const card = chat.tool('writeFile');
    const asked = card.getByRole('region', { name: 'All of writeFile' });
    expect(await asked.innerText()).toMatch(/^file there\.md \+1 −1\s+1\s*One\s+2\s*- Zwei\s+2\s*\+ Two/);
    writeFileSync(written('there.md'), 'Mine\n');
    await chat.approve(card);
    await chat.becomes('ready');
    await chat.shows(card, 'failed');
    await chat.shows(
      card.locator('.tool-remark'),
      'there.md is not as the person was shown it: it had 9 bytes, and now it has 5. Nothing was written.',
    );
    expect(readFileSync(written('there.md'), 'utf8')).toBe('Mine\n');
    await chat.say('write there.md', 'waiting for you');
    await chat.approve(card.last());
    await chat.becomes('ready');
    await chat.shows(card.last(), 'done');
    expect(readFileSync(written('there.md'), 'utf8')).toBe('One\nTwo\n');
  });

  it('about a long change take no Ctrl+Enter before its last line was in view', async () => {
    const { chat, page } = await open();
    writeFileSync(written('long.md'), 'line that goes\n'.repeat(500));
    await chat.say('write long.md', 'waiting for you');
    await chat.message.press('Control+Enter');
    const asked = page.getByRole('region', { name: 'All of writeFile' });
    await expect.poll(() => asked.evaluate((region) => region === document.activeElement)).toBe(true);
    await chat.becomes('waiting for you');
    expect(await asked.textContent()).toContain('+2 −500');
    await page.keyboard.press('End');
    await expect.poll(() => chat.button('Approve').isEnabled()).toBe(true);
    await chat.message.press('Control+Enter');
    await chat.becomes('ready');
    expect(readFileSync(written('long.md'), 'utf8')).toBe('One\nTwo\n');
  });

  it('of a long call offer no yes before its end was scrolled into view, by the keyboard alone too', async () => {
    const { chat, page } = await open();
    await chat.say('run 4 lines', 'waiting for you');
    await expect.poll(() => chat.button('Approve').isEnabled()).toBe(true);
    await chat.button('Reject').click();
    await chat.becomes('ready');
    await chat.say('run 2000 lines', 'waiting for you');
    const approve = chat.button('Approve');
    const asked = page.getByRole('region', { name: 'All of shellCommand' });
    await approve.scrollIntoViewIfNeeded();
    await page.waitForTimeout(300);
    expect(await approve.isDisabled()).toBe(true);
    await approve.evaluate((button) => (button as HTMLButtonElement).click());
    expect(await asked.textContent()).toContain('EVIL-IN-THE-END');
    expect(await asked.textContent()).toContain('the model calls it: Look at the weather');
    await asked.focus();
    await page.keyboard.press('End');
    await expect.poll(() => approve.isEnabled()).toBe(true);
    await page.keyboard.press('Tab');
    expect(existsSync(written('EVIL-IN-THE-END'))).toBe(false);
    await page.keyboard.press('Enter');
    await chat.becomes('ready');
    expect(existsSync(written('EVIL-IN-THE-END'))).toBe(true);
  });

  it.each(ODD.map((args, at) => [at, args] as const))('hold every key and value: odd call %i', async (at, args) => {
    const { chat, page } = await open();
    await chat.say(`odd call ${at}`, 'waiting for you');
    const shown = await page
      .getByRole('region', { name: /^All of / })
      .locator('pre')
      .textContent();
    expect(JSON.parse(unspell(shown ?? ''))).toStrictEqual(JSON.parse(JSON.stringify({ ...args, message: 'hi' })));
  });

  it('of the app and of MCP go on in one message, in any order, each with its own answer', async () => {
    const { chat, page } = await open();
    await chat.say('write both.md and echo, both', 'waiting for you');
    const echo = page.getByRole('group', { name: /^Tool .*echo$/ });
    await chat.approve(echo);
    await chat.shows(echo, 'Waiting for your other answers');
    await chat.becomes('waiting for you');
    await chat.approve(chat.tool('writeFile'));
    await chat.becomes('ready');
    await chat.shows(echo, 'done');
    await chat.shows(chat.tool('writeFile'), 'done');
    expect(await chat.answers.count()).toBe(1);
    expect(existsSync(written('both.md'))).toBe(true);
  });

  it('are still there after a reload, and in the list of chats', async () => {
    const { chat, page } = await open();
    await chat.say('write later.md', 'waiting for you');
    await page.reload();
    await chat.becomes('waiting for you');
    await chat.shows(page.getByRole('navigation', { name: 'Chats' }).getByRole('link'), 'waiting for you');
    await chat.approve();
    await chat.becomes('ready');
    expect(existsSync(written('later.md'))).toBe(true);
  });

  it('are answered from an empty message box by keys, and never while something is written', async () => {
    const { chat, page } = await open();
    await chat.say('write by-keys.md', 'waiting for you');
    await chat.message.fill('a draft');
    await chat.message.press('Control+Backspace');
    await chat.message.press('Control+a');
    await chat.message.press('Delete');
    await chat.becomes('waiting for you');
    await expect.poll(() => chat.button('Approve').isEnabled()).toBe(true);
    await chat.message.press('Control+Enter');
    await chat.becomes('ready');
    expect(existsSync(written('by-keys.md'))).toBe(true);
    await chat.say('write not-by-keys.md', 'waiting for you');
    await chat.message.press('Control+Backspace');
    await chat.becomes('ready');
    expect(existsSync(written('not-by-keys.md'))).toBe(false);
    await chat.say('run 300 lines', 'waiting for you');
    await chat.message.press('Control+Enter');
    const asked = page.getByRole('region', { name: 'All of shellCommand' });
    await expect.poll(() => asked.evaluate((region) => region === document.activeElement)).toBe(true);
    await chat.becomes('waiting for you');
    await chat.button('Reject').click();
    await chat.becomes('ready');
  });

  it('may be refused with a reason, which the model reads', async () => {
    const { chat } = await open();
    await chat.say('write refused.md', 'waiting for you');
    await chat.page.getByRole('textbox', { name: 'Reason for a rejection' }).fill('Not in this folder.');
    await chat.button('Reject').click();
    await chat.becomes('ready');
    await chat.shows(chat.tool('writeFile'), /denied.*Not in this folder\./s);
    expect(existsSync(written('refused.md'))).toBe(false);
  });

  it('that were passed over are over: not answered, not run, after a reload too', async () => {
    const { chat, page } = await open();
    await chat.say('write passed.md', 'waiting for you');
    await chat.say('echo', 'waiting for you');
    for (const when of ['before', 'after']) {
      const card = chat.tool('writeFile');
      await chat.shows(card, /not answered.*Not run: you sent another message instead\./s);
      expect(await card.textContent(), when).not.toMatch(/waits? for you|Always in this chat/);
      expect(await chat.button('Approve').count(), when).toBe(1);
      await page.reload();
      await chat.becomes('waiting for you');
    }
    await chat.button('Reject').click();
    await chat.becomes('ready');
    expect(existsSync(written('passed.md'))).toBe(false);
  });

  it('may be given once and for all in a chat', async () => {
    const { chat, page } = await open();
    await chat.say('echo', 'waiting for you');
    await chat.button('Always in this chat').click();
    await chat.becomes('ready');
    await chat.say('echo');
    const echo = page.getByRole('group', { name: /^Tool .*echo$/ });
    expect(await echo.count()).toBe(2);
    await chat.button('New chat').click();
    await chat.say('echo', 'waiting for you');
  });

  it('of a sub-agent are answered while it waits, and it goes on', async () => {
    const { chat, page } = await open();
    await chat.say('hand on: write agent.md', 'waiting for you');
    const agent = page.getByRole('region', { name: 'Sub-agent document' });
    await chat.shows(agent, 'write agent.md');
    await chat.shows(agent, 'Needs approval because it writes a file.');
    // The task in words, and one state.
    const card = await chat.tool('subAgent').innerText();
    expect(card).toContain('write agent.md');
    expect(card).not.toContain('"task"');
    expect(card.match(/waiting for you|running/g)).toEqual(['waiting for you']);
    await agent.getByText('Assigned task').click();
    await chat.shows(agent, '"task": "write agent.md"');
    await chat.approve(agent);
    await chat.becomes('ready');
    await chat.shows(agent, 'done');
    expect(existsSync(written('agent.md'))).toBe(true);
    await page.reload();
    await chat.shows(agent, '1 answered.');
    await agent.getByText('write agent.md').first().click();
    await agent.getByText('Show all steps').click();
    await chat.shows(agent.getByRole('group', { name: 'Tool writeFile' }), 'Write agent.md');
  });

  it('of a sub-agent are there again after a reload', async () => {
    const { chat, page } = await open();
    await chat.say('hand on: write reloaded.md', 'waiting for you');
    await page.reload();
    await chat.becomes('waiting for you');
    await chat.button('Reject').click();
    await chat.becomes('ready');
    expect(existsSync(written('reloaded.md'))).toBe(false);
  });

  it('of two browsers count once: the late one says so and shows the result', async () => {
    const { chat, page } = await open();
    await chat.say('write once.md', 'waiting for you');
    const { chat: late } = await open();
    await late.page.goto(page.url());
    await late.becomes('waiting for you');
    await chat.approve();
    await chat.becomes('ready');
    await late.button('Reject').click();
    await late.shows(late.page.getByRole('alert'), 'This question was answered before.');
    await late.becomes('ready');
    await late.shows(late.tool('writeFile'), 'done');
    expect(readFileSync(written('once.md'), 'utf8')).toBe('One\nTwo\n');
  });

  it('go on after a reload in the middle of what follows, and nothing is shown twice', async () => {
    const { chat, page } = await open();
    await chat.say('write slowly.md, then tell slowly', 'waiting for you');
    await chat.approve();
    await chat.shows(chat.answers, 'word 40 ');
    await page.reload();
    await chat.becomes('working');
    await chat.shows(chat.tool('writeFile'), 'done');
    await chat.becomes('ready');
    const text = (await chat.answers.last().textContent()) ?? '';
    expect(text.match(/word 1 /g)).toHaveLength(1);
    expect(text.match(/word \d+ /g)).toHaveLength(WORDS.length);
    expect(await chat.tool('writeFile').count()).toBe(1);
  });

  it('answered in one tab are seen in the other without a click', async () => {
    const { chat, page, context } = await open();
    await chat.say('write seen.md', 'waiting for you');
    const other = new ChatPage((await watchedPage(context)).page);
    await other.open(`${page.url()}#token=${server.token}`);
    await other.becomes('waiting for you');
    await chat.approve();
    await chat.becomes('ready');
    await other.becomes('ready');
    await other.shows(other.tool('writeFile'), 'done');
  });
});
