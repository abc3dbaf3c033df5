import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInChromium, newFolder, useChromium, type WatchedPage } from './support/browser.js';
import { ChatPage } from './support/chat-page.js';
import { type ChatProcess, startChat } from './support/chat-process.js';
import { call, say, startModel } from './support/model.js';

const HOSTILE_MCP = fileURLToPath(new URL('support/hostile-mcp.mjs', import.meta.url));

/** Each tries to run, or to ask a server elsewhere. */
const attacksBy = (evil: string): string => `
<img src="${evil}/img.png" onerror="globalThis.wasHit=1">
<script>globalThis.wasHit=1;fetch('${evil}/script')</script>
<script src="${evil}/script.js"></script>
<svg onload="globalThis.wasHit=1"><image href="${evil}/svg.png"/></svg>
<iframe srcdoc="<script>parent.wasHit=1</script>" src="${evil}/frame"></iframe>
<style>@import url(${evil}/style.css); body{background:url(${evil}/bg.png)}</style>
<link rel="stylesheet" href="${evil}/link.css"><link rel="prefetch" href="${evil}/prefetch">
<base href="${evil}/"><meta http-equiv="refresh" content="0;url=${evil}/refresh">
<object data="${evil}/object"></object><embed src="${evil}/embed"><video src="${evil}/video" autoplay></video>
<form action="${evil}/form"><button autofocus onfocus="globalThis.wasHit=1">x</button></form>
<details open ontoggle="globalThis.wasHit=1">x</details>
<a href="javascript:globalThis.wasHit=1">html link</a>

![picture](${evil}/markdown.png) ![ref][pic] ![data](data:image/svg+xml,<svg/onload=globalThis.wasHit=1>)
[script](javascript:globalThis.wasHit=1) [case](JaVaScRiPt:globalThis.wasHit=1) [tab](java	script:globalThis.wasHit=1)
[entity](&#106;avascript:globalThis.wasHit=1) [encoded](%6Aavascript:globalThis.wasHit=1) [vb](vbscript:x)
[data](data:text/html,<script>globalThis.wasHit=1</script>) [blob](blob:${evil}/x) [file](file:///etc/passwd)
[relative](/api/sessions) [quote](https://example.com/"onmouseover="globalThis.wasHit=1) <javascript:globalThis.wasHit=1>
[ref][js] [^note] ${evil}/autolink

[pic]: ${evil}/reference.png
[js]: javascript:globalThis.wasHit=1
[^note]: <img src=x onerror=globalThis.wasHit=1>

# <img src=x onerror=globalThis.wasHit=1>

| <img src=x onerror=globalThis.wasHit=1> | ![cell](${evil}/cell.png) |
| --- | --- |
| \`<script>globalThis.wasHit=1</script>\` | [x](javascript:globalThis.wasHit=1) |

\`\`\`html"><img src=x onerror=globalThis.wasHit=1>
</code></pre><script>globalThis.wasHit=1</script>
\`\`\`
`;

