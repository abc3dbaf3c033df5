import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { createClient } from '@libsql/client';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { type Agent, createAgent, type DriverStreamEvent, type StoredMessage } from '../../src/index.js';
import { ranCalls, startTalkingModel, talkingProvider } from '../support/talking-model.js';

const KILLS = 50;
const TURNS = 10;
const TALKER = fileURLToPath(new URL('talker.ts', import.meta.url));

let workspace: string;
let log: string;
let model: Awaited<ReturnType<typeof startTalkingModel>>;
/** What the killed programs said was done, by session. */
const acknowledged = new Map<string, string[]>();

beforeAll(async () => {
  workspace = mkdtempSync(join(tmpdir(), 'agent-kill-'));
  log = join(workspace, 'ran.log');
  model = await startTalkingModel(2);
});

afterAll(async () => {
  await model.server.close();
  rmSync(workspace, { recursive: true, force: true });
});

test(
  'a program that is killed at any moment loses nothing that it acknowledged, and goes on',
  { timeout: 900_000 },
  async () => {
    const moments = { starting: 0, idle: 0, 'in a turn': 0 };
    for (let kill = 0; kill < KILLS; kill += 1) {
      const isEarly = kill % 10 === 0;
      const lines = await liveAndDie(isEarly ? 'starting' : 'session', Math.random() * (isEarly ? 60 : 700));
      for (const [, id, text] of lines.map((line) => /^done (\S+) (.*)$/.exec(line) ?? [])) {
        if (id !== undefined && text !== undefined) acknowledged.set(id, [...(acknowledged.get(id) ?? []), text]);
      }
      moments[await goOn()] += 1;
    }
    expect(model.problems).toEqual([]);
    const ran = ranCalls(log);
    expect(new Set(ran).size).toBe(ran.length);
    expect(moments['in a turn']).toBeGreaterThan(KILLS / 4);
  },
);

/** Runs the program and kills it a while after it said the word; answers with what it said. */
async function liveAndDie(ready: string, afterMs: number): Promise<string[]> {
  const child = spawn(process.execPath, ['--import', 'tsx', TALKER, workspace, model.baseURL, log], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  let complaints = '';
  const isReady = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes(ready)) resolve();
    });
  });
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await Promise.race([isReady, ended]);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  expect(child.exitCode, complaints).toBeNull();
  child.kill('SIGKILL');
  await ended;
  // A line that was cut off was not said.
  return said.slice(0, said.lastIndexOf('\n') + 1).split('\n');
}

/** What the next start finds: everything in order, and the next turn works. Says what the last one was doing. */
async function goOn(): Promise<'starting' | 'idle' | 'in a turn'> {
  const provider = talkingProvider(model.baseURL, log);
  const agent = createAgent({ workspace, model: 'any', provider });
  await agent.initialize();
  try {
    const [latest] = (await agent.getSessions()).filter(({ state }) => state !== 'completed');
    if (latest === undefined) return 'starting';
    expect(latest.state).not.toBe('active');
    const session = await agent.getSession(latest.id);
    const before = session?.getMessages() ?? [];
    checkRows(latest.id, before);
    const wasCutOff = before.at(-1)?.metadata?.kind === 'cut_off';
    const text = `message ${crypto.randomUUID()}`;
    const events = await eventsOf(session?.send(text));
    expect(events.filter(({ type }) => type === 'error')).toEqual([]);
    const after = session?.getMessages() ?? [];
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.at(-1)?.content).toMatch(/^That was message \d+\.$/);
    acknowledged.set(latest.id, [...(acknowledged.get(latest.id) ?? []), text]);
    checkRows(latest.id, after);
    if (after.filter(({ type }) => type === 'user').length >= TURNS) await session?.complete();
    return wasCutOff ? 'in a turn' : 'idle';
  } finally {
    await destroy(agent, provider);
    await checkFile();
  }
}

async function eventsOf(turn: AsyncIterable<DriverStreamEvent> | undefined): Promise<DriverStreamEvent[]> {
  const events: DriverStreamEvent[] = [];
  for await (const event of turn ?? []) events.push(event);
  return events;
}

async function destroy(agent: Agent, provider: { close(): Promise<void> }): Promise<void> {
  await agent.destroy();
  await provider.close();
}

function checkRows(id: string, rows: readonly StoredMessage[]): void {
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  expect(new Set(rows.map((row) => row.id)).size).toBe(rows.length);
  expect(rows.map(({ turn }) => turn)).toEqual(rows.map(({ turn }) => turn).toSorted((one, other) => one - other));
  const idsOf = (isCall: boolean) => rows.filter((row) => row.isToolUse === isCall).map(({ toolId }) => toolId);
  const [calls, results] = [idsOf(true), idsOf(false)];
  expect(new Set(calls).size).toBe(calls.length);
  expect(results).toHaveLength(calls.length);
  expect(new Set(results)).toEqual(new Set(calls));
  const said = rows.filter(({ type }) => type === 'user').map(({ content }) => content);
  expect(said.filter((text) => acknowledged.get(id)?.includes(text))).toEqual(acknowledged.get(id) ?? []);
}

async function checkFile(): Promise<void> {
  const client = createClient({ url: pathToFileURL(join(workspace, '.agentx', 'data', 'agent.db')).href });
  const { rows } = await client.execute('PRAGMA integrity_check');
  client.close();
  expect(rows.map((row) => row[0])).toEqual(['ok']);
}
