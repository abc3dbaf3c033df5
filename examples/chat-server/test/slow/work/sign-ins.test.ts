import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textOf, until } from '../../support/chat-client.js';
import { mcpConfig } from '../../support/mcp-servers.js';
import {
  type SignInService,
  type SignInServiceOptions,
  startSignInService,
} from '../../../../../test/tools/mcp/sign-in-service.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, spawnChat, startChat } from '../../support/start-chat.js';

interface Listed {
  readonly server: string;
  readonly state: string;
  readonly isSignedIn: boolean;
  readonly signIn?: { readonly url: string; readonly host: string };
  readonly registerWith?: string;
}

describe('an MCP server that wants somebody to sign in', () => {
  const workspace = newFolder();
  let service: SignInService;
  let model: ScriptedModel;
  let chat: ChatProcess;
  const said: string[] = [];
  beforeAll(async () => {
    service = await startSignInService();
    model = await startScriptedModel();
    chat = await start();
  });
  afterAll(async () => {
    await chat.end();
    await model.close();
    service.close();
  });

  function start(): Promise<ChatProcess> {
    const args = mcpConfig(workspace, { docs: { url: service.url, trust: true } });
    return startChat({ baseURL: model.baseURL, workspace, args });
  }
  async function listed(): Promise<Listed> {
    const { json } = await chat.api<Listed[]>('GET', '/api/mcp-servers');
    said.push(JSON.stringify(json));
    const [docs] = json;
    if (docs === undefined) throw new Error('The server is not listed.');
    return docs;
  }
  /** As a browser that has no token of ours follows it, and where it is sent on to. */
  async function follow(url: string): Promise<{ readonly status: number; readonly text: string }> {
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of response) text += String(chunk);
    said.push(text, url);
    const { location } = response.headers;
    return location === undefined ? { status: response.statusCode ?? 0, text } : follow(location);
  }

  it('is listed so, with the page of the service, and its tools are away', async () => {
    const { state, signIn, isSignedIn } = await listed();
    expect({ state, isSignedIn, host: signIn?.host }).toEqual({
      state: 'needs_sign_in',
      isSignedIn: false,
      host: new URL(service.origin).host,
    });
    const redirect = new URL(signIn?.url ?? '').searchParams.get('redirect_uri');
    expect(redirect).toBe(`http://127.0.0.1:${chat.port}/oauth/callback`);
    expect(textOf((await chat.send('before', 'Hello')).chunks)).toContain('Hello');
    expect(JSON.stringify(model.requests.at(-1)?.body['tools'])).not.toContain('"secret"');
  });

  it.each(['', '?code=evil', '?code=evil&state=forged', '?error=access_denied&state=forged'])(
    'takes nothing back that it did not begin: %j',
    async (query) => {
      const { status, text } = await follow(`http://127.0.0.1:${chat.port}/oauth/callback${query}`);
      expect(status).toBe(400);
      expect(text).toContain('not under way');
      expect(service.tokens).toEqual([]);
      expect((await listed()).state).toBe('needs_sign_in');
    },
  );

  it('is there after the sign-in, and its tools run', async () => {
    const { signIn } = await listed();
    expect(await follow(signIn?.url ?? '')).toEqual({
      status: 200,
      text: 'You are signed in at docs. You can close this tab.\n',
    });
    await until(listed, ({ state }) => state === 'ready');
    expect(textOf((await chat.send('after', 'call secret {}')).chunks)).toContain('the secret of the service');
  });

  it('leaves its token in a file of this user alone, outside of the workspace, and nowhere else', async () => {
    const folder = dataOf(workspace, 'sign-ins');
    const [file = ''] = readdirSync(folder);
    expect(statSync(folder).mode & 0o077).toBe(0);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    const [token = 'none'] = service.tokens;
    expect(readFileSync(join(folder, file), 'utf8')).toContain(token);
    const elsewhere = [...said, ...service.asked, chat.stderr, ...model.requests.map(({ text }) => text)].join('\n');
    expect(elsewhere).not.toContain('secret-token-');
  });

  it('is signed in after a restart on another port', async () => {
    await chat.end();
    chat = await start();
    await until(listed, ({ state }) => state === 'ready');
    expect(service.tokens).toHaveLength(1);
  });

  it('wants a sign-in again after a sign-out, and the token is gone from the file', async () => {
    expect((await chat.api('DELETE', '/api/mcp-servers/docs/sign-in')).status).toBe(204);
    const { state, signIn, isSignedIn } = await until(listed, (one) => one.signIn !== undefined);
    expect({ state, isSignedIn }).toEqual({ state: 'needs_sign_in', isSignedIn: false });
    const [file = ''] = readdirSync(dataOf(workspace, 'sign-ins'));
    expect(readFileSync(dataOf(workspace, 'sign-ins', file), 'utf8')).not.toContain('secret-token-');
    expect(textOf((await chat.send('out', 'call secret {}')).chunks)).not.toContain('the secret of the service');
    expect(await chat.api('DELETE', '/api/mcp-servers/docs/sign-in')).toMatchObject({
      status: 404,
      json: { error: { code: 'not_signed_in' } },
    });
    expect((await follow(signIn?.url ?? '')).status).toBe(200);
    await until(listed, (one) => one.state === 'ready');
    expect(textOf((await chat.send('in', 'call secret {}')).chunks)).toContain('the secret of the service');
  });
});

