import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createScriptedServer } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import { type AgentConfig, createAgent, type Turn } from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';
import { jsonLines, runAgent } from '../support/run-agent.js';
import { toolsServer } from '../support/tools-server.js';

const note = (text: string) => ({ type: 'call', name: 'note', arguments: { text }, id: text }) as const;
const where = { type: 'call', name: 'where', arguments: {} } as const;

type Output = NonNullable<Exclude<Parameters<typeof createScriptedServer>[0], undefined>['steps']>[number];

/** A workspace on disk with a real MCP server, whose model calls tools and then says what it read. Agents come and go. */
async function world(...steps: Output[]) {
  const server = await createScriptedServer({
    steps,
    otherwise: ({ input }) => `Outputs: ${JSON.stringify(input.flatMap((item) => item['output'] ?? []))}`,
  });
  onTestFinished(() => server.close());
  const tools = toolsServer();
  const open = async (config: Partial<AgentConfig> = {}) => {
    const agent = createAgent({
      ...{ workspace: tools.folder, model: 'any', apiKey: 'test', baseUrl: server.baseURL },
      mcpServers: { pond: tools.entry },
      ...config,
    });
    await agent.initialize();
    let isOpen = true;
    const close = async (): Promise<void> => {
      if (isOpen) await agent.destroy();
      isOpen = false;
    };
    onTestFinished(close);
    return { agent, close };
  };
  return { server, tools, open };
}

async function ended(turn: Turn): Promise<{ readonly sessionId: string }> {
  await turn;
  return { sessionId: turn.sessionId };
}

describe('a call that is not known to be read-only', () => {
  test('waits: it does not run, the question is an event, and the turn is over', async () => {
    const { tools, open, server } = await world({ output: [note('a')] });
    const { agent } = await open();
    const turn = agent.chat('Note it');
    const events = await collect(turn);
    expect(events.find(({ type }) => type === 'approval_request')?.data).toMatchObject({
      toolName: 'note',
      input: { text: 'a' },
    });
    expect(events.at(-1)).toMatchObject({ type: 'message_stop', data: { stopReason: 'approval_needed' } });
    expect([tools.notes(), server.requests.length]).toEqual([[], 1]);
    const session = await agent.getSession(turn.sessionId);
    expect([session?.state, session?.getApprovals().length]).toEqual(['idle', 1]);
  });

  test.each([true, false])('goes on after a restart, once it is answered: approved %s', async (approved) => {
    const { tools, open } = await world({ output: [note('a')] });
    const first = await open();
    const { sessionId } = await ended(first.agent.chat('Note it'));
    await first.close();
    const { agent } = await open();
    const session = await agent.getSession(sessionId);
    const [question] = session?.getApprovals() ?? [];
    expect(question).toMatchObject({ toolName: 'note', input: { text: 'a' } });
    const turn = session?.answer([{ approvalId: question?.approvalId ?? '', approved, reason: 'not at night' }]);
    const events = await collect(turn ?? []);
    expect(tools.notes()).toEqual(approved ? ['a'] : []);
    expect(textOf(events)).toContain(approved ? 'noted a' : 'not at night');
    expect(session?.getApprovals()).toEqual([]);
    await session?.send('And now?');
    expect(tools.notes()).toHaveLength(approved ? 1 : 0);
  });

  test('of several waits until each has its answer, and each answer is kept meanwhile', async () => {
    const { tools, open, server } = await world({ output: [note('a'), note('b')] });
    const first = await open();
    const { sessionId } = await ended(first.agent.chat('Note both'));
    const before = await first.agent.getSession(sessionId);
    const [one, two] = before?.getApprovals() ?? [];
    const events = await collect(before?.answer([{ approvalId: one?.approvalId ?? '', approved: true }]) ?? []);
    expect(events.at(-1)?.data).toMatchObject({ stopReason: 'approval_needed' });
    expect([tools.notes(), server.requests.length]).toEqual([[], 1]);
    await first.close();
    const session = await (await open()).agent.getSession(sessionId);
    expect(session?.getApprovals()).toEqual([two]);
    await session?.answer([{ approvalId: two?.approvalId ?? '', approved: false }]);
    expect(tools.notes()).toEqual(['a']);
  });

  test('is taken back by another message: it never runs, and its answer comes too late', async () => {
    const { tools, open, server } = await world({ output: [note('a')] });
    const { agent } = await open();
    const { sessionId } = await ended(agent.chat('Note it'));
    const session = await agent.getSession(sessionId);
    const [question] = session?.getApprovals() ?? [];
    expect(textOf(await collect(session?.send('Never mind') ?? []))).toContain('interrupted');
    expect(session?.getApprovals()).toEqual([]);
    const late = session?.answer([{ approvalId: question?.approvalId ?? '', approved: true }]);
    await expect(collect(late ?? [])).rejects.toMatchObject({ code: 'no_such_approval' });
    expect([tools.notes(), server.requests.length]).toEqual([[], 2]);
  });
});

