import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ObserverEvent } from 'responses-loop';
import { describeInChromium, useChromium } from '../../../examples/chat-server/test/slow/browser/support/browser.js';
import { fileOf, loopEvents } from './support/loop-events.js';
import { buildCli, pageOf } from './support/make-page.js';

const folder = mkdtempSync(join(tmpdir(), 'timeline-page-'));
const START = 1_760_000_000_000;
let pages = 0;

/** So many people share a machine that tests run on. */
const PATIENCE = { timeout: 30_000 };
/** On a machine with other work. */
const BUSY = { timeout: 180_000 };

describeInChromium('the page of a timeline', () => {
  const newPage = useChromium();
  beforeAll(buildCli, 300_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function open(file: string, options: Parameters<typeof newPage>[0] = {}) {
    const path = join(folder, `${(pages += 1)}.html`);
    writeFileSync(path, await pageOf(file));
    const watched = await newPage(options);
    const url = pathToFileURL(path).href;
    await watched.page.goto(url);
    const { page } = watched;
    const grid = page.getByRole('treegrid');
    return {
      ...watched,
      url,
      grid,
      panel: page.getByRole('complementary', { name: 'Details' }),
      line: page.locator('[aria-selected="true"]'),
    };
  }

  const small = (): string => fileOf(loopEvents({ rounds: 4, toolsPerRound: 3 }));

  /** One call with a tool of this name, arguments and output. */
  function withTool(tool: string, output: string, source = 'files'): string {
    const place = { callNumber: 1, round: 0, callId: 'c1', tool, source };
    const request = (round: number, input: readonly object[]): object => ({
      type: 'request',
      callNumber: 1,
      round,
      url: 'http://127.0.0.1/',
      headers: {},
      body: { input },
    });
    const events = [
      { type: 'call-start', callNumber: 1, modelId: output.slice(0, 100) },
      { type: 'round-start', callNumber: 1, round: 0, tools: [tool] },
      request(0, [{ type: 'message', role: 'user', content: output }]),
      { type: 'retry', callNumber: 1, round: 0, url: '', attempt: 1, delayMs: 5, reason: output.slice(0, 1000) },
      { type: 'tool-start', ...place, arguments: { [output.slice(0, 100)]: output } },
      { type: 'tool-end', ...place, isError: true, output: output.slice(0, 2000), durationMs: 10 },
      { type: 'round-start', callNumber: 1, round: 1, tools: [] },
      request(1, [
        { type: 'message', role: 'user', content: output },
        { type: 'function_call_output', call_id: 'c1', output },
      ]),
      { type: 'mcp-error', server: tool, message: output.slice(0, 1000) },
      {
        type: 'call-end',
        callNumber: 1,
        finishReason: 'error',
        rounds: 2,
        durationMs: 100,
        error: { message: output.slice(0, 500) },
      },
    ];
    return fileOf(events.map((event, at) => [START + at * 10, event as ObserverEvent] as const));
  }

  const ATTACKS = {
    'the end of a script': '</script><script>document.title = "owned"</script>',
    'a comment that swallows the rest': '<!-- <script> <!--',
    'an image': '<img src=x onerror="document.title = \'owned\'"><svg onload=alert(1)>',
    'a link': '[click](javascript:document.title="owned") <a href="javascript:alert(1)">x</a>',
    'a foreign address': '<link rel=stylesheet href="http://127.0.0.1:9/x.css"> url(http://127.0.0.1:9/y.png)',
    'separators of lines': 'a\u2028b\u2029c\r\n\0d',
    'names that objects have': '__proto__ constructor toString',
    'half a character': 'a\ud83db\udc00',
  };

  it.each(Object.entries(ATTACKS))('lets nothing that a tool wrote do anything: %s', async (_name, text) => {
    const { page, requests, problems, url, grid, panel } = await open(withTool(text, `${text} and more`, text));
    const lines = await grid.getByRole('row').count();
    expect(lines).toBe(6);
    for (let at = 0; at < lines - 1; at += 1) {
      await page.keyboard.press(at === 0 ? 'Home' : 'ArrowDown');
      await page.keyboard.press('Enter');
      for (const summary of await panel.locator('summary').all()) await summary.click();
      await page.keyboard.press('Escape');
    }
    expect(await page.title()).toBe('events.jsonl · timeline');
    expect(await page.locator('a, img, link, iframe, script:not([type]) ~ script').count()).toBe(0);
    expect(requests).toEqual([url]);
    expect(problems).toEqual([]);
  });

  it('writes out what turns text around or cannot be seen', async () => {
    const { page, panel } = await open(withTool('safe\u202Egpj.exe', 'shown \u202Edrawkcab\u0007 \u{E0041}'));
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /exe/ }).first().click();
    expect(await panel.getByRole('heading').first().textContent()).toBe(String.raw`safe\u{202e}gpj.exe`);
    expect(await panel.textContent()).toContain(String.raw`shown \u{202e}drawkcab\u{7} \u{e0041}`);
  });

  it('shows an output of ten million characters piece by piece', async () => {
    const { page, panel } = await open(withTool('big', `${'0123456789'.repeat(1_000_000)}END`));
    await page.getByRole('row', { name: /big/ }).first().click();
    const output = panel.locator('section', { hasText: 'Output' });
    const more = output.getByRole('button', { name: /Show more \(20,000 of 10,000,003/ });
    expect((await output.locator('pre').textContent())?.length).toBe(20_000);
    await more.click();
    expect((await output.locator('pre').textContent())?.length).toBe(220_000);
    await page.keyboard.press('/');
    await page.keyboard.type('789end');
    await expect.poll(() => page.locator('.count').textContent(), PATIENCE).toBe('4 of 5 lines');
  });

  it('asks nothing of anybody, and its policy would not let it', async () => {
    const { page, requests, problems, url } = await open(small());
    const isStopped = await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.owned = true';
      document.body.append(script);
      const asked = await fetch('http://127.0.0.1:9/').then(
        () => 'answered',
        () => 'refused',
      );
      return [asked, 'owned' in window];
    });
    expect(isStopped).toEqual(['refused', false]);
    expect(
      problems.filter((problem) => /Content Security Policy.*(script-src|connect|default-src)/.test(problem)).length,
    ).toBeGreaterThan(1);
    expect(requests.filter((each) => each !== url && !each.startsWith('http://127.0.0.1:9/'))).toEqual([]);
  });

  it('works by the keyboard alone', async () => {
    const { page, line, panel, grid } = await open(small());
    const name = (): Promise<string | null> => line.locator('.name').textContent();
    await expect.poll(name, PATIENCE).toContain('Call 1');
    for (const [key, expected] of [
      ['ArrowDown', 'Round 1'],
      ['ArrowDown', 'read_file'],
      ['ArrowLeft', 'Round 1'],
      ['ArrowLeft', 'Round 1'],
      ['ArrowDown', 'Round 2'],
      ['ArrowUp', 'Round 1'],
      ['ArrowRight', 'Round 1'],
      ['ArrowRight', 'read_file'],
      ['End', 'Round 4'],
      ['Home', 'Call 1'],
      ['PageDown', ''],
    ] as const) {
      await page.keyboard.press(key);
      expect(await name()).toContain(expected);
    }
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await panel.isVisible()).toBe(true);
    expect(await panel.textContent()).toContain('src/room-0/file-0.ts');
    expect(await panel.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Escape');
    expect(await panel.isVisible()).toBe(false);
    expect(await grid.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await grid.focus();
    await page.keyboard.press('ArrowDown');
    expect(await panel.textContent()).toContain('src/room-0/file-1.ts');
  });

  it('finds by the filter what tools were given and gave, and shows the lines above', async () => {
    const { page, grid } = await open(
      fileOf(loopEvents({ rounds: 4, toolsPerRound: 3, output: (tool) => `gave ${tool}!` })),
    );
    await page.keyboard.press('/');
    await page.keyboard.type('GAVE 4!');
    const names = () => grid.locator('.row:not(.head) .label b').allTextContents();
    // The tool, the round it belongs to, and the round that sent what it gave.
    await expect.poll(names, PATIENCE).toEqual(['Call 1', 'Round 2', 'list_directory', 'Round 3']);
    expect(await page.locator('.count').textContent()).toBe('4 of 14 lines');
    await page.keyboard.press('Escape');
    await expect.poll(async () => (await names()).length, PATIENCE).toBe(14);
  });

  it('says what was sent again, and shows it on demand', async () => {
    const { page, panel } = await open(small());
    await page.getByRole('row', { name: /^.?Round 3/ }).click();
    expect(await panel.getByText('6 new items').isVisible()).toBe(true);
    expect(await panel.getByText('7 sent again').isVisible()).toBe(true);
    await panel.getByText('Sent again: 7 items').click();
    await expect.poll(() => panel.getByText('Find out why the tests fail').count(), PATIENCE).toBeGreaterThan(0);
    await panel.getByText('instructions').click();
    await expect.poll(() => panel.locator('pre', { hasText: 'You are careful.' }).count(), PATIENCE).toBe(1);
  });

  it('opens the line of a bar that is clicked, and says what it is', async () => {
    const { page, panel, line } = await open(small());
    await page.getByRole('button', { name: /Zoom in/ }).click();
    await page.locator('.lanes rect.tool').first().click();
    expect(await panel.getByRole('heading').first().textContent()).toBe('read_file');
    expect(await line.locator('.name').textContent()).toContain('read_file');
    expect(await page.locator('.lanes title').first().textContent()).toBe('read_file: done, 40 ms');
  });

  it.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 1280 },
    { colorScheme: 'light', width: 400 },
    { colorScheme: 'dark', width: 400 },
  ] as const)('fits and can be read: $colorScheme, $width pixels', async ({ colorScheme, width }) => {
    const { page, panel } = await open(small(), { colorScheme, viewport: { width, height: 800 } });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await panel.isVisible()).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    const cut = await page
      .locator('.row b')
      .evaluateAll((names) =>
        names.filter((name) => name.scrollWidth > name.clientWidth).map((name) => name.textContent),
      );
    expect(cut).toEqual([]);
    const contrasts = await page.evaluate(() => {
      const luminance = (color: string): number => {
        const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? []).map((part) => {
          const value = Number(part) / 255;
          return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const background = (element: Element): string => {
        const color = getComputedStyle(element).backgroundColor;
        const above = element.parentElement;
        return color === 'rgba(0, 0, 0, 0)' && above !== null ? background(above) : color;
      };
      return [...document.querySelectorAll('b, .side, .badge, .cell, dt, dd, .figures, .legend span')].map(
        (element) => {
          const [a, b] = [luminance(getComputedStyle(element).color), luminance(background(element))];
          return {
            what: element.className || element.tagName,
            contrast: (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05),
          };
        },
      );
    });
    // WCAG AA.
    expect(contrasts.filter(({ contrast }) => contrast < 4.5)).toEqual([]);
  });

  it('prints every line, with lanes, in dark letters', async () => {
    const { page } = await open(fileOf(loopEvents({ rounds: 40, toolsPerRound: 3 })), { colorScheme: 'dark' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('#print .row.round').count()).toBe(40);
    expect(await page.locator('#print .row.tool').count()).toBe(39 * 3);
    expect(await page.locator('#print svg.lanes rect').count()).toBeGreaterThan(40);
    expect(await page.locator('#app').isVisible()).toBe(false);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    await page.emulateMedia({ media: null });
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    expect(await page.locator('#print *').count()).toBe(0);
    // A sheet has some fifty lines.
    expect((await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeGreaterThan(
      2,
    );
  });

  it('opens a loop of 400 rounds and 4,788 tools quickly, and has only what is visible in the page', BUSY, async () => {
    const { page } = await open(fileOf(loopEvents({ rounds: 400, toolsPerRound: 12, output: () => 'done' })));
    // Under a second on a machine that does nothing else; this one may be busy.
    const opened = await page.evaluate(
      () => performance.getEntriesByType('navigation')[0]?.toJSON() as { domInteractive: number },
    );
    expect(opened.domInteractive).toBeLessThan(10_000);
    const lines = () => page.locator('.rows .row').count();
    expect(await lines()).toBeLessThan(80);
    for (const top of [50_000, 100_000, 1e9]) {
      await page.locator('.rows').evaluate((element, to) => void (element.scrollTop = to), top);
      await expect.poll(() => page.locator('.rows .row').first().isVisible(), PATIENCE).toBe(true);
      expect(await lines()).toBeLessThan(80);
    }
    await expect.poll(() => page.getByText('Round 400').count(), PATIENCE).toBeGreaterThan(0);
    for (let at = 0; at < 5; at += 1) await page.getByRole('button', { name: /Zoom in/ }).click();
    await expect.poll(() => page.locator('.lanes rect').count(), PATIENCE).toBeLessThan(1000);
  });

  it('tells assistive technology where it is in how much', async () => {
    const { grid, page } = await open(small());
    expect(await grid.getAttribute('aria-rowcount')).toBe('15');
    await page.keyboard.press('ArrowDown');
    const active = await grid.getAttribute('aria-activedescendant');
    const row = page.locator(`#${active}`);
    expect(await row.getAttribute('aria-level')).toBe('2');
    expect(await row.getAttribute('aria-expanded')).toBe('true');
    expect(await row.getAttribute('aria-rowindex')).toBe('3');
    expect(await grid.getByRole('columnheader').count()).toBeGreaterThan(5);
  });
});
