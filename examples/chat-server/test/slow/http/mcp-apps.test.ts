import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AppCallNews } from '../../../src/apps/app-calls.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const workspace = newFolder();
const calls = join(workspace, 'calls.txt');
const uri = 'ui://shop/cart';
const add = { server: 'shop', tool: 'add_to_cart', input: { what: 'a pond' } };

beforeAll(async () => {
  model = await startScriptedModel();
  const entry = (NAME: string) => ({ ...MCP_SERVERS.apps, env: { NAME, CALLS: calls } });
  const args = mcpConfig(workspace, {
    shop: entry('shop'),
    other: entry('other'),
    kiosk: { ...entry('kiosk'), trust: true },
    closed: { ...entry('closed'), apps: false },
  });
  chat = await startChat({ baseURL: model.baseURL, workspace, args });
});
afterAll(async () => {
  await chat.end();
  await model.close();
});

async function newChat(): Promise<string> {
  const id = `chat-${randomUUID()}`;
  await chat.send(id, 'Hello');
  return id;
}

/** As a browser asks for the page of a frame. Host and `Sec-Fetch` headers are none that `fetch` sets. */
function openFrame(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; csp: string; body: string }> {
  const given = {
    'sec-fetch-site': 'same-origin',
    'sec-fetch-mode': 'navigate',
    'sec-fetch-dest': 'iframe',
    ...headers,
  };
  return new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port: chat.port, path, headers: given }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      const csp = String(response.headers['content-security-policy']);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, csp, body }));
    });
    asked.on('error', reject).end();
  });
}

