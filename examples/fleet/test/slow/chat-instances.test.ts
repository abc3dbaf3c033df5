import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { poolOf, settingsOf } from 'responses-loop-example-shared/postgres.js';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, describe, expect, it } from 'vitest';
import { ChatClient, questionsIn } from '../../chat-client.js';
import { startChatInstance } from '../../chat-instance.js';
import { readLedger } from '../../ledger.js';
import { startModel } from '../../model.js';

const postgres = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'fleet-instances-'));
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Two instances; `dieWhile` kills the first one while a request waits for a table that is locked. */
async function startTwo(name: string) {
  const database = postgres?.createDatabase() ?? '';
  const model = await startModel({ eventMs: 1, toolMs: 1, words: 1 });
  const place = { folder, ledger: join(folder, `${name}.jsonl`), database, modelUrl: model.baseURL };
  const first = await startChatInstance(place, `${name}-one`);
  const second = await startChatInstance(place, `${name}-two`);
  const pool = poolOf(settingsOf(database, 'test'));
  const urls = [first.url];
  const turns = async (): Promise<number> => (await pool.query('SELECT FROM responses_loop.turns')).rowCount ?? 0;
  const dieWhile = async (request: () => Promise<unknown>, table: string, mayDie: () => Promise<boolean>) => {
    const holder = await pool.connect();
    await holder.query(`BEGIN; LOCK TABLE ${table} IN SHARE MODE`);
    const requested = request();
    while (!(await mayDie())) await sleep(50);
    await first.end();
    urls[0] = second.url;
    await holder.query('ROLLBACK');
    holder.release();
    await requested;
  };
  const close = () => Promise.all([first.end(), second.end(), pool.end(), model.close()]);
  return { client: new ChatClient(() => urls), model, place, turns, dieWhile, close };
}

describe.skipIf(postgres === undefined)('an instance dies before it has stored what a client sent', () => {
  it.each([
    ['its turn has no row yet', 'responses_loop.turns', 0],
    ['its turn has a row', 'chat_server.lines', 1],
  ])('a message is answered once when it is sent again: %s', async (name, table, rows) => {
    const { client, model, turns, dieWhile, close } = await startTwo(name.replaceAll(' ', '-'));
    const mayDie = async (): Promise<boolean> => {
      await sleep(500);
      return (await turns()) === rows;
    };
    await dieWhile(() => client.say('first', 'Turn held', null), table, mayDie);
    expect((await client.messages()).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(model.asked.get('held')).toBe(1);
    await close();
  });

  it('an approval counts when it is given again, and the tool runs once', async () => {
    const { client, place, turns, dieWhile, close } = await startTwo('approval');
    await client.say('first', 'Turn approved put', null);
    const questions = questionsIn(await client.messages());
    await dieWhile(
      () => client.approve(questions),
      'chat_server.lines',
      async () => (await turns()) === 2,
    );
    const [, answer] = await client.messages();
    expect(answer.parts.at(-1).text).toContain('Turn approved is done.');
    expect(readLedger(place.ledger).map(({ tool }) => tool)).toEqual(['put']);
    await close();
  });

  it('an edited message is answered in its new version only', async () => {
    const { client, model, turns, dieWhile, close } = await startTwo('edit');
    await client.say('first', 'Turn old', null);
    const edit = () => client.edit('first', 'Turn new');
    await dieWhile(edit, 'chat_server.lines', async () => (await turns()) === 2);
    expect((await client.messages()).map(({ parts }) => parts.at(-1).text)).toEqual([
      'Turn new',
      expect.stringContaining('Turn new is done.'),
    ]);
    expect([model.asked.get('old'), model.asked.get('new')]).toEqual([1, 1]);
    await close();
  });
});
