import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { poolOf, settingsOf } from 'responses-loop-example-shared/postgres.js';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, expect, test } from 'vitest';
import { ChatClient } from '../../chat-client.js';
import { startChatInstance } from '../../chat-instance.js';
import { startModel } from '../../model.js';

const postgres = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'fleet-instances-'));
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(postgres === undefined)(
  'a message is answered when it is sent again, if its instance died behind storing it and before its turn began',
  async () => {
    const database = postgres?.createDatabase() ?? '';
    const model = await startModel({ eventMs: 1, toolMs: 1, words: 1 });
    const place = { folder, ledger: join(folder, 'ledger.jsonl'), database, modelUrl: model.baseURL };
    const first = await startChatInstance(place, 'one');
    const second = await startChatInstance(place, 'two');
    const pool = poolOf(settingsOf(database, 'test'));
    const holder = await pool.connect();
    const urls = [first.url];
    const client = new ChatClient(() => urls);
    // The turn cannot begin: its row waits.
    await holder.query('BEGIN; LOCK TABLE responses_loop.turns IN SHARE MODE');
    const said = client.say('first', 'Turn held', null);
    while ((await client.messages()).length === 0) await sleep(100);
    await first.end();
    urls[0] = second.url;
    await holder.query('ROLLBACK');
    holder.release();
    await said;
    expect((await client.messages()).map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(model.asked.get('held')).toBe(1);
    await Promise.all([second.end(), pool.end(), model.close()]);
  },
);
