import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { responseEvents } from 'responses-loop/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, type Chunk, textOf, until } from '../../support/chat-client.js';
import { MCP_SERVERS, mcpConfig } from '../../support/mcp-servers.js';
import { type ScriptedModel, startScriptedModel, textOfItem } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf as dataFolderOf, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
const workspace = newFolder();
const at = (name: string): string => join(workspace, name);
const KNOWN = { path: 'known.md', content: 'x' };
const TITLED = { path: 'titled.md', content: 'x' };
/** How many sub-agents are answered at once, and the most there were. */
let [working, most] = [0, 0];
/** The model waits with its call until the answer is there. */
let isAnswered: () => void = () => {};
const answered = new Promise<void>((resolve) => (isAnswered = resolve));
/** And with a title. */
let isAsked: () => void = () => {};
const titleAsked = new Promise<void>((resolve) => (isAsked = resolve));

async function work(): Promise<void> {
  working += 1;
  most = Math.max(most, working);
  await new Promise((resolve) => setTimeout(resolve, 300));
  working -= 1;
}

beforeAll(async () => {
  model = await startScriptedModel({
    answer: async ({ input, index }) => {
      const [task] = input.filter(({ role }) => role === 'user').map(({ content }) => textOfItem(content));
      const isFirst = !input.some(({ type }) => type === 'function_call_output');
      if (task?.startsWith('slow task') === true) await work();
      if (JSON.stringify(input.at(-1)).includes('Give this chat a title')) await titleAsked;
      if (task === 'titled call' && isFirst) {
        const call = { type: 'call', name: 'writeFile', callId: 'call_titled', arguments: TITLED } as const;
        return { events: responseEvents({ id: `resp_${index}`, output: [call] }) };
      }
      if (task !== 'known call' || !isFirst) return undefined;
      await answered;
      const call = { type: 'call', name: 'writeFile', callId: 'call_known', arguments: KNOWN } as const;
      return { events: responseEvents({ id: `resp_${index}`, output: [call] }) };
    },
  });
  chat = await start();
});
afterAll(async () => {
  await chat.end();
  await model.close();
});
beforeEach(() => {
  [working, most] = [0, 0];
});

function start(...args: string[]): Promise<ChatProcess> {
  const config = mcpConfig(workspace, { files: { ...MCP_SERVERS.files(workspace), trust: true } });
  return startChat({ baseURL: model.baseURL, workspace, args: [...config, ...args] });
}

const subAgent = (task: string, fields: object = {}): string =>
  `call subAgent ${JSON.stringify({ agent: 'document', task, ...fields })}`;
const write = (path: string): string => `call writeFile ${JSON.stringify({ path, content: 'x' })}`;

/** Begins a turn; what came so far stands in `chunks`. */
function begin(id: string, text: string): { readonly turn: Promise<Answer>; readonly asked: () => Promise<Chunk> } {
  const chunks: Chunk[] = [];
  const message = { id: randomUUID(), role: 'user', parts: [{ type: 'text', text }] };
  const body = { id, trigger: 'submit-message', message };
  let left: Answer = { status: 200, chunks, json: {}, isDone: false };
  const turn = chat
    .leaveWhen(body, (seen) => {
      chunks.splice(0, chunks.length, ...seen);
      return seen.some(({ type }) => type === 'finish' || type === 'abort');
    })
    .then((seen) => (left = { ...left, chunks: seen, isDone: true }));
  const asked = async (): Promise<Chunk> =>
    until(
      () => chunks.find(({ type }) => type === 'data-sub-agent-approval'),
      (chunk) => chunk !== undefined,
    ).then((chunk) => chunk as Chunk);
  return { turn, asked };
}

function dataOf(chunk: Chunk | undefined): Record<string, unknown> {
  return (chunk?.['data'] ?? {}) as Record<string, unknown>;
}

function answer(id: string, toolCallId: unknown, approved: boolean, reason?: string) {
  return chat.api('POST', `/api/sessions/${id}/approvals/${String(toolCallId)}`, {
    approved,
    ...(reason === undefined ? {} : { reason }),
  });
}

interface AgentView {
  readonly agentId: string;
  readonly agentType: string;
  readonly state: string;
  readonly task: string;
}

async function agentsOf(id: string): Promise<readonly AgentView[]> {
  return (await chat.api<AgentView[]>('GET', `/api/sessions/${id}/agents`)).json;
}

/** What was offered to the agent whose task begins with `text`. */
function offeredFor(text: string): string[] {
  const request = model.requests.find(({ input }) =>
    textOfItem(input.findLast(({ role }) => role === 'user')?.['content']).startsWith(text),
  );
  const tools = (request?.body['tools'] ?? []) as readonly { readonly name?: string }[];
  return tools.flatMap(({ name }) => (name === undefined ? [] : [name]));
}

