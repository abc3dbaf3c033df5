import { type ChildProcess, spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createClient } from '@libsql/client';
import { createScriptedServer } from 'responses-loop/testing';
import { expect, onTestFinished, test } from 'vitest';

import { type Agent, createAgent, createSqlitePersister } from '../../src/index.js';
import { collect, textOf } from '../support/collect.js';
import { FakeAdapter } from '../support/fake-adapter.js';
import { makeWorkspace } from '../support/workspace.js';

const TALKER = fileURLToPath(new URL('hanging-talker.ts', import.meta.url));

async function start() {
  const workspace = makeWorkspace();
  const log = join(workspace, 'ran.log');
  const server = await createScriptedServer({
    steps: [
      {
        output: [
          { type: 'text', text: 'I wait.' },
          { type: 'call', name: 'wait', arguments: {}, callId: 'c1' },
        ],
      },
    ],
    otherwise: ({ index }) => ({ output: [{ type: 'text', text: 'Here I am.' }], id: `resp_${index}` }),
  });
  onTestFinished(() => server.close());
  const child = spawn(process.execPath, ['--import', 'tsx', TALKER, workspace, server.baseURL, log]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { workspace, log, server, child };
}

/** Waits until the program has said the word; answers with all that it said. */
function heard(child: ChildProcess, word: string): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(word)) resolve(said);
    });
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('close', () => reject(new Error(`It ended: ${said}`)));
  });
}

async function kill(child: ChildProcess): Promise<void> {
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill('SIGKILL');
  await closed;
}

async function openAgent(workspace: string, baseUrl = 'http://127.0.0.1:1'): Promise<Agent> {
  const agent = createAgent({ workspace, model: 'any', apiKey: 'test', baseUrl });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return agent;
}

test('killed right after createSession() returned: the session is there', async () => {
  const { child, workspace } = await start();
  const [, id = ''] = /session (\S+)/.exec(await heard(child, '\n')) ?? [];
  await kill(child);
  const agent = await openAgent(workspace);
  expect(await agent.getSession(id)).not.toBeNull();
});

test('killed in the middle of a tool: the next turn goes out with an output that says so, and nothing runs twice', async () => {
  const { child, workspace, server, log } = await start();
  await heard(child, 'in the tool');
  // Rows are written while the tool begins to run, not before it.
  await new Promise((resolve) => setTimeout(resolve, 200));
  await kill(child);
  const agent = await openAgent(workspace, server.baseURL);
  const [{ id } = { id: '' }] = await agent.getSessions();
  const session = await agent.getSession(id);
  expect(session?.state).toBe('idle');
  expect(session?.getMessages().map(({ type, content }) => `${type} ${content}`)).toEqual([
    'user Wait for me',
    'agent I wait.',
    'tool wait {}',
    expect.stringMatching(/^tool .*interrupted/),
    expect.stringMatching(/^system .*cut off/),
  ]);
  expect(textOf(await collect(session?.send('Are you there?') ?? []))).toBe('Here I am.');
  expect(server.requests.at(-1)?.input.map(({ type, role }) => role ?? type)).toEqual([
    'user',
    'assistant',
    'function_call',
    'function_call_output',
    'user',
  ]);
  expect(readFileSync(log, 'utf8')).toBe('ran\n');
});

test('two processes at one database: both work, and a session in a turn of one is busy for the other', async () => {
  const { child, workspace, server } = await start();
  await heard(child, 'in the tool');
  const agent = await openAgent(workspace, server.baseURL);
  const [{ id } = { id: '' }] = await agent.getSessions();
  const same = await agent.getSession(id);
  await expect(Promise.resolve(same?.send('Me too'))).rejects.toMatchObject({ code: 'session_busy' });
  const other = await agent.createSession();
  expect(textOf(await collect(other.send('Hello')))).toBe('Here I am.');
  await kill(child);
  // Without another start: the process is gone, so its turn is over.
  expect(textOf(await collect(same?.send('Me now') ?? []))).toBe('Here I am.');
  expect(same?.getMessages().at(-3)).toMatchObject({ type: 'system', metadata: { kind: 'cut_off' } });
});

test('power that is lost in a write leaves a whole database with the rows up to some moment', async () => {
  const workspace = makeWorkspace();
  const agent = createAgent({ workspace }, { adapter: new FakeAdapter() });
  await agent.initialize();
  const session = await agent.createSession();
  for (let turn = 0; turn < 20; turn += 1) await session.send(`Message ${turn}`);
  const source = join(workspace, '.agentx', 'data', 'agent.db');
  for (let cut = 0; cut < 20; cut += 1) {
    const broken = makeWorkspace();
    const file = join(broken, '.agentx', 'data', 'agent.db');
    mkdirSync(join(broken, '.agentx', 'data'), { recursive: true });
    copyFileSync(source, file);
    copyFileSync(`${source}-wal`, `${file}-wal`);
    truncateSync(`${file}-wal`, Math.floor(Math.random() * statSync(`${file}-wal`).size));
    const client = createClient({ url: pathToFileURL(file).href });
    expect((await client.execute('PRAGMA integrity_check')).rows[0]?.[0]).toBe('ok');
    client.close();
    const persister = createSqlitePersister({ workspace: broken });
    const rows = await persister.getMessages(session.id);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    await persister.close();
  }
  await agent.destroy();
});