describeInChromium('attacks on the page', () => {
  const newPage = useChromium();
  let [server, model]: [ChatProcess | undefined, Awaited<ReturnType<typeof startModel>> | undefined] = [
    undefined,
    undefined,
  ];
  let evil: Server;
  let attack: string;
  const reached: string[] = [];

  beforeAll(async () => {
    evil = createServer((request, response) => {
      reached.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(evil, 'listening');
    attack = attacksBy(`http://127.0.0.1:${(evil.address() as AddressInfo).port}`);
    const workspace = newFolder();
    mkdirSync(join(workspace, '.skills', 'ducks'), { recursive: true });
    writeFileSync(
      join(workspace, '.skills', 'ducks', 'SKILL.md'),
      `---\ndescription: ${attack.slice(1, 80)}\n---\n${attack}`,
    );
    const config = join(workspace, 'mcp.json');
    const entry = { command: process.execPath, args: [HOSTILE_MCP], env: { ATTACK: attack } };
    writeFileSync(config, JSON.stringify({ mcpServers: { hostile: entry } }));
    model = await startModel(({ question, answered, offered }) => {
      if (answered > 0) return [say(attack)];
      const input = {
        actionName: attack,
        path: `${attack.slice(1, 60)}.md`,
        content: attack,
        command: attack,
        agent: 'document',
        task: attack,
      };
      if (question.includes('call mcp'))
        return [call(offered.find((name) => /evil/.test(name)) ?? 'evil', { text: attack })];
      const [, name] = /call (\w+)/.exec(question) ?? [];
      if (name === 'updatePlan') return [call(name, { ...input, items: [{ text: attack, state: 'in_progress' }] })];
      if (name !== undefined) return [call(name, input)];
      return question.includes('attack') ? [{ type: 'reasoning', summary: [attack] }, say(attack)] : [say('Well.')];
    });
    const args = ['--mcp-config', config, '--model', '<img src=x onerror=globalThis.wasHit=1>'];
    server = await startChat({ baseURL: model.baseURL, workspace, args });
  });
  afterAll(async () => {
    await server?.stop();
    await model?.close();
    evil.close();
  });

  async function open(): Promise<WatchedPage & { readonly chat: ChatPage }> {
    const watched = await newPage();
    watched.page.on('dialog', (dialog) => void dialog.dismiss());
    const chat = new ChatPage(watched.page);
    await chat.open(server?.url ?? '');
    return { ...watched, chat };
  }

  /** Everything is opened and every link of the conversation is looked at. */
  async function expectHarmless({
    page,
    chat,
    requests,
    problems,
    context,
  }: Awaited<ReturnType<typeof open>>): Promise<void> {
    for (const summary of await page.locator('summary').all()) await summary.click();
    // What was cut off, an `onerror` or a request that was begun, comes within a few frames.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    const found = await page.evaluate(() => ({
      wasHit: Reflect.get(globalThis, 'wasHit') === 1,
      elements: document.querySelectorAll(
        '#page :is(script,iframe,object,embed,video,style,link,base,meta,svg[onload],img)',
      ).length,
      handlers: [...document.querySelectorAll('#page *')].filter((element) =>
        element.getAttributeNames().some((name) => name.startsWith('on')),
      ).length,
      links: [...document.querySelectorAll<HTMLAnchorElement>('[role=log] a')].map(({ protocol, rel, target }) => ({
        protocol,
        rel,
        target,
      })),
    }));
    expect(found).toMatchObject({ wasHit: false, elements: 0, handlers: 0 });
    for (const link of found.links) {
      expect(link).toEqual({
        protocol: expect.stringMatching(/^(https?|mailto):$/),
        rel: 'noopener noreferrer',
        target: '_blank',
      });
    }
    const foreign = requests.filter((url) => new URL(url).origin !== server?.origin && !url.startsWith('data:'));
    expect(foreign).toEqual([]);
    expect(reached).toEqual([]);
    expect(problems).toEqual([]);
    expect(context.pages()).toHaveLength(1);
    expect(page.url().startsWith(server?.origin ?? 'nowhere')).toBe(true);
    await chat.message.waitFor();
  }

  it('by what a model says and thinks', async () => {
    const watched = await open();
    await watched.chat.say('attack');
    await watched.chat.shows(watched.chat.answers, 'html link');
    await expectHarmless(watched);
    // Also once it comes from the store.
    await watched.page.reload();
    await watched.chat.shows(watched.chat.answers, 'html link');
    await expectHarmless(watched);
  });

  it('by what a person pastes, which becomes the title of the chat', async () => {
    const watched = await open();
    await watched.chat.message.fill(attack);
    await watched.chat.message.press('Enter');
    await watched.chat.shows(watched.chat.answers, /./);
    await watched.chat.becomes('ready');
    await watched.chat.shows(watched.page.getByRole('navigation').getByRole('link'), '<img src=');
    await expectHarmless(watched);
  });

  it.each(['writeFile', 'shellCommand', 'testApproval', 'updatePlan', 'readFile', 'noSuchTool"><img src=x>'])(
    'by the arguments, the name and the failure of a call: %s',
    async (tool) => {
      const watched = await open();
      await watched.chat.send(`call ${tool}`);
      await expect
        .poll(() => watched.chat.status.textContent(), { timeout: 30_000 })
        .toMatch(/ready|waiting for you|error/);
      await watched.chat.shows(watched.chat.answers, /./);
      await expectHarmless(watched);
    },
  );

  it('by a sub-agent: its task, its words, its calls', async () => {
    const watched = await open();
    await watched.chat.say('call subAgent');
    await watched.chat.shows(watched.page.getByRole('region', { name: /Sub-agent/ }), 'html link');
    await expectHarmless(watched);
  });

  it('by the name, the title and the results of an MCP tool', async () => {
    const watched = await open();
    await watched.chat.say('call mcp', 'waiting for you');
    await expectHarmless(watched);
    // Its end has to be seen before.
    await watched.page.getByRole('region', { name: /^All of / }).press('End');
    await watched.chat.button('Approve').click();
    await watched.chat.becomes('ready');
    await expectHarmless(watched);
  });

  it('by names of files, skills and models', async () => {
    const watched = await open();
    const { chat, page } = watched;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="globalThis.wasHit=1"><script>globalThis.wasHit=1</script></svg>`;
    await page.getByLabel('Attach files').setInputFiles([
      { name: '"><img src=x onerror=globalThis.wasHit=1>.txt', mimeType: 'text/plain', buffer: Buffer.from('x') },
      { name: 'picture.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) },
    ]);
    await chat.message.fill('/skill/ducks ');
    await chat.say('Look at these.');
    await chat.shows(chat.questions, '<img src=x');
    await chat.message.fill('/');
    await page.getByRole('option').first().waitFor();
    await expectHarmless(watched);
    await chat.button('Help').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expectHarmless(watched);
  });

  it('from outside: no frame shows it, and its answers say what a browser may do', async () => {
    const { page } = await newPage();
    const response = await page.goto(server?.url ?? '');
    expect(response?.headers()).toMatchObject({
      'content-security-policy':
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    });
    const foreign = await newPage();
    await foreign.page.setContent(`<iframe src="${server?.url}"></iframe>`);
    await expect.poll(() => foreign.problems.join('\n')).toMatch(/frame-ancestors|refused to connect/i);
  });
});
