import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pictureTypeOf } from 'responses-loop-example-shared/picture-type.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { pictureBytes, PICTURES, SVG } from '../../support/pictures.js';
import { axeProblems } from './support/axe.js';
import { describeInChromium, newFolder, useChromium } from './support/browser.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { LOOKS } from './support/looks.js';
import { call, type Output, say, startModel } from './support/model.js';

const cited = (url: string, title: string) => ({ type: 'url_citation', url, title, start_index: 0, end_index: 4 });
const LONG = `https://a.example/${'long/'.repeat(40)}`;
const CITED: Output = {
  type: 'text',
  text: 'Ducks quack.',
  annotations: [cited(LONG, 'All about ducks'), cited('javascript:alert(1)', 'Bad')],
};
const MADE: Output = {
  type: 'item',
  item: { type: 'image_generation_call', id: 'ig_1', status: 'completed', result: PICTURES.png },
};

const BAR = {
  data: { values: [{ duck: 'Ada', eggs: 3 }] },
  mark: 'bar',
  encoding: { x: { field: 'duck' }, y: { field: 'eggs', type: 'quantitative' } },
};

const MARKUP = '<img src=x onerror="document.title=1">';
const VIEW = [
  { type: 'card', title: 'Ducks', children: [{ type: 'stat', label: 'Eggs', value: 3, note: MARKUP }] },
  { type: 'table', columns: ['duck', MARKUP], rows: [['Ada'.repeat(200), null]] },
  { type: 'list', items: ['quack'] },
];

