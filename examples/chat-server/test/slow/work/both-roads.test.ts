import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, type Chunk, textOf } from '../../support/chat-client.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const workspace = newFolder();
const at = (name: string): string => join(workspace, name);

const WRITE = (path: string, content = 'by the app'): string => `call writeFile ${JSON.stringify({ path, content })}`;
const MCP_WRITE = (path: string, content = 'by the server'): string =>
  `call write_file ${JSON.stringify({ path: at(path), content })}`;

beforeAll(async () => {
  model = await startScriptedModel();
  chat = await start();
});
afterAll(async () => {
  await chat.end();
  await model.close();
  expect(model.problems).toEqual([]);
});

function start(): Promise<ChatProcess> {
  return startChat({
    baseURL: model.baseURL,
    workspace,
    args: mcpConfig(workspace, {
      files: { ...MCP_SERVERS.files(workspace), trust: true },
      everything: MCP_SERVERS.everything,
      odd: { ...MCP_SERVERS.odd, trust: true },
    }),
    env: { OPENAI_API_KEY: 'sk-key-of-the-environment', SOME_SECRET: 'a-secret-of-the-environment' },
  });
}

function outputOf(chunks: readonly Chunk[]): unknown {
  const output = chunks.find(({ type }) => type.startsWith('tool-output-'));
  return output?.['output'] ?? output?.['errorText'];
}

describe('the list of tools', () => {
  it('has those of the app and of MCP servers, each with what it is for', async () => {
    const { json } = await chat.api<{ id: string; source: string; description?: string }[]>('GET', '/api/tools');
    for (const { id, description } of json) expect(description, id).toMatch(/\w+ \w+/);
    expect(json.find(({ id }) => id === 'writeFile')).toMatchObject({ source: 'app' });
    expect(json.find(({ id }) => id === 'write_file')).toMatchObject({ source: 'files' });
  });
});

describe.each(['loop', 'stock'])('a tool of the app and one of an MCP server, through %s', (chatModelSource) => {
  it('in one round ask both, wait for both, and run once each in the same message', async () => {
    const [a, b, id] = [`a-${chatModelSource}.md`, `b-${chatModelSource}.md`, `both-${chatModelSource}`];
    const asked = await chat.send(id, `${WRITE(a)}\n${MCP_WRITE(b)}`, { chatModelSource });
    const approvals = approvalsIn(asked.chunks);
    expect(approvals).toHaveLength(2);
    expect([existsSync(at(a)), existsSync(at(b))]).toEqual([false, false]);
    expect((await chat.session(id)).pendingApprovals).toBe(2);
    const post = (approval: string | undefined) =>
      chat.post({ id, trigger: 'approval-response', chatModelSource, approvals: [{ id: approval, approved: true }] });
    expect(await post(approvals[0])).toMatchObject({ status: 202, json: { waiting: 1 } });
    expect([existsSync(at(a)), existsSync(at(b))]).toEqual([false, false]);
    const done = await post(approvals[1]);
    expect(textOf(done.chunks)).toContain('Done: ');
    expect([readFileSync(at(a), 'utf8'), readFileSync(at(b), 'utf8')]).toEqual(['by the app', 'by the server']);
    const { messages } = await chat.session(id);
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(await post(approvals[1])).toMatchObject({ status: 409, json: { error: { code: 'already_answered' } } });
  });

  it('that are denied do not run, and the model reads why', async () => {
    const id = `denied-${chatModelSource}`;
    const asked = await chat.send(id, `${WRITE('no1.md')}\n${MCP_WRITE('no2.md')}`, { chatModelSource });
    const approvals = approvalsIn(asked.chunks).map((approval) => ({
      id: approval,
      approved: false,
      reason: 'not on Mondays',
    }));
    const done = await chat.post({ id, trigger: 'approval-response', chatModelSource, approvals });
    expect(textOf(done.chunks).match(/not on Mondays/g)).toHaveLength(2);
    expect([existsSync(at('no1.md')), existsSync(at('no2.md'))]).toEqual([false, false]);
  });
});

