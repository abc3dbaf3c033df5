import { afterAll, beforeAll, expect, it } from 'vitest';
import { axeProblems } from './support/axe.js';
import { describeInChromium, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { call, say, startModel } from './support/model.js';

const COLOURS = [31, 32, 33, 34, 35, 36, 90, 41, 42, 43, 44, 45, 46, 7].map(
  (number) => `\\033[${number}m in ${number} \\033[0m`,
);
const COMMAND = `printf '1 %%\\r100 %%\\n${COLOURS.join('\\n')}\\n'; exit 3`;

describeInChromium('the output of a command', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    model = await startModel(({ answered }) =>
      answered > 0 ? [say('Done.')] : [call('shellCommand', { actionName: 'Run the tests', command: COMMAND })],
    );
    server = await startChat({ baseURL: model.baseURL });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  it.each(LOOKS)('has its colours once its card is opened, and fits: $name', async ({ viewport, colorScheme }) => {
    const { page, chat, requests, problems } = await newPage.open(server.url, { viewport, colorScheme });
    await chat.say('run', 'waiting for you');
    await chat.approve();
    await chat.becomes('ready');
    expect(requests.filter((url) => url.includes('terminal-body'))).toEqual([]);
    await chat.tool('shellCommand').locator('summary').click();
    const output = page.locator('.terminal pre');
    await output.waitFor();
    expect(await output.textContent()).toMatch(/^100 %\n in 31 \n in 32 /);
    await page.getByText('It ended with exit code 3.').waitFor();
    const [ink, red] = await output.evaluate((pre) => {
      const inkOf = (element: Element | null) => (element === null ? '' : getComputedStyle(element).color);
      return [inkOf(pre), inkOf(pre.querySelector('.ansi-ink-red'))];
    });
    expect(red).not.toBe(ink);
    expect(await axeProblems(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(problems).toEqual([]);
    const folder = process.env['SCREENSHOTS'];
    if (folder !== undefined && folder !== '1')
      await page.screenshot({ path: `${folder}/command-output-${viewport.width}-${colorScheme}.png` });
  });
});
