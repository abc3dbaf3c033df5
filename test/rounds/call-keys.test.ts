import { ownWords } from '../../src/core/clean-text.js';
import { expect, it } from 'vitest';
import { Redactor } from '../../src/observe/redact.js';
import { CallKeys } from '../../src/rounds/call-keys.js';
import { createKeyPool } from '../../src/request/key-pool.js';
import { toApiError } from '../../src/stream/decode-failure.js';

it('a call takes the tokens it used out of texts, however long ago the function gave them', async () => {
  let now = 0;
  const pool = createKeyPool(() => 'token-0123456789', { now: () => now });
  const first = await pool.pick({ modelId: 'm' });
  const keys = new CallKeys({ pool, first, redactor: Redactor.of(() => pool.secrets()), callNumber: 1 });
  now = 24 * 3_600_000;
  expect(pool.secrets()).toEqual([]);
  expect(keys.redactor.text('No: token-0123456789')).toBe('No: [redacted]');
});

it('a key that worked although it rested rests no longer', async () => {
  const pool = createKeyPool('key-one,key-two', { now: () => 1_000 });
  const first = await pool.pick({ modelId: 'm' });
  pool.refused(first, toApiError({}, { url: ownWords('https://a.test'), statusCode: 403, redactor: Redactor.NONE }));
  const keys = new CallKeys({ pool, first, redactor: Redactor.NONE, callNumber: 1 });
  keys.sends({ url: ownWords('https://a.test'), headers: { authorization: `Bearer ${first.key}` }, body: {} }, 1_000);
  keys.worked();
  expect(pool.nextAvailable()).toEqual({ key: first, waitMs: 0 });
  expect(await pool.pick({ modelId: 'm', wanted: () => first.fingerprint })).toBe(first);
});