describeInChromium('pictures, sources and views', () => {
  const newPage = useChromium();
  let model: Awaited<ReturnType<typeof startModel>>;
  let server: ChatProcess;
  beforeAll(async () => {
    const workspace = newFolder();
    writeFileSync(join(workspace, 'dot.png'), pictureBytes('png'));
    writeFileSync(join(workspace, 'evil.png'), SVG);
    model = await startModel(({ question, answered, text }) => {
      if (text.includes('"type":"image_generation"')) return [MADE];
      if (question.includes('cite')) return [CITED];
      if (question.includes('make')) return [MADE, say('Made.')];
      if (answered > 0) return [say('Seen.')];
      if (question.includes('delegate')) return [call('subAgent', { agent: 'default', task: 'make' })];
      if (question.includes('chart')) return [call('chartRender', { spec: BAR, alt: 'Eggs of each duck' })];
      if (question.includes('draw')) return [call('imageGenerate', { prompt: 'A duck', path: 'duck.png' })];
      if (question.includes('table')) return [call('jsonRender', { view: VIEW })];
      if (question.includes('evil')) return [call('viewImage', { path: 'evil.png' })];
      return question.includes('mcp')
        ? [call('get-tiny-image', {})]
        : [call('viewImage', { path: 'dot.png', alt: 'A green dot' })];
    });
    server = await startChat({
      baseURL: model.baseURL,
      workspace,
      args: mcpConfig(workspace, { everything: MCP_SERVERS.everything }),
    });
  });
  afterAll(async () => {
    await server.stop();
    await model.close();
  });

  async function open(options: Parameters<typeof newPage>[0] = {}) {
    const watched = await newPage.open(server.url, options);
    const { chat } = watched;
    const isDrawn = (alt: string): Promise<boolean> =>
      watched.page
        .getByRole('img', { name: alt, exact: true })
        .evaluate(async (img) => img instanceof HTMLImageElement && (await img.decode(), img.naturalWidth > 0));
    return { ...watched, chat, isDrawn };
  }

  it('that a sub-agent made are shown among its steps', async () => {
    const { chat, page, problems, isDrawn } = await open();
    await chat.say('delegate');
    await page.getByRole('region', { name: 'Sub-agent default' }).locator('summary').first().click();
    await page.getByText('Show all steps').click();
    await page.getByRole('img', { name: 'Picture that the model made' }).waitFor();
    expect(await isDrawn('Picture that the model made')).toBe(true);
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)('of the workspace are shown with their words, and fit: $name', async ({ viewport, colorScheme }) => {
    const { chat, page, problems, requests, isDrawn } = await open({ viewport, colorScheme });
    await chat.say('view');
    expect(await isDrawn('A green dot')).toBe(true);
    await chat.say('cite');
    await chat.answers.getByText('All about ducks').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
    expect(requests.filter((url) => !url.startsWith(server.origin) && !url.startsWith('blob:'))).toEqual([]);
  });

  it('are there again after a reload, and need the token', async () => {
    const { chat, page, requests, isDrawn } = await open();
    await chat.say('view');
    expect(await isDrawn('A green dot')).toBe(true);
    await page.reload();
    expect(await isDrawn('A green dot')).toBe(true);
    const address = requests.find((url) => url.includes('/pictures/')) ?? '';
    expect((await fetch(address)).status).toBe(401);
    const answer = await fetch(address, { headers: { authorization: `Bearer ${server.token}` } });
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('of an MCP server and of the model are shown, too', async () => {
    const { chat, isDrawn } = await open();
    await chat.say('mcp', 'waiting for you');
    await chat.approve();
    await chat.becomes('ready');
    expect(await isDrawn('Picture from the tool')).toBe(true);
    await chat.say('make');
    expect(await isDrawn('Picture that the model made')).toBe(true);
  });

  it('of charts and of the image tool are shown, and the latter is written after a yes', async () => {
    const { chat, page, problems, isDrawn } = await open();
    await chat.say('chart');
    expect(await isDrawn('Eggs of each duck')).toBe(true);
    const [svg] = await Promise.all([page.waitForEvent('download'), chat.button('Save as SVG').click()]);
    expect(svg.suggestedFilename()).toBe('Eggs-of-each-duck.svg');
    expect(readFileSync(await svg.path(), 'utf8')).toContain('</svg>');
    const [png] = await Promise.all([page.waitForEvent('download'), chat.button('Save as PNG').click()]);
    expect(png.suggestedFilename()).toBe('Eggs-of-each-duck.png');
    expect(pictureTypeOf(readFileSync(await png.path()))).toBe('image/png');
    await chat.say('draw', 'waiting for you');
    await page.getByText('the server draws a picture, which costs money').waitFor();
    expect(existsSync(join(server.workspace, 'duck.png'))).toBe(false);
    await chat.approve();
    await chat.becomes('ready');
    expect(await isDrawn('A duck')).toBe(true);
    expect(readFileSync(join(server.workspace, 'duck.png'))).toEqual(pictureBytes('png'));
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it.each(LOOKS)('of data are text in cards and tables, and fit: $name', async ({ viewport, colorScheme }) => {
    const { chat, page, problems } = await open({ viewport, colorScheme });
    await chat.say('table');
    await page.getByRole('region', { name: 'Ducks' }).getByText(MARKUP).waitFor();
    await page.getByRole('columnheader', { name: 'duck', exact: true }).waitFor();
    expect(await page.locator('.view img').count()).toBe(0);
    expect(await page.title()).not.toBe('1');
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    expect(await axeProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  it('are none if the bytes are those of something else', async () => {
    const { chat, page } = await open();
    await chat.say('evil');
    await chat.tool('viewImage').getByText('failed').waitFor();
    expect(await page.locator('article img').count()).toBe(0);
  });

  it('name their whole address by the keyboard, and lead to web pages only', async () => {
    const { chat, page } = await open();
    await chat.say('cite');
    const links = page.getByRole('list', { name: 'Sources' }).getByRole('link');
    expect(await links.count()).toBe(1);
    const whole = links.first().locator('.source-url');
    expect(await whole.isVisible()).toBe(false);
    await chat.message.focus();
    for (let tabs = 0; tabs < 40 && !(await whole.isVisible()); tabs += 1) await page.keyboard.press('Shift+Tab');
    expect(await whole.textContent()).toBe(LONG);
    expect(await whole.isVisible()).toBe(true);
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer');
  });
});