describe('a sub-agent', () => {
  it('asks on the page, works when it is approved, and reports; its history is on disk', async () => {
    const { turn, asked } = begin('reports', subAgent(write('by-agent.md')));
    const { agentId, toolCallId, toolName, input } = dataOf(await asked());
    expect([toolName, input]).toEqual(['writeFile', { path: 'by-agent.md', content: 'x' }]);
    expect(existsSync(at('by-agent.md'))).toBe(false);
    expect((await agentsOf('reports'))[0]).toMatchObject({ agentId, state: 'waiting', agentType: 'document' });
    expect(await answer('reports', toolCallId, true)).toMatchObject({ status: 200, json: { result: 'resolved' } });
    expect(await answer('reports', toolCallId, true)).toMatchObject({ status: 409 });
    const { chunks } = await turn;
    expect(existsSync(at('by-agent.md'))).toBe(true);
    expect(dataOf(chunks.find(({ type }) => type === 'data-sub-agent-start'))).toEqual({
      agentId,
      agentType: 'document',
      task: write('by-agent.md'),
    });
    const end = dataOf(chunks.find(({ type }) => type === 'data-sub-agent-end'));
    expect(end).toMatchObject({ agentId, state: 'done' });
    const said = chunks
      .map((chunk) => (chunk.type === 'data-sub-agent-delta' ? String(dataOf(chunk)['text']) : ''))
      .join('');
    expect(said).toBe(end['summary']);
    expect(chunks.find(({ type }) => type === 'tool-output-available')?.['output']).toEqual({
      ok: true,
      agentId,
      summary: end['summary'],
    });
    const { json } = await chat.api<readonly { role: string; parts: unknown[] }[]>(
      'GET',
      `/api/sessions/reports/agents/${String(agentId)}/messages`,
    );
    expect(json.map(({ role }) => role)).toEqual(['user', 'subagent']);
    expect(JSON.stringify(json[1]?.parts)).toContain('output-available');
    // What lives in the stream alone is not in the chat's own history.
    expect(readFileSync(dataFolderOf(workspace, 'sessions/reports/messages.jsonl'), 'utf8')).not.toContain(
      'data-sub-agent',
    );
  });

  it('that is rejected reads the reason, and so does the chat', async () => {
    const { turn, asked } = begin('rejected', subAgent(write('rejected.md')));
    await answer('rejected', dataOf(await asked())['toolCallId'], false, 'not on Mondays');
    expect(textOf((await turn).chunks)).toContain('not on Mondays');
    expect(existsSync(at('rejected.md'))).toBe(false);
  });

  it('uses an answer that was there before its question', async () => {
    const turn = chat.send('early', subAgent('known call'));
    const early = await until(
      () => answer('early', 'call_known', true),
      ({ status }) => status !== 404,
    );
    expect(early).toMatchObject({ status: 202, json: { result: 'early' } });
    expect((await answer('early', 'call_known', true)).status).toBe(409);
    isAnswered();
    await turn;
    expect(existsSync(at('known.md'))).toBe(true);
    expect((await answer('early', 'call_known', true)).status).toBe(409);
    await chat.idle('early');
    expect((await answer('early', 'call_unknown', true)).status).toBe(404);
  });

  it('uses no answer that was given while a command ran: the call it was for was another', async () => {
    await chat.send('command', 'Hello');
    const command = chat.send('command', '/summary-title');
    const early = await until(
      () => answer('command', 'call_titled', true),
      ({ status }) => status !== 404,
    );
    expect(early).toMatchObject({ status: 202, json: { result: 'early' } });
    isAsked();
    await command;
    const { turn, asked } = begin('command', subAgent('titled call'));
    const { toolCallId } = dataOf(await asked());
    expect([toolCallId, existsSync(at('titled.md'))]).toEqual(['call_titled', false]);
    await answer('command', toolCallId, false);
    await turn;
    expect(existsSync(at('titled.md'))).toBe(false);
  });

  it('takes no answer that was given in another chat', async () => {
    await chat.send('other', 'Hello');
    await chat.idle('other');
    const { turn, asked } = begin('asks', subAgent(write('asks.md')));
    const { toolCallId } = dataOf(await asked());
    expect((await answer('other', toolCallId, true)).status).toBe(404);
    expect(existsSync(at('asks.md'))).toBe(false);
    await answer('asks', toolCallId, false);
    await turn;
  });

  it('has only tools of its template, the request and the chat; others are neither offered nor run', async () => {
    const hidden = `call read_text_file ${JSON.stringify({ path: at('mcp.json') })}`;
    const shell = await chat.send('narrow-1', subAgent(`${hidden}\ncall subAgent {}`, { agent: 'terminal' }));
    expect(offeredFor('call read_text_file').toSorted()).toEqual(
      [
        'listDir',
        'note',
        'readFile',
        'shellCommand',
        'execCommand',
        'writeStdin',
        'timeNow',
        'viewImage',
        'writeFile',
      ].toSorted(),
    );
    expect(textOf(shell.chunks)).not.toContain('mcpServers');
    await chat.send(
      'narrow-2',
      subAgent('of the narrow task', { tools: ['readFile', 'shellCommand', 'testApproval'] }),
    );
    expect(offeredFor('of the narrow task')).toEqual(['readFile']);
    await chat.send(
      'narrow-3',
      subAgent('of the dynamic task', {
        agent: 'dynamic',
        tools: ['note', 'read_text_file', 'testApproval', 'constructor'],
      }),
    );
    expect(offeredFor('of the dynamic task').toSorted()).toEqual(['note', 'read_text_file']);
  });

  it('with tools of MCP servers runs the trusted ones, and asks on the page about others', async () => {
    const path = at('by-mcp.md');
    const task = `call write_file ${JSON.stringify({ path, content: 'x' })}`;
    const { turn, asked } = begin('mcp', subAgent(task, { agent: 'default' }));
    const { toolCallId, toolName } = dataOf(await asked());
    expect(toolName).toBe('write_file');
    await answer('mcp', toolCallId, true);
    await turn;
    expect(existsSync(path)).toBe(true);
    const read = `call read_text_file ${JSON.stringify({ path })}`;
    const { chunks } = await chat.send('mcp-2', subAgent(read, { agent: 'default' }));
    expect(textOf(chunks)).toContain('ok');
    expect(chunks.some(({ type }) => type === 'data-sub-agent-approval')).toBe(false);
  });

  it('uses what was granted in the chat', async () => {
    const asked = await chat.send('granted', write('first.md'));
    const id = String(asked.chunks.find(({ type }) => type === 'tool-approval-request')?.['approvalId']);
    await chat.answer('granted', { id, approved: true, always: true });
    const { chunks } = await chat.send('granted', subAgent(write('second.md')));
    expect(chunks.some(({ type }) => type === 'data-sub-agent-approval')).toBe(false);
    expect(existsSync(at('second.md'))).toBe(true);
  });

  it('may have sub-agents, and those none', async () => {
    const third = subAgent('never reached', { agent: 'default' });
    const second = subAgent(`level two\n${third}`, { agent: 'default' });
    const { chunks } = await chat.send('deep', subAgent(`level one\n${second}`, { agent: 'default' }));
    expect(chunks.filter(({ type }) => type === 'data-sub-agent-start')).toHaveLength(2);
    expect(offeredFor('level one')).toContain('subAgent');
    expect(offeredFor('level two')).not.toContain('subAgent');
    expect(offeredFor('level two')).toContain('writeFile');
    expect(await agentsOf('deep')).toHaveLength(2);
  });

  it('works beside three others, and more wait', async () => {
    const text = Array.from({ length: 7 }, (_, n) => subAgent(`slow task ${n}`)).join('\n');
    const { chunks } = await chat.send('crowd', text);
    expect(chunks.filter(({ type }) => type === 'data-sub-agent-end')).toHaveLength(7);
    expect((await agentsOf('crowd')).map(({ state }) => state)).toEqual(Array.from({ length: 7 }, () => 'done'));
    expect(most).toBe(4);
  });
});

