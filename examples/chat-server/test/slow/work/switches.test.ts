import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SwitchedOff } from '../../../src/types.js';
import { approvalsIn, textOf } from '../../support/chat-client.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

const WRITE: SwitchedOff = { kind: 'tool', tool: 'writeFile' };
const FILES: SwitchedOff = { kind: 'server', server: 'files' };
const LIST: SwitchedOff = { kind: 'mcp', server: 'files', tool: 'list_directory' };

describe.each(['model', 'sdk'] as const)('a tool that is off, with MCP tools run by the %s', (runTools) => {
  const workspace = newFolder();
  const at = (name: string): string => join(workspace, name);
  let model: ScriptedModel;
  let chat: ChatProcess;
  beforeAll(async () => {
    model = await startScriptedModel();
    const config = mcpConfig(workspace, { files: { ...MCP_SERVERS.files(workspace), trust: true } });
    chat = await startChat({ baseURL: model.baseURL, workspace, args: [...config, '--run-tools', runTools] });
  });
  afterAll(async () => {
    await chat.end();
    await model.close();
  });

  /** A chat in which these are off from the beginning. */
  async function chatWithout(...off: SwitchedOff[]): Promise<string> {
    const id = `chat-${randomUUID()}`;
    expect((await chat.api('POST', '/api/sessions', { id })).status).toBe(201);
    await switchOff(id, ...off);
    return id;
  }
  async function switchOff(id: string, ...off: SwitchedOff[]): Promise<void> {
    expect(await chat.api('PATCH', `/api/sessions/${id}`, { off })).toMatchObject({ status: 200, json: { off } });
  }
  const write = (path: string): string => `call writeFile ${JSON.stringify({ path, content: 'x' })}`;
  const mcpWrite = (path: string): string => `call write_file ${JSON.stringify({ path: at(path), content: 'x' })}`;
  const list = `call list_directory ${JSON.stringify({ path: workspace })}`;

  function offered(): string[] {
    const tools = (model.requests.at(-1)?.body['tools'] ?? []) as readonly { readonly name?: string }[];
    return tools.flatMap(({ name }) => (name === undefined ? [] : [name]));
  }

  it('is not offered and named nowhere, and others are', async () => {
    const id = await chatWithout(WRITE, LIST);
    await chat.send(id, 'Hello');
    expect(offered()).toEqual(expect.arrayContaining(['readFile', 'write_file']));
    expect(offered()).not.toEqual(expect.arrayContaining(['writeFile']));
    expect(offered()).not.toEqual(expect.arrayContaining(['list_directory']));
    const [instructions] = model.requests.at(-1)?.input ?? [];
    expect(JSON.stringify([instructions, model.requests.at(-1)?.body['instructions']])).not.toMatch(
      /\blist_directory\b|\bwriteFile\b/,
    );
    await chat.send(`chat-${randomUUID()}`, 'Hello');
    expect(offered()).toEqual(expect.arrayContaining(['writeFile', 'list_directory']));
  });

  it('is none of a server that is off as a whole', async () => {
    const id = await chatWithout(FILES);
    await chat.send(id, 'Hello');
    expect(offered()).toEqual(expect.arrayContaining(['readFile', 'writeFile']));
    expect(offered().filter((name) => name.includes('_'))).toEqual([]);
  });

  it('does not run, and nobody is asked, if the model calls it all the same', async () => {
    const id = await chatWithout(WRITE, LIST);
    const { chunks } = await chat.send(id, `${write('called.md')}\n${list}`);
    expect(approvalsIn(chunks)).toEqual([]);
    expect(existsSync(at('called.md'))).toBe(false);
    expect(JSON.stringify(chunks)).not.toContain('mcp.json');
    expect((await chat.send(id, 'Hello')).isDone).toBe(true);
    expect(model.problems).toEqual([]);
  });

  it('is not run by a sub-agent either', async () => {
    const id = await chatWithout(WRITE, LIST);
    const fields = { agent: 'dynamic', tools: ['writeFile', 'list_directory', 'write_file', 'readFile'] };
    const task = `${write('by-an-agent.md')}\n${list}`;
    const before = model.requests.length;
    const { chunks } = await chat.send(id, `call subAgent ${JSON.stringify({ ...fields, task })}`);
    expect(textOf(chunks)).toContain('Done: ');
    const agents = model.requests.slice(before).map(({ body }) => JSON.stringify(body['tools'] ?? []));
    expect(agents.some((tools) => tools.includes('"list_directory"') || tools.includes('"writeFile"'))).toBe(false);
    expect(existsSync(at('by-an-agent.md'))).toBe(false);
    expect(JSON.stringify(chunks)).not.toContain('mcp.json');
  });

  it('does not run by a yes that was asked for before', async () => {
    const id = await chatWithout();
    const asked = approvalsIn((await chat.send(id, `${write('late-a.md')}\n${mcpWrite('late-b.md')}`)).chunks);
    expect(asked).toHaveLength(2);
    await switchOff(id, WRITE, FILES);
    const { chunks } = await chat.answer(id, ...asked.map((approval) => ({ id: approval, approved: true })));
    expect([existsSync(at('late-a.md')), existsSync(at('late-b.md'))]).toEqual([false, false]);
    expect(textOf(chunks)).toContain('switched off');
    expect(model.problems).toEqual([]);
  });

  it('runs again once it is on, and was off in its own chat only', async () => {
    const id = await chatWithout(WRITE);
    await switchOff(id);
    expect(approvalsIn((await chat.send(id, write('again.md'))).chunks)).toHaveLength(1);
    expect(JSON.parse(readFileSync(dataOf(workspace, `sessions/${id}/session.json`), 'utf8'))).toMatchObject({
      off: [],
    });
  });

  it('has to be named in a form that is known', async () => {
    const id = await chatWithout();
    for (const off of ['writeFile', [{ kind: 'all' }], [{ ...WRITE, more: 1 }], [{ kind: 'mcp', server: 'files' }]]) {
      expect(await chat.api('PATCH', `/api/sessions/${id}`, { off })).toMatchObject({
        status: 422,
        json: { error: { code: 'bad_request' } },
      });
    }
  });

  it('is listed with what it is switched off by', async () => {
    const { json } = await chat.api<{ id: string; tool: SwitchedOff }[]>('GET', '/api/tools');
    expect(json.find(({ id }) => id === 'writeFile')?.tool).toEqual(WRITE);
    expect(json.find(({ id }) => id === 'list_directory')?.tool).toEqual(LIST);
  });
});

