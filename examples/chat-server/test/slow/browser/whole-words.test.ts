import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { call, say, startModel } from './support/model.js';
import { brokenWords } from './support/words.js';

const TABLE = `| Path | Line | Severity | Owner | What was found there |
| --- | ---: | --- | --- | --- |
| src/date/parse.ts | 120 | medium | none | The month is read before the day, which is wrong for most of the world |
| src/date/format.ts | 7 | high | everybody | An unrecognisable abbreviation |`;
const LONG = 'quack'.repeat(60);

describeInChromium('words on the page', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  let model: Awaited<ReturnType<typeof startModel>>;
  beforeAll(async () => {
    model = await startModel(({ question, answered }) => {
      if (question.includes('table')) return [say(TABLE)];
      if (question.includes('long')) return [say(`${LONG} \`${LONG}\` [${LONG}](https://example.com/${LONG})`)];
      const ask = call('shellCommand', { actionName: 'Make the file that is wanted', command: 'touch a-file.txt' });
      return [answered > 0 ? say('Done.') : ask];
    });
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  it.each([1280, 400])('are whole in tables and in the heads of cards, %i pixels wide', async (width) => {
    const { page, chat } = await newPage.open(server.url, { viewport: { width, height: 800 } });
    await chat.say('show a table');
    expect(await brokenWords(page.locator('th, td'))).toEqual([]);
    await chat.say('run it', 'waiting for you');
    expect(await brokenWords(page.locator('.tool-name, .tool-state, .claim'))).toEqual([]);
  });

  it.each([1280, 400])('are broken if one alone is wider than the page of %i pixels', async (width) => {
    const { page, chat } = await newPage.open(server.url, { viewport: { width, height: 800 } });
    await chat.say(`long: ${LONG}`);
    const room = await chat.log.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(room).toBe(0);
    expect(await brokenWords(page.locator('.markdown'))).not.toEqual([]);
  });
});
