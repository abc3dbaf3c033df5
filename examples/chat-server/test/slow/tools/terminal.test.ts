import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { livingIn, until } from '../../../../shared/test/helpers/processes.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, approvalsIn, textOf } from '../../support/chat-client.js';
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
let chat: ChatProcess;
let workspace: string;
beforeEach(async () => {
  workspace = newFolder();
  model = await startScriptedModel({ answer: ponders });
  chat = await startChat({ baseURL: model.baseURL, workspace });
});
afterEach(async () => {
  await chat.end();
  await model.close();
  expect(livingIn(workspace)).toEqual([]);
});

const exec = (command: string, yieldTimeMs = 1): string =>
  `call execCommand ${JSON.stringify({ command, yieldTimeMs })}`;
const type = (chars?: string, yieldTimeMs = 30_000, sessionId = 1): string =>
  `call writeStdin ${JSON.stringify({ sessionId, ...(chars === undefined ? {} : { chars }), yieldTimeMs })}`;

/** A model that says nothing, as long as nobody stops it. */
const ponders: NonNullable<ScriptedModelOptions['answer']> = ({ input }) =>
  JSON.stringify(input.at(-1)).includes('ponder')
    ? { events: [{ type: 'response.created', response: { id: 'resp_slow' } }], ending: 'stall' }
    : undefined;

/** Sends a call, and says yes to what is asked. */
async function run(id: string, text: string): Promise<Answer> {
  const asked = await chat.send(id, text);
  const [approval] = approvalsIn(asked.chunks);
  return approval === undefined ? asked : chat.answer(id, { id: approval, approved: true });
}

function questionOf({ chunks }: Answer): unknown {
  return chunks.find((chunk) => chunk.type === 'tool-approval-request');
}

describe('a terminal of a chat', () => {
  it('lives on over turns, and each text for it is asked about with the program that gets it', async () => {
    const started = await run('a', exec('read x; echo "got $x"; exit 3'));
    expect(textOf(started.chunks)).toContain('"isRunning":true,"sessionId":1');
    const asked = await chat.send('a', type('duck\n'));
    expect(JSON.stringify(questionOf(asked))).toContain(String.raw`it types into terminal 1, where \"read x;`);
    expect(JSON.stringify(questionOf(asked))).toContain('"always":false');
    const [approval = ''] = approvalsIn(asked.chunks);
    const typed = await chat.answer('a', { id: approval, approved: true });
    expect(textOf(typed.chunks)).toContain(String.raw`"exitCode":3,"output":"duck\ngot duck\n"`);
    const gone = await chat.send('a', type());
    expect(textOf(gone.chunks)).toContain('There is no terminal 1 (any more)');
    expect(model.problems).toEqual([]);
  });

  it('is not reached from another chat, and is typed into only after a yes, in one round with its start too', async () => {
    await run('a', exec('cat > made'));
    expect(textOf((await chat.send('b', type('evil\n'))).chunks)).toContain('There is no terminal 1');
    const both = await chat.send('c', `${exec('printf ready')}\n${type('evil\n', 1)}`);
    expect(textOf(both.chunks)).toMatch(/There is no terminal 1|now needs approval/);
    const refused = await chat.send('a', type('rm -rf /\n'));
    expect(textOf(refused.chunks)).toContain('This is never typed here');
  });

  it('is looked at, and stopped by Ctrl-C, without a question', async () => {
    await run('a', exec('echo begun; sleep 1000'));
    expect(textOf((await chat.send('a', type(undefined, 300))).chunks)).toContain('"isRunning":true');
    const stopped = await chat.send('a', type('\u0003'));
    expect(questionOf(stopped)).toBeUndefined();
    expect(textOf(stopped.chunks)).toContain('"exitCode":130');
  });

  it('ends with a turn that is stopped while the model thinks', async () => {
    await run('a', exec('touch on; sleep 1000'));
    await until(() => existsSync(join(workspace, 'on')));
    const asked = model.requests.length;
    const thinking = chat.send('a', 'ponder');
    await until(() => model.requests.length > asked);
    await chat.api('POST', '/api/chat/a/stop');
    await thinking;
    await until(() => livingIn(workspace).length === 0);
  });

  it('ends with a turn that is stopped, and with its chat', async () => {
    await run('a', exec('touch on; sleep 1000'));
    await run('b', exec('touch b; sleep 1001'));
    await until(() => existsSync(join(workspace, 'on')) && existsSync(join(workspace, 'b')));
    const looking = chat.send('a', type(undefined, 300_000));
    await until(() => model.requests.length >= 5);
    await until(() => livingIn(workspace).length > 0);
    await chat.api('POST', '/api/chat/a/stop');
    await looking;
    await chat.api('DELETE', '/api/sessions/b');
    await until(() => livingIn(workspace).length === 0);
  });
});
