import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { approvalsIn, ChatClient, textOf, typesOf, until } from '../../support/chat-client.js';
import { PICTURES } from '../../support/pictures.js';
import { type ScriptedModel, startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, dataOf, newFolder, spawnChat, startChat, TOKEN } from '../../support/start-chat.js';

const postgres = await postgresForTests();
let model: ScriptedModel;
beforeAll(async () => {
  model = await startScriptedModel();
});
afterAll(async () => {
  await model.close();
  await postgres?.stop();
});

/** With a password that is not asked for, to see that nobody is shown it. */
const withPassword = (database: string): string => database.replace('postgres@', 'postgres:hidden-word@');
const newDatabase = (): string => withPassword(postgres?.createDatabase() ?? '');
const start = (database: string, workspace = newFolder(), args: readonly string[] = []): Promise<ChatProcess> =>
  startChat({ baseURL: model.baseURL, workspace, args, env: { CHAT_DATABASE: database } });
const picture = { type: 'file' as const, mediaType: 'image/png', url: `data:image/png;base64,${PICTURES.png}` };

describe.skipIf(postgres === undefined)('chat-server --database', () => {
  it('keeps chats, queues, grants and open questions in Postgres: kill -9 and another machine find them as they were', async () => {
    const database = newDatabase();
    const workspace = newFolder();
    let chat = await start(database, workspace);
    const hostile = 'e\u0301 \u00e9 NUL \u0000 half \ud800 duck \u{1f986}';
    await chat.post(chat.message('s', [{ type: 'text', text: hostile }, picture]));
    const { chunks } = await chat.send('s', 'call writeFile {"path":"a.md","content":"approved"}');
    await chat.api('PATCH', '/api/sessions/s', { title: 'The pond', instructions: 'Be brief.' });
    expect((await chat.send('s', 'later', { whileRunning: 'queue' })).status).toBe(202);
    const before = await chat.session('s');
    expect(before.messages[0]?.parts[0]).toMatchObject({ text: hostile });
    expect(before.pendingApprovals).toBe(1);
    await chat.end('SIGKILL');
    expect(readdirSync(dataOf(workspace, 'sessions'))).toEqual([]);
    expect(existsSync(dataOf(workspace, 'secret'))).toBe(false);
    // The same workspace on another machine, which has nothing of this one's data folder.
    chat = await start(database, workspace, ['--data', join(newFolder(), 'data')]);
    const { messages, title, instructions } = await chat.session('s');
    expect(messages).toEqual(before.messages);
    expect([title, instructions]).toEqual(['The pond', 'Be brief.']);
    expect(Reflect.get(await chat.session('s'), 'queue')).toMatchObject([{ text: 'later', state: 'held' }]);
    const [id = ''] = approvalsIn(chunks);
    expect(typesOf((await chat.answer('s', { id, approved: true, always: true })).chunks)).toContain('finish');
    expect(readFileSync(join(workspace, 'a.md'), 'utf8')).toBe('approved');
    expect((await chat.session('s')).grants).toHaveLength(1);
    expect((await chat.answer('s', { id, approved: true })).status).toBe(409);
    expect((await chat.api('DELETE', '/api/sessions/s')).status).toBe(204);
    expect((await chat.api('GET', '/api/sessions/s')).status).toBe(404);
    expect(model.problems).toEqual([]);
    await chat.end();
  });

  it('has one server at a time: the second one ends with 2 and names the first one', async () => {
    const database = newDatabase();
    // Of another database, which is not in the way.
    await start(newDatabase());
    const chat = await start(database);
    const second = await spawnChat({ env: { CHAT_DATABASE: database } }).ended;
    expect(second.code).toBe(2);
    expect(second.stderr).toContain(`is in use by chat-server, process ${chat.pid} on `);
    expect(second.stderr).not.toContain('hidden-word');
    await chat.end();
    const third = await start(database);
    expect(textOf((await third.send('s', 'hello')).chunks)).toBe('You said: hello');
  });

  it('ends with a sentence if the database goes, and a new start has all that was acknowledged', async () => {
    if (postgres === undefined) return;
    const database = newDatabase();
    const workspace = newFolder();
    const spawned = spawnChat({ baseURL: model.baseURL, workspace, env: { CHAT_DATABASE: database } });
    await until(
      () => spawned.said.stdout,
      (text) => text.includes('Chat: '),
    );
    const port = Number(/127\.0\.0\.1:(\d+)/.exec(spawned.said.stdout)?.[1]);
    const client = new ChatClient(port, TOKEN);
    expect(textOf((await client.send('s', 'hello')).chunks)).toBe('You said: hello');
    await postgres.halt();
    const { code, stderr } = await spawned.ended;
    expect(code).toBe(1);
    expect(stderr).toMatch(/The connection to postgres:\S+ broke, so another server may use the database now/);
    expect(stderr).not.toContain('hidden-word');
    const refused = await spawnChat({ workspace, env: { CHAT_DATABASE: database } }).ended;
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('Check that Postgres runs') as string]);
    await postgres.resume();
    const chat = await start(database, workspace);
    expect((await chat.session('s')).messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(textOf((await chat.send('s', 'there?')).chunks)).toBe('You said: there?');
  });
});
