import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { say, startModel } from './support/model.js';

const ANSWER = `### A heading

- [x] Look
- [ ] Leap

| One |
| --- |
| 1 |

# Another heading

| Two |
| --- |
| 2 |`;

describeInChromium('what a model writes, for assistive technology', () => {
  const newPage = useChromium();
  let server: ChatProcess;
  let model: Awaited<ReturnType<typeof startModel>>;
  beforeAll(async () => {
    model = await startModel(() => [say(ANSWER)]);
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  it('has headings one below the title, named tasks, and no landmarks of the same name', async () => {
    const { page, chat } = await newPage.open(server.url);
    await chat.say('write');
    const answer = chat.answers.last();
    expect(await answer.getByRole('heading', { level: 2 }).allTextContents()).toEqual(['A heading', 'Another heading']);
    expect(await page.getByRole('heading', { level: 3 }).count()).toBe(0);
    expect(await answer.getByRole('img', { name: 'Done' }).count()).toBe(1);
    expect(await answer.getByRole('img', { name: 'To do' }).count()).toBe(1);
    expect(await answer.locator('input').count()).toBe(0);
    expect(await answer.getByRole('group', { name: 'Table' }).count()).toBe(2);
    expect(await answer.getByRole('region').count()).toBe(0);
  });
});
