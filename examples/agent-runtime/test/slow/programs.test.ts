import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createScriptedServer } from 'responses-loop/testing';
import { describe, expect, onTestFinished, test } from 'vitest';

import {
  type AgentPersister,
  coderDialect,
  createAgentX,
  createMemoryPersister,
  createProcessDriver,
  eventsDialect,
  type ProcessDriverOptions,
} from '../../src/index.js';
import { collect, textOf, typesOf } from '../support/collect.js';
import { jsonLines, runAgent } from '../support/run-agent.js';
import { makeWorkspace } from '../support/workspace.js';

const PROGRAM = fileURLToPath(new URL('../support/events-program.mjs', import.meta.url));
const CODER = fileURLToPath(new URL('../../../coding-cli/bin/coder.mjs', import.meta.url));

const EVENTS = { name: 'program', command: [process.execPath, PROGRAM], dialect: eventsDialect };

async function open(options: ProcessDriverOptions, cwd: string, persister: AgentPersister = createMemoryPersister()) {
  const agent = createAgentX({
    driver: (config) => createProcessDriver(options, config),
    driverConfig: { agentId: 'a', cwd },
    persister,
  });
  await agent.initialize();
  onTestFinished(() => agent.destroy());
  return agent;
}

const folder = (): string => realpathSync(makeWorkspace());

describe('a program that speaks the events', () => {
  test('answers in the folder of the driver, and what is no line of its own means nothing', async () => {
    const cwd = folder();
    const agent = await open(EVENTS, cwd);
    const events = await collect(agent.chat('Quack'));
    expect(textOf(events)).toBe(`1: Quack\u2028 in ${cwd}`);
    expect(typesOf(events)).toEqual(['message_start', 'text_delta', 'message_delta', 'message_stop']);
  });

  test('runs on between messages, and is resumed by its own id in another process', async () => {
    const [cwd, persister] = [folder(), createMemoryPersister()];
    const first = await open(EVENTS, cwd, persister);
    const turn = first.chat('One');
    await turn;
    const more = { sessionId: turn.sessionId };
    expect(textOf(await collect(first.chat('Two', more)))).toContain('2: Two');
    const second = await open(EVENTS, cwd, persister);
    expect((await second.getSession(turn.sessionId))?.agentSessionId).toBe('talk-1:2');
    expect(textOf(await collect(second.chat('Three', more)))).toContain('3: Three');
  });

  test('that ends in the middle fails the turn with its last words, and the next message starts it anew', async () => {
    const agent = await open(EVENTS, folder());
    const turn = agent.chat('One');
    await turn;
    const failed = await collect(agent.chat('die', { sessionId: turn.sessionId }));
    expect(failed.slice(-2)).toMatchObject([
      { type: 'error', data: { errorCode: 'program_ended', message: expect.stringContaining('out of ducks') } },
      { type: 'message_stop', data: { stopReason: 'error' } },
    ]);
    expect(textOf(await collect(agent.chat('Two', { sessionId: turn.sessionId })))).toContain('2: Two');
  });

  test('is told to stop, and the session goes on', async () => {
    const agent = await open(EVENTS, folder());
    const turn = agent.chat('hang');
    for await (const { type } of turn) {
      if (type === 'text_delta') void (await agent.getSession(turn.sessionId))?.interrupt();
    }
    const events = await collect(turn);
    expect(events.at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
    expect(textOf(await collect(agent.chat('On', { sessionId: turn.sessionId })))).toContain('2: On');
  });

  test('that is not there fails the turn, and names it', async () => {
    const agent = await open({ ...EVENTS, command: ['/no/such/program'] }, folder());
    const events = await collect(agent.chat('Quack'));
    expect(events.at(-2)).toMatchObject({
      type: 'error',
      data: { message: expect.stringContaining('/no/such/program') },
    });
  });

  test('is what AGENTX_DRIVER and AGENTX_COMMAND name, for the command too', async () => {
    const env = { AGENTX_DRIVER: 'process', AGENTX_COMMAND: JSON.stringify([process.execPath, PROGRAM]) };
    const { stdout, code } = await runAgent(['send', 'Quack', '--json'], { env });
    expect(code).toBe(0);
    expect(jsonLines(stdout).at(-1)).toMatchObject({ type: 'message_stop' });
    const wrong = await runAgent(['send', 'Quack'], { env: { ...env, AGENTX_COMMAND: 'my-agent --json' } });
    expect(wrong.stderr).toContain('AGENTX_COMMAND must be a JSON array');
    expect(wrong.code).not.toBe(0);
  });
});

describe('coder proto', () => {
  const call = (command: string) => ({ output: [{ type: 'call', name: 'bash', arguments: { command } }] }) as const;

  async function coder(
    steps: NonNullable<Parameters<typeof createScriptedServer>[0]>['steps'],
    approve?: () => boolean,
  ) {
    const server = await createScriptedServer({ steps: steps ?? [] });
    onTestFinished(() => server.close());
    const cwd = folder();
    const env = {
      ...{ PATH: process.env['PATH'], HOME: folder(), CODER_HOME: folder() },
      ...{ OPENAI_BASE_URL: server.baseURL, OPENAI_API_KEY: 'sk-for-tests', MODEL: 'any' },
    };
    const options = { name: 'coder', command: [process.execPath, CODER, 'proto'], dialect: coderDialect, env };
    return { server, cwd, options: { ...options, approve } };
  }

  test('answers, runs what only reads, counts tokens, and remembers in another process', async () => {
    const { server, cwd, options } = await coder([call('pwd'), 'Here we are.', 'You asked where.']);
    const persister = createMemoryPersister();
    const turn = (await open(options, cwd, persister)).chat('Where are we?');
    const events = await collect(turn);
    expect(textOf(events)).toContain('Here we are.');
    expect(typesOf(events)).toEqual(expect.arrayContaining(['tool_use_start', 'tool_use_stop', 'tool_result']));
    expect(events.find(({ type }) => type === 'tool_result')?.data).toMatchObject({
      result: expect.stringContaining(cwd) as unknown,
    });
    expect(events.slice(-2).map(({ type }) => type)).toEqual(['message_delta', 'message_stop']);
    const again = await open(options, cwd, persister);
    await again.chat('What did I ask?', { sessionId: turn.sessionId });
    expect(server.requests.at(-1)?.text).toContain('Where are we?');
  });

  test('runs nothing that it asks about, unless `approve` says yes', async () => {
    for (const isAllowed of [false, true]) {
      const { cwd, options } = await coder([call('touch made'), 'Done.'], isAllowed ? () => true : undefined);
      const events = await collect((await open(options, cwd)).chat('Make it'));
      expect(existsSync(join(cwd, 'made'))).toBe(isAllowed);
      expect(typesOf(events).includes('warning')).toBe(!isAllowed);
    }
  });
});