describe('a service that registers no applications', () => {
  const client = { id: 'our-client', secret: 'secret-of-ours' };
  let model: ScriptedModel;
  beforeAll(async () => {
    model = await startScriptedModel();
  });
  afterAll(() => model.close());

  async function begin(options: SignInServiceOptions, entry: object = {}) {
    const workspace = newFolder();
    const service = await startSignInService(options);
    const args = mcpConfig(workspace, { docs: { url: service.url, trust: true, ...entry } });
    const chat = await startChat({ baseURL: model.baseURL, workspace, args });
    const listed = async (): Promise<Listed | undefined> =>
      (await chat.api<Listed[]>('GET', '/api/mcp-servers')).json[0];
    const give = (body: object) => chat.api('PUT', '/api/mcp-servers/docs/client', body);
    const agree = async (): Promise<number> => {
      const page = await until(listed, (one) => one?.signIn !== undefined);
      const { headers } = await fetch(page?.signIn?.url ?? '', { redirect: 'manual' });
      return (await fetch(headers.get('location') ?? '')).status;
    };
    const signOut = () => chat.api('DELETE', '/api/mcp-servers/docs/sign-in');
    const end = async (): Promise<void> => {
      await chat.end();
      service.close();
    };
    return { workspace, service, chat, listed, give, agree, signOut, end };
  }

  it('takes the client of the config, which reaches no other server', async () => {
    const { service, chat, listed, agree, end } = await begin(
      { client },
      { oauth: { clientId: client.id, clientSecret: client.secret } },
    );
    expect(await agree()).toBe(200);
    await until(listed, (one) => one?.state === 'ready');
    expect(service.clients).toEqual([]);
    expect(textOf((await chat.send('one', 'call secret {}')).chunks)).toContain('the secret of the service');
    await end();
  });

  it('is asked about on the page; what is entered is kept in a closed file, over a sign-out too', async () => {
    const { workspace, listed, give, agree, signOut, chat, end } = await begin({ client });
    const state = await until(listed, (one) => one?.state === 'needs_client');
    expect(state?.registerWith).toBe(`http://127.0.0.1:${chat.port}/oauth/callback`);
    expect((await give({ clientId: '' })).status).toBe(422);
    expect((await give({ clientId: client.id, clientSecret: client.secret })).status).toBe(204);
    expect((await give({ clientId: 'another' })).status).toBe(409);
    expect(await agree()).toBe(200);
    await until(listed, (one) => one?.state === 'ready');
    const [file = ''] = readdirSync(dataOf(workspace, 'sign-ins'));
    expect(statSync(dataOf(workspace, 'sign-ins', file)).mode & 0o777).toBe(0o600);
    expect(readFileSync(dataOf(workspace, 'sign-ins', file), 'utf8')).toContain(client.secret);
    expect((await signOut()).status).toBe(204);
    expect(await until(listed, (one) => one?.signIn !== undefined)).toMatchObject({ state: 'needs_sign_in' });
    expect(await agree()).toBe(200);
    await end();
  });

  it('asks again for a client that the service does not know', async () => {
    const { listed, give, agree, end } = await begin({ client });
    await until(listed, (one) => one?.state === 'needs_client');
    await give({ clientId: client.id, clientSecret: 'wrong' });
    expect(await agree()).toBe(400);
    await until(listed, (one) => one?.state === 'needs_client');
    await give({ clientId: client.id, clientSecret: client.secret });
    expect(await agree()).toBe(200);
    await end();
  });

  it.each([{ oauth: 'id' }, { oauth: { clientId: 7 } }, { oauth: { clientID: 'x' } }])(
    'does not start with %j in its entry',
    async (entry) => {
      const workspace = newFolder();
      const args = mcpConfig(workspace, { docs: { url: 'http://127.0.0.1:9/mcp', ...entry } });
      const { code, stderr } = await spawnChat({ baseURL: model.baseURL, workspace, args }).ended;
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining('"oauth" of the MCP server "docs"'),
      });
    },
  );

  it('revokes its tokens at a sign-out, with the client that got them', async () => {
    const revocation = { status: 200 };
    const begun = await begin({ client, revocation }, { oauth: { clientId: client.id, clientSecret: client.secret } });
    const { service, listed, agree, signOut, end } = begun;
    await agree();
    await until(listed, (one) => one?.state === 'ready');
    expect((await signOut()).status).toBe(204);
    expect(service.revoked).toEqual([
      expect.stringMatching(/^refresh_token secret-refresh-/),
      expect.stringMatching(/^access_token secret-token-/),
    ]);
    await end();
  });

  it('is told of, if it does not revoke; the tokens are gone here all the same', async () => {
    const { workspace, service, listed, agree, signOut, end } = await begin({ revocation: { status: 503 } });
    await agree();
    await until(listed, (one) => one?.state === 'ready');
    expect(await signOut()).toMatchObject({
      status: 200,
      json: { problem: `${new URL(service.origin).host} answered 503.` },
    });
    expect(await listed()).toMatchObject({ isSignedIn: false });
    const files = readdirSync(dataOf(workspace, 'sign-ins'));
    for (const file of files)
      expect(readFileSync(dataOf(workspace, 'sign-ins', file), 'utf8')).not.toMatch(/secret-(token|refresh)-/);
    await end();
  });
});