describe('what runs unasked', () => {
  const asked = async (output: readonly object[], config: Partial<AgentConfig>) => {
    const { tools, open } = await world({ output } as Output);
    const events = await collect((await open(config)).agent.chat('Go on'));
    return { isAsked: typesOf(events).includes('approval_request'), notes: tools.notes(), text: textOf(events) };
  };

  test('a read-only tool of a server that is trusted, and of no other', async () => {
    expect((await asked([where], { trustedServers: ['pond'] })).isAsked).toBe(false);
    expect((await asked([where], {})).isAsked).toBe(true);
    expect((await asked([note('a')], { trustedServers: ['pond'] })).isAsked).toBe(true);
  });

  test('everything with `all`, and with `none` nothing that writes: the model reads why', async () => {
    expect(await asked([note('a')], { approve: 'all' })).toMatchObject({ isAsked: false, notes: ['a'] });
    expect(await asked([note('a')], { approve: 'none' })).toMatchObject({
      ...{ isAsked: false, notes: [] },
      text: expect.stringContaining('was denied'),
    });
  });

  test('what a function of the program decides', async () => {
    const approve: AgentConfig['approve'] = ({ arguments: { text } }) => (text === 'a' ? true : 'ask');
    expect(await asked([note('a')], { approve })).toMatchObject({ isAsked: false, notes: ['a'] });
    expect(await asked([note('b')], { approve })).toMatchObject({ isAsked: true, notes: [] });
  });

  test('a tool of the program that only reads; any other of its tools is asked about', async () => {
    const ran: string[] = [];
    const tool = (name: string, readOnly: boolean) => ({ readOnly, execute: () => (ran.push(name), 'done') });
    const tools = { look: tool('look', true), feed: tool('feed', false) };
    const call = (name: string) => ({ type: 'call', name, arguments: {} });
    expect((await asked([call('look'), call('feed')], { tools, mcpServers: {} })).isAsked).toBe(true);
    expect(ran).toEqual(['look']);
  });
});

test('a tool that the AI SDK runs is asked about and answered the same way', async () => {
  const { tools, open } = await world({ output: [note('a')] });
  const { agent } = await open({ runTools: 'sdk' });
  const { sessionId } = await ended(agent.chat('Note it'));
  const session = await agent.getSession(sessionId);
  const [question] = session?.getApprovals() ?? [];
  expect(tools.notes()).toEqual([]);
  await session?.answer([{ approvalId: question?.approvalId ?? '', approved: true }]);
  expect(tools.notes()).toEqual(['a']);
});

test('every event of the provider is passed on', async () => {
  const seen = new Set<string>();
  const { open } = await world({ output: [note('a')] });
  const { agent } = await open({ approve: 'all', onEvent: ({ type }) => seen.add(type) });
  await agent.chat('Note it');
  expect([...seen]).toEqual(expect.arrayContaining(['call-start', 'tool-start', 'tool-end']));
});

test('agent send asks by a code, and approve and deny go on in another process', async () => {
  const { folder, entry, notes } = toolsServer();
  const config = join(folder, 'mcp.json');
  writeFileSync(config, JSON.stringify({ mcpServers: { pond: entry } }));
  const run = (...args: string[]) => runAgent([...args, '-w', folder, '--mcp-config', config, '--offline']);
  const sent = await run('send', 'use note {"text":"a"}');
  expect(sent.code).toBe(6);
  expect(sent.stderr).toContain('may note run? { "text": "a" }');
  const id = /agent approve (\w+)/.exec(sent.stderr)?.[1] ?? '';
  const listed = jsonLines((await run('approvals', id, '--json')).stdout)[0];
  expect(listed.items).toMatchObject([{ toolName: 'note', input: { text: 'a' } }]);
  const approved = await run('approve', id);
  expect([approved.code, approved.stdout.includes('noted a'), notes()]).toEqual([0, true, ['a']]);
  expect((await run('approve', id)).code).not.toBe(0);
});
