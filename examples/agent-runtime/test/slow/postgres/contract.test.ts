import { postgresForTests } from 'responses-loop-example-shared/test-support/postgres.mjs';
import { afterAll, describe } from 'vitest';

import { createPostgresPersister } from '../../../src/index.js';
import { describeStore } from '../../support/store-contract.js';

const server = await postgresForTests();
afterAll(() => server?.stop());

describe.skipIf(server === undefined)('with Postgres', () => {
  describeStore('postgres', () => {
    const url = server?.createDatabase() ?? '';
    return { open: () => createPostgresPersister({ url }) };
  });
});