describe('what is always allowed in a chat', () => {
  const workspace = newFolder();
  let model: ScriptedModel;
  let chat: ChatProcess;
  beforeAll(async () => {
    model = await startScriptedModel();
    chat = await startChat({ baseURL: model.baseURL, workspace });
  });
  afterAll(async () => {
    await chat.end();
    await model.close();
  });
  const write = (path: string): string => `call writeFile ${JSON.stringify({ path, content: 'x' })}`;

  it('is listed whole, and taken back: the next call asks again', async () => {
    const [first = ''] = approvalsIn((await chat.send('back', write('a.md'))).chunks);
    await chat.answer('back', { id: first, approved: true, always: true });
    const [second = ''] = approvalsIn((await chat.send('back', 'call shellCommand {"command":"touch b.md"}')).chunks);
    await chat.answer('back', { id: second, approved: true, always: true });
    const { json } = await chat.api<{ id: string; kind: string }[]>('GET', '/api/sessions/back/grants');
    expect(json).toMatchObject([
      { kind: 'tool', tool: 'writeFile' },
      { kind: 'command', rule: expect.stringContaining('touch') as string },
    ]);
    const [grant] = json;
    expect((await chat.api('DELETE', `/api/sessions/back/grants/${grant?.id}`)).status).toBe(204);
    expect(await chat.api('DELETE', `/api/sessions/back/grants/${grant?.id}`)).toMatchObject({
      status: 404,
      json: { error: { code: 'no_such_grant' } },
    });
    expect(approvalsIn((await chat.send('back', write('c.md'))).chunks)).toHaveLength(1);
    expect((await chat.api<unknown[]>('GET', '/api/sessions/back/grants')).json).toMatchObject([{ kind: 'command' }]);
  });

  it('is of one chat: another one has none of it to take back', async () => {
    const [asked = ''] = approvalsIn((await chat.send('mine', write('m.md'))).chunks);
    await chat.answer('mine', { id: asked, approved: true, always: true });
    await chat.send('yours', 'Hello');
    const [grant] = (await chat.api<{ id: string }[]>('GET', '/api/sessions/mine/grants')).json;
    expect((await chat.api('DELETE', `/api/sessions/yours/grants/${grant?.id}`)).status).toBe(404);
    expect((await chat.api('GET', '/api/sessions/none/grants')).status).toBe(404);
    expect((await chat.api<unknown[]>('GET', '/api/sessions/mine/grants')).json).toHaveLength(1);
  });
});