/** It stands for an address of the network: services take only the usual names of a loopback address to come back to. */
const ELSEWHERE = '127.0.0.2';

describe('a chat at an address that no browser comes back to', () => {
  async function begin(options: SignInServiceOptions) {
    const workspace = newFolder();
    const [model, service] = await Promise.all([startScriptedModel(), startSignInService(options)]);
    const config = mcpConfig(workspace, { docs: { url: service.url, trust: true } });
    const args = ['--host', ELSEWHERE, ...config];
    const chat = await startChat({ baseURL: model.baseURL, workspace, args });
    const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
      fetch(`http://${ELSEWHERE}:${chat.port}${path}`, { headers: chat.headers, ...init });
    const servers = async (): Promise<unknown> => {
      const response = await ask('/api/mcp-servers');
      return { status: response.status, json: await response.json() };
    };
    const say = async (text: string): Promise<string> =>
      (await ask('/api/chat', { method: 'POST', body: JSON.stringify(chat.message('one', text)) })).text();
    const end = async (): Promise<void> => {
      await chat.end();
      await model.close();
      service.close();
    };
    return { chat, service, servers, say, end };
  }

  it('uses a server that takes everybody', async () => {
    const { servers, say, end } = await begin({ isOpen: true });
    expect(await servers()).toMatchObject({
      status: 200,
      json: [{ server: 'docs', state: 'ready', tools: 1, isSignedIn: false }],
    });
    expect(await say('call secret {}')).toContain('the secret of the service');
    await end();
  });

  it('tells how to sign in at one that wants it, registers nothing there, and answers all the same', async () => {
    const { chat, service, servers, say, end } = await begin({});
    expect(await servers()).toMatchObject({
      status: 200,
      json: [{ server: 'docs', state: 'not_connected', tools: 0, isSignedIn: false }],
    });
    expect(await say('Hello')).toContain('Hello');
    expect(chat.stderr).toContain('Start the server with --host 127.0.0.1 to sign in.');
    expect(service.clients).toEqual([]);
    await end();
  });
});