describe('a sub-agent that waits or works', () => {
  const sleep = 'call shellCommand {"command":"echo $$ > pid.txt; sleep 600"}';

  it('ends with its chat when it is stopped, with the command that it runs', async () => {
    const { turn, asked } = begin('stopped', subAgent(sleep, { agent: 'shell' }));
    await answer('stopped', dataOf(await asked())['toolCallId'], true);
    const pid = await until(
      () => (existsSync(at('pid.txt')) ? Number(readFileSync(at('pid.txt'), 'utf8')) : 0),
      (found) => found > 0,
    );
    expect((await chat.api('POST', '/api/chat/stopped/stop')).json).toEqual({ stopped: true });
    await turn;
    await until(
      () => existsSync(`/proc/${pid}`),
      (isThere) => !isThere,
    );
    await until(
      () => agentsOf('stopped'),
      ([agent]) => agent?.state === 'aborted',
    );
    expect(textOf((await chat.send('stopped', 'Hello')).chunks)).toContain('You said: Hello');
  });

  it('ends its question when the chat is stopped', async () => {
    const { turn, asked } = begin('stopped-2', subAgent(write('late.md')));
    const { toolCallId } = dataOf(await asked());
    await chat.api('POST', '/api/chat/stopped-2/stop');
    await turn;
    expect((await answer('stopped-2', toolCallId, true)).status).not.toBe(200);
    expect(existsSync(at('late.md'))).toBe(false);
  });

  it('counts as rejected where no one answers in time', async () => {
    await chat.end();
    chat = await start('--approval-timeout', '1');
    const { chunks } = await begin('timeout', subAgent(write('timeout.md'))).turn;
    expect(textOf(chunks)).toContain('no one answered in time');
    expect(existsSync(at('timeout.md'))).toBe(false);
  });
});
