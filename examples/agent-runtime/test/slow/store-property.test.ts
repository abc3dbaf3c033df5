import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fc from 'fast-check';
import pg from 'pg';
import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, expect, test } from 'vitest';

import { createMemoryPersister, createPostgresPersister, createSqlitePersister } from '../../src/index.js';
import { runSteps } from '../support/run-steps.js';
import { program } from '../support/store-steps.js';

const server = await postgresForTests();
afterAll(() => server?.stop());

test('whatever is done with memory, it tells what the model tells', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const persister = createMemoryPersister();
      await runSteps({ open: () => persister }, steps, false);
    }),
    { numRuns: 300 },
  );
});

test('whatever two instances do with SQLite, also after restarts, it tells what the model tells', async () => {
  await fc.assert(
    fc.asyncProperty(program, async (steps) => {
      const workspace = mkdtempSync(join(tmpdir(), 'agent-property-'));
      try {
        await runSteps({ open: () => createSqlitePersister({ workspace }) }, steps, true);
      } finally {
        rmSync(workspace, { recursive: true, force: true });
      }
    }),
    { numRuns: 40 },
  );
});

test.skipIf(server === undefined)(
  'whatever two instances do with Postgres, also after restarts, it tells what the model tells',
  async () => {
    const url = server?.createDatabase() ?? '';
    const first = createPostgresPersister({ url });
    await first.open?.();
    await first.close();
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await fc.assert(
        fc.asyncProperty(program, async (steps) => {
          await client.query('DELETE FROM agentx.sessions');
          await runSteps({ open: () => createPostgresPersister({ url }) }, steps, true);
        }),
        { numRuns: 60 },
      );
    } finally {
      await client.end();
    }
    expect(url).not.toBe('');
  },
);
