import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { approvalsIn, readAnswer, textOf } from '../../support/chat-client.js';
import { answersOf, ChatFollower } from '../../support/chat-follower.js';
import { isRunning, startInstance, useModel } from '../../support/instances.js';
import { startScriptedModel } from '../../support/scripted-model.js';
import { type ChatProcess, newFolder, spawnChat } from '../../support/start-chat.js';

const LONG = Array.from({ length: 100 }, (_, n) => `word${n}`).join(' ');
const { postgres, model } = await useModel(() => startScriptedModel({ delayMs: 40 }));
const newDatabase = (): string => postgres?.createDatabase() ?? '';
/** Each as on a machine of its own. */
const start = (database: string): Promise<ChatProcess> =>
  startInstance({ baseURL: model.baseURL, database, workspace: newFolder(), args: [] });

describe.skipIf(postgres === undefined)('several servers with one database', () => {
  it('answer for each chat alike, and all of a chat happens at its owner', async () => {
    const database = newDatabase();
    const [one, two, three] = await Promise.all([start(database), start(database), start(database)]);
    expect(textOf((await one.send('s', 'hello')).chunks)).toBe('You said: hello');
    const second = await two.send('s', 'from afar');
    expect([textOf(second.chunks), second.isDone]).toEqual(['You said: from afar', true]);
    // A question is answered elsewhere, and the tool works in the folder of the owner.
    const [id = ''] = approvalsIn((await three.send('s', 'call writeFile {"path":"a.md","content":"yes"}')).chunks);
    await two.answer('s', { id, approved: true });
    expect(readFileSync(join(one.workspace, 'a.md'), 'utf8')).toBe('yes');
    expect(existsSync(join(two.workspace, 'a.md'))).toBe(false);
    // A turn is seen, steered and stopped from afar.
    const sent = one.send('s', LONG);
    await isRunning(two, 's');
    expect((await three.send('s', 'later', { whileRunning: 'queue' })).status).toBe(202);
    expect(Reflect.get(await two.session('s'), 'queue')).toMatchObject([{ text: 'later' }]);
    const stream = new ChatFollower('s', three);
    await stream.read((chunks) => textOf(chunks).length > 40);
    const { json: list } = await three.api<{ items: object[] }>('GET', '/api/sessions');
    expect(list.items).toMatchObject([{ id: 's', running: true }]);
    expect((await two.api('POST', '/api/chat/s/stop')).json).toEqual({ stopped: true });
    expect(textOf((await sent).chunks).length).toBeLessThan(LONG.length);
    await two.idle('s');
    // What only reads is read at any of them.
    const exported = await two.fetch('GET', '/api/sessions/s/export?format=markdown');
    expect(exported.headers.get('content-disposition')).toContain('.md"');
    expect(await exported.text()).toContain('from afar');
    expect((await three.api('GET', '/api/search?q=afar')).json).toMatchObject({ total: 1, items: [{ id: 's' }] });
    const counts = async (server: ChatProcess): Promise<unknown> =>
      (await server.api<{ items: unknown[] }>('GET', '/api/sessions')).json.items;
    expect(await counts(three)).toEqual(await counts(one));
    await one.send('s', 'one more');
    expect(await counts(three)).toEqual(await counts(one));
    expect((await three.api('DELETE', '/api/sessions/s')).status).toBe(204);
    for (const server of [one, two, three]) expect((await server.api('GET', '/api/sessions/s')).status).toBe(404);
    const { json: made } = await two.api<{ id: string }>('POST', '/api/sessions', { title: 'New' });
    expect((await one.session(made.id)).title).toBe('New');
    expect(model.problems).toEqual([]);
  }, 120_000);

  it('one that was frozen beyond its time writes nothing when it wakes, its clients are sent away, and it asks the new owner', async () => {
    const database = newDatabase();
    const [one, two] = await Promise.all([start(database), start(database)]);
    await one.send('f', 'before');
    const reading = one.fetch('POST', '/api/chat', one.message('f', LONG)).then((answer) => readAnswer(answer));
    const read = reading.then(
      (answer) => answer.isDone,
      () => false,
    );
    const follower = new ChatFollower('f', two);
    await follower.read((chunks) => textOf(chunks).length > 40);
    process.kill(one.pid, 'SIGSTOP');
    try {
      await follower.read(() => follower.reloads > 0);
      await follower.read();
    } finally {
      process.kill(one.pid, 'SIGCONT');
    }
    expect(await read).toBe(false);
    expect(answersOf(await two.session('f'))).toEqual(['You said: before', `You said: ${LONG}`]);
    const linesOf = async (): Promise<unknown> => {
      const client = new pg.Client(database);
      await client.connect();
      const { rows } = await client.query('SELECT count(*), max(number) FROM chat_server.lines');
      await client.end();
      return rows;
    };
    const lines = await linesOf();
    expect(answersOf(await one.session('f'))).toEqual(['You said: before', `You said: ${LONG}`]);
    expect(await linesOf()).toEqual(lines);
    expect(textOf((await one.send('f', 'and now?')).chunks)).toBe('You said: and now?');
    expect(answersOf(await two.session('f')).at(-1)).toBe('You said: and now?');
    expect(model.problems).toEqual([]);
  }, 120_000);

  it('take one token: a wrong one and none are refused at each, before anything is forwarded', async () => {
    const database = newDatabase();
    const [one, two] = await Promise.all([start(database), start(database)]);
    await one.send('t', 'hello');
    for (const authorization of ['', 'Bearer wrong-token-of-somebody', 'Basic x'])
      for (const hop of [{}, { 'chat-server-hop': '1' }])
        for (const server of [one, two]) {
          const headers = { authorization, 'content-type': 'application/json', ...hop };
          for (const path of ['/api/sessions/t', '/api/chat/t/stream', '/api/search?q=hello'])
            expect((await server.fetch('GET', path, undefined, { headers })).status).toBe(401);
          expect((await server.fetch('POST', '/api/chat', one.message('t', 'no'), { headers })).status).toBe(401);
        }
    expect((await two.session('t')).messages).toHaveLength(2);
  }, 60_000);
});

describe('chat-server --engine', () => {
  it.each([
    [['--engine', 'dbos'], {}, '--engine needs --database'],
    [['--engine', 'dbos'], { CHAT_TOKEN: '' }, '--engine needs CHAT_TOKEN'],
    [['--address', 'http://10.0.0.1:4300'], {}, '--address needs --engine'],
    [['--engine', 'dbos', '--host', '0.0.0.0'], {}, 'add --address http://NAME:PORT'],
    [['--address', 'http://10.0.0.1:4300/path'], {}, 'without a path'],
    [['--address', 'http://user:word@10.0.0.1'], {}, 'without a path'],
    [['--address', 'ftp://10.0.0.1'], {}, 'Expected http://host:port'],
  ])('%j with %j is refused', async (args, env, sentence) => {
    const { code, stderr } = await spawnChat({ args, env }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });
});
