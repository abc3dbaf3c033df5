import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'pg';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { makeTables } from '../../engine/database.js';
import { TurnTables } from '../../engine/turn-tables.js';
import { postgresForTests } from '../../test-support/postgres.mjs';

const server = await postgresForTests();
afterAll(() => server?.stop());

test.skipIf(server === undefined)(
  'a guarded write that takes long is done once, and holds the turn until then',
  async () => {
    const pool = new Pool({ connectionString: server?.url ?? '' });
    pool.on('error', () => {});
    pool.on('connect', (client) => client.on('error', () => {}));
    onTestFinished(() => pool.end());
    await makeTables(pool);
    const tables = new TurnTables(pool, 'agent');
    await tables.start({ id: 'turn', stream: 'pond', input: {} }, 'one');
    const turn = await tables.take('turn', 'one');
    if (turn === undefined) throw new Error('The turn has ended.');
    const held = tables.whileHeld(turn, async () => {
      await sleep(4_500);
      return 'written';
    });
    await sleep(1_000);
    let isTaken = false;
    const taken = tables.take('turn', 'two').then(() => (isTaken = true));
    await sleep(3_000);
    expect(isTaken).toBe(false);
    expect(await held).toEqual({ value: 'written' });
    await taken;
    expect(await tables.whileHeld(turn, async () => 'late')).toBeUndefined();
  },
  30_000,
);