async function* news(response: Response): AsyncGenerator<AppCallNews> {
  let rest = '';
  for await (const piece of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${rest}${piece}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as AppCallNews;
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

async function call(id: string, body: object, init: RequestInit = {}): Promise<AsyncGenerator<AppCallNews>> {
  return news(await chat.fetch('POST', `/api/sessions/${id}/apps/calls`, body, init));
}

const made = (): string => (existsSync(calls) ? readFileSync(calls, 'utf8') : '');

describe('the page of an app', () => {
  it('is given once to a frame, with a policy that shuts it in', async () => {
    const id = await newChat();
    const { status, json } = await chat.api<{ address: string }>('POST', `/api/sessions/${id}/apps`, {
      server: 'shop',
      uri,
    });
    expect(status).toBe(201);
    const page = await openFrame(json.address);
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Cart') });
    expect(page.csp).toContain('sandbox allow-scripts;');
    expect(page.csp).toContain("default-src 'none'");
    expect(page.csp).toContain('https://cdn.shop.example');
    expect(page.csp).not.toContain('script-src *');
    expect(await openFrame(json.address)).toMatchObject({ status: 404 });
  });

  it.each(['document', 'script', 'empty'])('is nothing for a browser that asks for it as a %s', async (dest) => {
    const id = await newChat();
    const { json } = await chat.api<{ address: string }>('POST', `/api/sessions/${id}/apps`, { server: 'shop', uri });
    expect(await openFrame(json.address, { 'sec-fetch-dest': dest })).toMatchObject({ status: 404 });
  });

  it('needs the token, a chat, a server that shows apps, and an address of it', async () => {
    const id = await newChat();
    const path = `/api/sessions/${id}/apps`;
    for (const [end, body] of [
      ['', { server: 'shop', uri }],
      ['/calls', add],
      ['/resources', { server: 'shop', uri }],
    ] as const) {
      const bare = await chat.fetch('POST', `${path}${end}`, body, { headers: { 'content-type': 'application/json' } });
      expect(bare.status).toBe(401);
      expect((await chat.api('POST', `/api/sessions/none/apps${end}`, body)).status).toBe(404);
    }
    for (const [body, status, words] of [
      [{ server: 'shop', uri: 'https://evil.example/' }, 422, 'uri'],
      [{ server: 'shop', uri, more: 1 }, 422, 'more'],
      [{ server: 'shop', uri: 'ui://shop/none' }, 502, 'ui://shop/none'],
      [{ server: 'nobody', uri }, 502, 'nobody'],
      [{ server: 'closed', uri }, 502, 'apps: true'],
    ] as const) {
      const answer = await chat.api('POST', path, body);
      expect(answer.status).toBe(status);
      expect(JSON.stringify(answer.json)).toContain(words);
    }
    expect(await openFrame('/apps/00000000000000000000000000000000')).toMatchObject({ status: 404 });
  });

  it('is not shown, reads nothing and calls nothing in a chat where its server is off', async () => {
    const id = await newChat();
    await chat.api('PATCH', `/api/sessions/${id}`, { off: [{ kind: 'server', server: 'shop' }] });
    expect((await chat.api('POST', `/api/sessions/${id}/apps`, { server: 'shop', uri })).status).toBe(409);
    expect((await chat.api('POST', `/api/sessions/${id}/apps/resources`, { server: 'shop', uri })).status).toBe(409);
    const [only] = await all(await call(id, add));
    expect(only).toMatchObject({ type: 'result', result: { isError: true } });
    expect(JSON.stringify(only)).toContain('switched off');
    expect(made()).toBe('');
  });
});

describe('a call of an app', () => {
  it('is asked about whole, runs once by a yes, and its answer counts in its own chat', async () => {
    const [id, other] = [await newChat(), await newChat()];
    const asked = await call(id, add);
    const { value: first } = await asked.next();
    if (first?.type !== 'question') throw new Error('Nobody was asked.');
    expect(first.question).toMatchObject({ toolName: 'shop__add_to_cart', input: { what: 'a pond' } });
    expect(first.question.descriptor).toMatchObject({ class: 'ask', always: false });
    const answer = (session: string) =>
      chat.api('POST', `/api/sessions/${session}/approvals/${first.question.id}`, { approved: true });
    expect((await answer(other)).status).toBe(404);
    expect(made()).toBe('');
    expect((await answer(id)).status).toBe(200);
    expect((await answer(id)).status).toBe(409);
    expect(await asked.next()).toMatchObject({
      value: { type: 'result', result: { structuredContent: { cart: ['a duck', 'a pond'] } } },
    });
    expect(await asked.next()).toMatchObject({ done: true });
    expect(made()).toBe('shop a pond\n');
  });

  it('does not run once its page is gone', async () => {
    const before = made();
    const id = await newChat();
    const gone = new AbortController();
    const asked = await call(id, add, { signal: gone.signal });
    const { value: first } = await asked.next();
    gone.abort();
    await asked.next().catch(() => undefined);
    const question = first?.type === 'question' ? first.question.id : '';
    await expect
      .poll(
        async () => (await chat.api('POST', `/api/sessions/${id}/approvals/${question}`, { approved: true })).status,
      )
      .toBe(409);
    expect(made()).toBe(before);
  });

  it.each([
    [{ ...add, tool: 'show_nothing' }, 'has no tool'],
    [{ ...add, server: 'nobody' }, 'nobody'],
    [{ ...add, tool: 'other__add_to_cart' }, 'has no tool'],
  ])('of a tool that its server does not have for it runs nothing: %j', async (body, words) => {
    const [only] = await all(await call(await newChat(), body));
    expect(only).toMatchObject({ type: 'error', message: expect.stringContaining(words) });
  });

  it('waits beside at most seven others of its chat', async () => {
    const id = await newChat();
    const gone = new AbortController();
    const waiting = await Promise.all(Array.from({ length: 8 }, () => call(id, add, { signal: gone.signal })));
    await Promise.all(waiting.map((one) => one.next()));
    expect((await chat.fetch('POST', `/api/sessions/${id}/apps/calls`, add)).status).toBe(429);
    gone.abort();
    await expect
      .poll(async () => {
        const next = new AbortController();
        const { status } = await chat.fetch('POST', `/api/sessions/${id}/apps/calls`, add, { signal: next.signal });
        next.abort();
        return status;
      })
      .toBe(200);
  });

  it('reads resources of its server', async () => {
    const id = await newChat();
    const read = (server: string) =>
      chat.api('POST', `/api/sessions/${id}/apps/resources`, { server, uri: 'note://1' });
    expect((await read('shop')).json).toMatchObject({ contents: [{ text: 'note of shop' }] });
    expect((await read('other')).json).toMatchObject({ contents: [{ text: 'note of other' }] });
    expect(
      await chat.api('POST', `/api/sessions/${id}/apps/resources`, { server: 'shop', uri: 'file:///etc/passwd' }),
    ).toMatchObject({ status: 502 });
  });
});

describe('a question that the MCP server asks during a call of an app', () => {
  const book = { server: 'kiosk', tool: 'book', input: {} };
  const content = { name: 'Ada' };

  async function begin(id: string, init: RequestInit = {}) {
    const asked = await call(id, book, init);
    const { value } = await asked.next();
    const [question] = value?.type === 'server-questions' ? value.items : [];
    if (question === undefined) throw new Error(`Nobody was asked: ${JSON.stringify(value)}`);
    const answer = (session: string, body: object) =>
      chat.api('POST', `/api/sessions/${session}/questions/${question.id}`, body);
    return { call: asked, question, answer };
  }

  it('goes to the page of the app, is answered once and in its own chat, and the answer reaches the server', async () => {
    const [id, other] = [await newChat(), await newChat()];
    const begun = await begin(id);
    expect(begun.question).toMatchObject({ server: 'kiosk', mode: 'form', message: 'Who books at kiosk?' });
    expect((await chat.api('GET', `/api/sessions/${id}/questions`)).json).toEqual([]);
    expect((await begun.answer(other, { action: 'accept', content })).status).toBe(404);
    expect((await begun.answer(id, { action: 'accept', content: { name: 'A' } })).status).toBe(422);
    expect((await begun.answer(id, { action: 'accept', content })).status).toBe(200);
    expect((await begun.answer(id, { action: 'decline' })).status).toBe(409);
    const rest = await all(begun.call);
    expect(rest).toMatchObject([{ type: 'server-questions', items: [] }, { type: 'result' }]);
    expect(JSON.stringify(rest)).toContain('Ada');
  });

  it('outlives a turn of its chat, and ends with its page', async () => {
    const id = await newChat();
    const gone = new AbortController();
    const begun = await begin(id, { signal: gone.signal });
    await chat.send(id, 'Hello again');
    expect((await begun.answer(id, { action: 'accept', content: { name: 'A' } })).status).toBe(422);
    gone.abort();
    await all(begun.call).catch(() => undefined);
    await expect.poll(async () => (await begun.answer(id, { action: 'accept', content })).status).toBe(409);
  });

  it('goes to the one of two apps that does not wait for an answer already', async () => {
    const id = await newChat();
    const [first, second] = [await begin(id), await begin(id)];
    for (const [begun, name] of [
      [second, 'Two'],
      [first, 'One'],
    ] as const) {
      await begun.answer(id, { action: 'accept', content: { name } });
      expect(JSON.stringify(await all(begun.call))).toContain(name);
    }
  });

  it('is cancelled if two apps may have asked it, and both pages learn why', async () => {
    const [id, other] = [await newChat(), await newChat()];
    const gone = new AbortController();
    const resting = await call(other, { ...book, tool: 'rest' }, { signal: gone.signal });
    const told = resting.next();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const why = 'A question of the MCP server kiosk was cancelled: several chats or apps may have asked.';
    const heard = await all(await call(id, book));
    expect(heard).toMatchObject([{ type: 'cancelled', message: why }, { type: 'result' }]);
    expect(JSON.stringify(heard)).toContain('{\\"action\\":\\"cancel\\"}');
    expect(await told).toMatchObject({ value: { type: 'cancelled', message: why } });
    gone.abort();
    await resting.next().catch(() => undefined);
    expect((await begin(id)).question.server).toBe('kiosk');
  });
});
