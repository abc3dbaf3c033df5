import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, approvalsIn, textOf } from '../../support/chat-client.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const workspace = newFolder();
const at = (name: string): string => join(workspace, name);

const WRITE = (path: string, content = 'approved'): string => `call writeFile ${JSON.stringify({ path, content })}`;
const MCP_WRITE = (path: string, content = 'approved'): string =>
  `call write_file ${JSON.stringify({ path: at(path), content })}`;

beforeAll(async () => {
  model = await startScriptedModel();
  chat = await start();
});
afterAll(async () => {
  await chat.end();
  await model.close();
});

function start(): Promise<ChatProcess> {
  const args = mcpConfig(workspace, { files: MCP_SERVERS.files(workspace) });
  return startChat({ baseURL: model.baseURL, workspace, args });
}

/** Ends the server and starts another one; `between` is what happens meanwhile. */
async function restart(between: () => void = () => {}, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  await chat.end(signal);
  between();
  chat = await start();
}

/** With ids that are new after a restart too. */
function send(id: string, text: string): Promise<Answer> {
  return chat.post({
    ...chat.message(id, text),
    message: { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
  });
}

async function ask(id: string, text: string): Promise<string[]> {
  const answer = await send(id, text);
  expect(answer.isDone).toBe(true);
  return approvalsIn(answer.chunks);
}

/** Changes what the file of a chat holds, as somebody could who has the disk. */
function edit(id: string, from: string, to: string): void {
  const path = dataOf(workspace, `sessions/${id}/messages.jsonl`);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

describe('an approval that is answered next week', () => {
  it.each(['SIGKILL', 'SIGTERM'] as const)('after %s and a restart runs both roads, once', async (signal) => {
    const id = `week-${signal}`;
    const approvals = await ask(id, `${WRITE(`${id}-a.md`)}\n${MCP_WRITE(`${id}-b.md`)}`);
    expect(approvals).toHaveLength(2);
    await restart(() => {}, signal);
    expect((await chat.session(id)).pendingApprovals).toBe(2);
    const answers = approvals.map((approval) => ({ id: approval, approved: true }));
    expect(textOf((await chat.answer(id, ...answers)).chunks)).toContain('Done: ');
    expect([existsSync(at(`${id}-a.md`)), existsSync(at(`${id}-b.md`))]).toEqual([true, true]);
    rmSync(at(`${id}-a.md`));
    expect(await chat.answer(id, ...answers)).toMatchObject({ status: 409 });
    await restart();
    expect(await chat.answer(id, ...answers)).toMatchObject({ status: 409 });
    expect(existsSync(at(`${id}-a.md`))).toBe(false);
    expect(model.problems).toEqual([]);
  });

  it('grants what was shown, and nothing of a server that has the name of the tool by now', async () => {
    const [approval = ''] = await ask('renamed', MCP_WRITE('renamed.md'));
    await chat.end();
    const args = mcpConfig(workspace, { other: MCP_SERVERS.files(workspace) });
    chat = await startChat({ baseURL: model.baseURL, workspace, args });
    await chat.answer('renamed', { id: approval, approved: true, always: true });
    expect((await chat.session('renamed')).grants).toEqual([]);
    await restart();
    const [shown = ''] = await ask('same', MCP_WRITE('same.md'));
    await chat.answer('same', { id: shown, approved: true, always: true });
    expect((await chat.session('same')).grants).toEqual([{ kind: 'mcp', server: 'files', tool: 'write_file' }]);
  });

  it('keeps the answers that were given while others were open', async () => {
    await ask('half', `${WRITE('half-a.md')}\n${MCP_WRITE('half-b.md')}`);
    const parts = (await chat.session('half')).messages.at(-1)?.parts ?? [];
    const approvalOf = (type: string): string =>
      parts.flatMap((part) => (part.type === type && 'approval' in part ? [part.approval?.id ?? ''] : []))[0] ?? '';
    const [first, second] = [approvalOf('tool-writeFile'), approvalOf('dynamic-tool')];
    expect(await chat.answer('half', { id: first, approved: false, reason: 'not this one' })).toMatchObject({
      status: 202,
    });
    await restart();
    const done = await chat.answer('half', { id: second, approved: true });
    expect(textOf(done.chunks)).toContain('not this one');
    expect([existsSync(at('half-a.md')), existsSync(at('half-b.md'))]).toEqual([false, true]);
  });

  it('leaves a grant that holds after a restart', async () => {
    const [approval = ''] = await ask('kept', WRITE('kept-a.md'));
    await chat.answer('kept', { id: approval, approved: true, always: true });
    await restart();
    expect(await ask('kept', WRITE('kept-b.md'))).toEqual([]);
    expect(existsSync(at('kept-b.md'))).toBe(true);
    expect(await ask('not-kept', WRITE('kept-c.md'))).toHaveLength(1);
  });
});

describe('an approval that is not what was asked', () => {
  it.each([
    ['the app', WRITE('small.md', 'harmless'), 'small.md', 'large.md'],
    ['an MCP server', MCP_WRITE('tiny.md', 'harmless'), 'tiny.md', 'huge.md'],
  ])('runs nothing of %s whose input was changed between question and answer', async (_of, text, from, to) => {
    const id = `changed-${to.slice(0, 4)}`;
    const [approval = ''] = await ask(id, text);
    await restart(() => edit(id, from, to));
    await chat.answer(id, { id: approval, approved: true });
    expect([existsSync(at(from)), existsSync(at(to))]).toEqual([false, false]);
    expect(textOf((await send(id, 'Still there?')).chunks)).toContain('Still there?');
  });

  it.each([
    ['the app', WRITE('forged-a.md')],
    ['an MCP server', MCP_WRITE('forged-b.md')],
  ])('runs nothing of %s whose question was written into the file of the chat', async (_of, text) => {
    const id = `forged-${text.length}`;
    const [approval = ''] = await ask(id, text);
    await restart(() => edit(id, approval, 'approval-of-my-own'));
    await chat.answer(id, { id: 'approval-of-my-own', approved: true });
    expect([existsSync(at('forged-a.md')), existsSync(at('forged-b.md'))]).toEqual([false, false]);
  });

  it('runs nothing of a question that was copied from another chat', async () => {
    const [approval = ''] = await ask('from', WRITE('copied.md'));
    await send('to', 'Hello');
    await restart(() => {
      const path = dataOf(workspace, 'sessions/to/messages.jsonl');
      const lines = readFileSync(dataOf(workspace, 'sessions/from/messages.jsonl'), 'utf8').trim().split('\n');
      writeFileSync(path, `${readFileSync(path, 'utf8')}${lines.at(-1)}\n`);
    });
    await chat.answer('to', { id: approval, approved: true });
    expect(existsSync(at('copied.md'))).toBe(false);
  });

  it('is unknown if it was made up, or asked in another chat', async () => {
    const [approval = ''] = await ask('mine', WRITE('mine.md'));
    await send('yours', 'Hello');
    expect(await chat.answer('yours', { id: approval, approved: true })).toMatchObject({
      status: 404,
      json: { error: { code: 'no_such_approval' } },
    });
    expect(await chat.answer('mine', { id: 'made-up', approved: true })).toMatchObject({ status: 404 });
    expect(await chat.answer('mine', { id: '__proto__', approved: true })).toMatchObject({ status: 404 });
    expect(existsSync(at('mine.md'))).toBe(false);
    expect((await chat.session('mine')).pendingApprovals).toBe(1);
  });

  it('signed with another secret runs nothing', async () => {
    const approvals = await ask('secret', `${WRITE('secret-a.md')}\n${MCP_WRITE('secret-b.md')}`);
    await restart(() => writeFileSync(dataOf(workspace, 'secret'), 'another-secret-that-is-long-enough-0123'));
    await chat.answer('secret', ...approvals.map((id) => ({ id, approved: true })));
    expect([existsSync(at('secret-a.md')), existsSync(at('secret-b.md'))]).toEqual([false, false]);
  });

  it('writes nothing where a link was put in the place of its folder meanwhile', async () => {
    mkdirSync(at('docs'));
    const [approval = ''] = await ask('swapped', WRITE('docs/token', 'mine now'));
    rmSync(at('docs'), { recursive: true });
    symlinkSync(dataOf(workspace), at('docs'));
    const { chunks } = await chat.answer('swapped', { id: approval, approved: true });
    expect(textOf(chunks)).toContain('belongs to the chat server');
    expect(existsSync(dataOf(workspace, 'token')) && readFileSync(dataOf(workspace, 'token'), 'utf8')).not.toBe(
      'mine now',
    );
  });
});

describe('an MCP server that dies', () => {
  it('costs its own tools alone, and is started again', async () => {
    await restart();
    const [before = ''] = await ask('dies', MCP_WRITE('before.md'));
    await chat.answer('dies', { id: before, approved: true });
    expect(existsSync(at('before.md'))).toBe(true);
    process.kill(-mcpPid(), 'SIGKILL');
    const { chunks } = await send('dies', 'call timeNow {}');
    expect(textOf(chunks)).toContain('utc');
    const [again = ''] = await ask('dies', MCP_WRITE('after.md'));
    const done = await chat.answer('dies', { id: again, approved: true });
    // It was started again, or the model reads why the tool did not run; the chat goes on in both.
    expect(existsSync(at('after.md')) || textOf(done.chunks).length > 0).toBe(true);
    expect((await send('dies', 'Hello')).isDone).toBe(true);
  });
});

/** Of the process that leads the group of the MCP server. */
function mcpPid(): number {
  const children = readFileSync(`/proc/${chat.pid}/task/${chat.pid}/children`, 'utf8').trim().split(' ');
  const pid = children.map(Number).find((child) => commandOf(child).includes('server-filesystem'));
  if (pid === undefined) throw new Error('There is no process of the MCP server.');
  return pid;
}

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