describe('a tool of an MCP server', () => {
  it('that only reads runs unasked where its server is trusted, and asks where it is not', async () => {
    writeFileSync(at('read-me.md'), 'quack');
    const trusted = await chat.send('trust-1', `call read_text_file ${JSON.stringify({ path: at('read-me.md') })}`);
    expect(approvalsIn(trusted.chunks)).toEqual([]);
    expect(textOf(trusted.chunks)).toContain('quack');
    const other = await chat.send('trust-2', 'call echo {"message":"quack"}');
    expect(approvalsIn(other.chunks)).toHaveLength(1);
  });

  it('says in its question why it is asked, which is there after a reload too', async () => {
    const asked = await chat.send('why', MCP_WRITE('why.md'));
    const descriptor = {
      class: 'ask',
      reason: 'files is not marked as read-only',
      always: true,
      rule: 'mcp: files/write_file',
    };
    expect(asked.chunks.find(({ type }) => type === 'tool-approval-request')?.['approvalDescriptor']).toEqual(
      descriptor,
    );
    const parts = (await chat.session('why')).messages.at(-1)?.parts ?? [];
    expect(parts.flatMap((part) => ('approval' in part ? [part.approval] : []))).toMatchObject([{ descriptor }]);
  });

  it('runs unasked once it was granted, in this chat only, and not another tool of its server', async () => {
    const asked = await chat.send('grant', MCP_WRITE('g1.md'));
    const [approval = ''] = approvalsIn(asked.chunks);
    await chat.answer('grant', { id: approval, approved: true, always: true });
    expect((await chat.session('grant')).grants).toEqual([{ kind: 'mcp', server: 'files', tool: 'write_file' }]);
    expect(approvalsIn((await chat.send('grant', MCP_WRITE('g2.md'))).chunks)).toEqual([]);
    expect(readFileSync(at('g2.md'), 'utf8')).toBe('by the server');
    expect(approvalsIn((await chat.send('no-grant', MCP_WRITE('g3.md'))).chunks)).toHaveLength(1);
    const make = `call create_directory ${JSON.stringify({ path: at('g-dir') })}`;
    expect(approvalsIn((await chat.send('grant', make)).chunks)).toHaveLength(1);
  });

  it.each(['constructor', 'toString', 'hasOwnProperty'])('called %s is that tool and nothing else', async (name) => {
    const { chunks } = await chat.send(`odd-${name}`, `call ${name} {}`);
    expect(textOf(chunks)).toContain(`odd ${name} ran with {}`);
  });

  it('with the name of a tool of the app goes by its server, and gets no grant of that tool', async () => {
    const asked = await chat.send('clash', WRITE('clash.md'));
    await chat.answer('clash', { id: approvalsIn(asked.chunks)[0] ?? '', approved: true, always: true });
    expect((await chat.session('clash')).grants).toEqual([{ kind: 'tool', tool: 'writeFile' }]);
    const other = await chat.send('clash', 'call odd__writeFile {"path":"x"}');
    const [approval = ''] = approvalsIn(other.chunks);
    expect(approval).not.toBe('');
    const done = await chat.answer('clash', { id: approval, approved: true, always: true });
    expect(textOf(done.chunks)).toContain('odd writeFile ran');
    expect((await chat.session('clash')).grants).toContainEqual({ kind: 'mcp', server: 'odd', tool: 'writeFile' });
  });

  it('sees no key of the server in its environment, nor does a command that was approved', async () => {
    const asked = await chat.send('env', `call get-env {}\ncall shellCommand {"command":"env"}`);
    const approvals = approvalsIn(asked.chunks).map((id) => ({ id, approved: true }));
    expect(approvals).toHaveLength(2);
    const { chunks } = await chat.answer('env', ...approvals);
    const seen = `${textOf(chunks)}${JSON.stringify(chunks)}`;
    expect(seen).toContain('PATH');
    expect(seen).not.toMatch(/a-token-for-tests|sk-key-of-the-environment|a-secret-of-the-environment|sk-test-key/);
  });
});

describe('a tool that is not there', () => {
  it.each(['__proto__', 'valueOf', 'isPrototypeOf', 'testApproval', 'rocket'])(
    'is none, as the model reads: %s',
    async (name) => {
      const { chunks } = await chat.send(`none-${name}`, `call ${name} {}`);
      expect(approvalsIn(chunks)).toEqual([]);
      expect(JSON.stringify(outputOf(chunks) ?? textOf(chunks))).toMatch(/unavailable|no tool|not|unknown/i);
    },
  );
});
