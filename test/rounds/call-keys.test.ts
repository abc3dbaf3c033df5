import { expect, it } from 'vitest';
import { Redactor } from '../../src/observe/redact.js';
import { CallKeys } from '../../src/rounds/call-keys.js';
import { createKeyPool } from '../../src/request/key-pool.js';

it('a call takes the tokens it used out of texts, however long ago the function gave them', async () => {
  let now = 0;
  const pool = createKeyPool(() => 'token-0123456789', { now: () => now });
  const first = await pool.pick({ modelId: 'm', signal: new AbortController().signal });
  const keys = new CallKeys({ pool, first, redactor: Redactor.of(() => pool.secrets()), callNumber: 1 });
  now = 24 * 3_600_000;
  expect(pool.secrets()).toEqual([]);
  expect(keys.redactor.text('No: token-0123456789')).toBe('No: [redacted]');
});
