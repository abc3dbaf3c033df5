import { expect, test } from 'vitest';
import { settingsOf } from '../postgres.js';
import { problemOfAddress } from '../postgres-address.js';

const ADDRESS = 'postgres://me@127.0.0.1/pond';

test.each([
  ['', 35_000],
  ['?statement_timeout=60000', 65_000],
  ['?statement_timeout=1000', 6_000],
  ['?statement_timeout=0', 0],
])('a client waits longer for an answer than the server works on it: "%s"', (settings, expected) => {
  expect(settingsOf(`${ADDRESS}${settings}`, 'test').query_timeout).toBe(expected);
});

test.each(['60s', '-1', '1e3', ''])(
  'a time of statements that is no number of milliseconds is refused: "%s"',
  (written) => {
    expect(problemOfAddress(`${ADDRESS}?statement_timeout=${written}`)).toContain('in milliseconds');
  },
);
