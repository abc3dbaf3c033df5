import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { createPostgresPersister } from '../../../src/index.js';
import { describeStore } from '../../support/store-contract.js';
import { message, openAt, type Place, session } from '../../support/stored-rows.js';
import { describeUnchanged } from '../../support/unchanged-contract.js';

const server = await postgresForTests();
afterAll(() => server?.stop());

function inPostgres(): Place {
  const url = server?.createDatabase() ?? '';
  return { open: () => createPostgresPersister({ url }) };
}

describe.skipIf(server === undefined)('with Postgres', () => {
  describeStore('postgres', inPostgres);
  describeUnchanged('postgres', inPostgres);

  test('a turn is three statements: a claim, what the user said, and the answer with the session', async () => {
    const persister = openAt(inPostgres());
    await persister.saveSession(session('a'));
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => statements.mockRestore());
    await persister.claimSession?.('a', { after: 0 });
    await persister.saveMessage('a', message(1));
    await persister.saveTurn?.(session('a', { state: 'idle', summary: 'Hello.' }), [message(2), message(3)]);
    expect(statements).toHaveBeenCalledTimes(3);
    statements.mockRestore();
    expect(await persister.getSession('a')).toMatchObject({
      state: 'idle',
      summary: 'Hello.',
      owner: null,
      messageCount: 3,
    });
  });

  test('a list of sessions, with their numbers of messages, is one statement, whole or by pages', async () => {
    const persister = openAt(inPostgres());
    for (const id of ['a', 'b', 'c']) await persister.saveSession(session(id));
    await persister.saveMessages('b', [message(1), message(2)]);
    const statements = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => statements.mockRestore());
    expect(await persister.getAllSessions()).toHaveLength(3);
    expect(statements).toHaveBeenCalledTimes(1);
    const page = await persister.listSessions({ limit: 2, search: 'message' });
    expect([page.items[0]?.messageCount, page.total]).toEqual([2, 1]);
    expect(statements).toHaveBeenCalledTimes(2);
  });
});
