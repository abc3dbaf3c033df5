import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { textOf } from '../../support/chat-client.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { newFolder, startChat } from '../../support/start-chat.js';

let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(() => model.close());

it('a pattern that was made to be slow leaves the server answering, and Ctrl-C working', async () => {
  const workspace = newFolder();
  writeFileSync(join(workspace, `${'a'.repeat(250)}bc`), '');
  const chat = await startChat({ baseURL: model.baseURL, workspace });
  const commands = ['ls *a*a*a*a*a*b', 'ls *a*a*a*a*a*c', `ls ${'*a'.repeat(120)}*b`];
  const state = { isOver: false };
  const waits: number[] = [];
  const watching = (async () => {
    while (!state.isOver) {
      const begun = performance.now();
      expect((await chat.fetch('GET', '/api/health')).status).toBe(200);
      waits.push(performance.now() - begun);
      await sleep(20);
    }
  })();
  const answers = await Promise.all(
    commands.map((command, at) => chat.send(`p${at}`, `call shellCommand ${JSON.stringify({ command })}`)),
  );
  state.isOver = true;
  await watching;
  expect(answers.every(({ isDone }) => isDone)).toBe(true);
  expect(answers.map((answer) => textOf(answer.chunks))).toEqual(
    commands.map(() => expect.stringContaining('exitCode') as string),
  );
  expect(Math.max(...waits)).toBeLessThan(3000);
  expect((await chat.end('SIGINT')).code).toBe(0);
});
