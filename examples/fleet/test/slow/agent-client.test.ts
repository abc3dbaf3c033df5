import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, expect, test } from 'vitest';
import { persisterOf } from '../../../agent-runtime/src/persistence/persister-of.js';
import { AgentClient } from '../../agent-client.js';
import { startAgentInstance } from '../../agent-instance.js';
import { startModel } from '../../model.js';

const postgres = await postgresForTests();
const folder = mkdtempSync(join(tmpdir(), 'fleet-agent-'));
afterAll(async () => {
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.skipIf(postgres === undefined)('the client reads all rows of a session that fill more than one page', async () => {
  const database = postgres?.createDatabase() ?? '';
  const model = await startModel({ eventMs: 1, toolMs: 1, words: 1 });
  const place = { folder, ledger: join(folder, 'ledger.jsonl'), database, modelUrl: model.baseURL };
  const instance = await startAgentInstance(place, 'instance');
  const client = new AgentClient(() => [instance.url]);
  const session = await client.newSession();
  const persister = persisterOf({ workspace: folder, database });
  await persister.saveMessages(
    session,
    Array.from({ length: 2_500 }, (_, index) => ({
      ...{ id: crypto.randomUUID(), type: 'user' as const, content: `Message ${index}` },
      ...{ timestamp: new Date().toISOString(), seq: index + 1, turn: index + 1 },
    })),
  );
  await persister.close();
  const numbers = (rows: readonly { readonly seq: number }[]): number[] => rows.map(({ seq }) => seq);
  expect(numbers(await client.rows(session))).toEqual(Array.from({ length: 2_500 }, (_, index) => index + 1));
  expect(numbers(await client.rows(session, 2_499))).toEqual([2_500]);
  await instance.end();
  await model.close();
});
