import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isToolUIPart } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, until } from '../../support/chat-client.js';
import { countingServer } from '../../support/counting-server.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
});

interface Acting {
  /** A call that acts at once, and then takes long. */
  readonly call: string;
  readonly args?: readonly string[];
  readonly runs: () => number;
}

function command(workspace: string): Acting {
  const log = join(workspace, 'log');
  writeFileSync(join(workspace, 'act.sh'), '#!/bin/sh\necho ran >> log\nexec sleep 60\n');
  chmodSync(join(workspace, 'act.sh'), 0o755);
  const runs = (): number => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').length : 0);
  return { call: 'call shellCommand {"command":"./act.sh"}', runs };
}

function mcpTool(): Acting {
  const { args, did } = countingServer(newFolder(), { trust: false });
  return { call: 'call wait {}', args, runs: () => did().filter((line) => line === 'wait began').length };
}

describe('kill -9 while a call runs that "Always in this chat" allows', () => {
  it.each([
    ['a command', command],
    ['a tool of an MCP server', mcpTool],
  ])('leaves the call in the chat, and the model reads that it was interrupted: %s', async (_what, acting) => {
    const workspace = newFolder();
    const { call, args = [], runs } = acting(workspace);
    const start = () => startChat({ baseURL: model.baseURL, workspace, args });
    let chat = await start();
    const [id = ''] = approvalsIn((await chat.send('s', call)).chunks);
    const first = chat.answer('s', { id, approved: true, always: true });
    await until(runs, (count) => count === 1);
    await chat.api('POST', '/api/chat/s/stop', {});
    await first;
    const second = chat.send('s', call).catch(() => undefined);
    await until(runs, (count) => count === 2);
    await chat.end('SIGKILL');
    await second;
    chat = await start();
    const { messages } = await chat.session('s');
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant']);
    expect(messages.at(-1)?.parts.filter(isToolUIPart)).toMatchObject([{ state: 'input-available' }]);
    await chat.send('s', 'What became of it?');
    expect(JSON.stringify(model.requests.at(-1)?.input.slice(-3))).toMatch(/interrupted/);
    expect(runs()).toBe(2);
    await chat.end();
    expect(model.problems).toEqual([]);
  });
});
