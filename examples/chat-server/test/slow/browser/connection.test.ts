import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBreakingLine } from './support/breaking-line.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { ChatPage, PATIENCE_MS } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { say, startModel } from './support/model.js';

const WORDS = Array.from({ length: 900 }, (_, at) => `word ${at + 1} `);

describeInChromium('a line that breaks', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(() => [say(WORDS)]);
    server = await startChat({ baseURL: model.baseURL, workspace: newFolder() });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function open() {
    return newPage.open(server.url);
  }

  it('in the middle of an answer is said, tried again, and nothing is missing or twice', async () => {
    const line = await startBreakingLine();
    const chat = new ChatPage((await newPage({ proxy: { server: line.address } })).page);
    await chat.open(server.url);
    await chat.send('Count.');
    for (const word of ['word 60 ', 'word 300 ']) {
      await chat.shows(chat.answers, word);
      line.cut();
      await chat.shows(chat.page.getByRole('alert'), /connection lost\. Reconnecting in \d+ s/i);
      line.mend();
    }
    await chat.becomes('ready');
    const text = (await chat.answers.last().textContent()) ?? '';
    expect(text.match(/word \d+ /g)).toHaveLength(WORDS.length);
    expect(await chat.page.getByRole('alert').count()).toBe(0);
    await line.close();
  });

  it('before a message arrives is said, and the message is sent once the server is back', async () => {
    const { chat, context } = await open();
    await context.setOffline(true);
    await chat.send('Are you there?');
    await chat.shows(chat.page.getByRole('alert'), /connection lost/i);
    await chat.shows(chat.questions, 'Are you there?');
    await context.setOffline(false);
    await chat.shows(chat.answers, 'word 900');
    await chat.becomes('ready');
    expect(await chat.questions.count()).toBe(1);
  });

  it('because the server was killed leaves what was stored, and the chat can be used', async () => {
    const { chat } = await open();
    await chat.send('Count, and die.');
    await chat.shows(chat.answers, 'word 60 ');
    const { port } = new URL(server.origin);
    await server.stop('SIGKILL');
    await chat.shows(chat.page.getByRole('alert'), /connection lost/i);
    server = await startChat({ baseURL: model.baseURL, workspace: server.workspace, port: Number(port) });
    await expect.poll(() => chat.status.textContent(), { timeout: 2 * PATIENCE_MS }).toBe('ready');
    await chat.shows(chat.questions, 'Count, and die.');
    await chat.say('Once more.');
    await chat.shows(chat.answers.last(), 'word 900');
  });
});

describeInChromium('a second message while a turn runs', () => {
  const newPage = useChromium();

  it('from another browser is refused, stays in its box, and the running turn is shown', async () => {
    const model = await startModel(() => [say(WORDS)]);
    const server = await startChat({ baseURL: model.baseURL });
    const [first, second] = [new ChatPage((await newPage()).page), new ChatPage((await newPage()).page)];
    await first.open(server.url);
    await first.say('Count.');
    await second.open(server.url);
    await second.page.goto(first.page.url());
    await second.shows(second.answers, 'word 900');
    await first.send('Count again.');
    await first.becomes('working');
    await second.send('Me too!');
    await second.shows(second.page.getByRole('alert'), 'The model is still working in this chat');
    await second.shows(second.questions, 'Count again.');
    expect(await second.message.inputValue()).toBe('Me too!');
    await second.becomes('ready');
    await second.shows(second.answers.last(), 'word 900');
    expect(await second.questions.count()).toBe(2);
    await server.stop();
    await model.close();
  });
});
