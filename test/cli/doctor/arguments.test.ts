import { describe, expect, it } from 'vitest';
import { runDoctor } from './support/run-doctor.js';

describe('doctor refuses', () => {
  it.each([
    [['--timeout', '0'], '--timeout'],
    [['--timeout', 'soon'], '--timeout'],
    [['--base-url', 'nonsense'], '--base-url'],
    [['--base-url', 'localhost:8080/v1'], 'write http://localhost:8080/v1'],
    [['--base-url', '127.0.0.1:8080'], 'write http://127.0.0.1:8080'],
    [['--base-url', 'ftp://me:secret-word@127.0.0.1:1/v1'], '--base-url'],
    [['--base-url', 'me:secret-word@127.0.0.1:1/v1'], '--base-url'],
    [['--base-url', '127.0.0.1:1/v1?key=secret-word'], '--base-url'],
    [['--header', 'x-api-key=secret-word\nx'], 'the value of "x-api-key"'],
    [['--header', 'x-api-key=secret-word…'], 'the value of "x-api-key"'],
    [['--api-key-env', 'NOT_THERE'], 'NOT_THERE'],
    [['--header', 'nonsense'], 'NAME=VALUE'],
    [['--body', '[]'], '--body'],
    [['--base-url', 'http://me:secret-word@127.0.0.1:1/v1'], 'user name or password'],
    [['--record', '/dev/null/x'], '--record'],
    [['--record', '/dev/null'], '--record'],
    [['--record', '/proc/no/folder'], '--record'],
    [['--what'], '--what'],
  ])('%j, and says which option is wrong', async (args, word) => {
    const { code, stdout, stderr } = await runDoctor(args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(word);
    expect(stderr).not.toContain('secret-word');
  });
});

it('doctor takes parts of seconds that are no whole milliseconds', async () => {
  const { code, stderr } = await runDoctor(['--base-url', 'http://127.0.0.1:9/v1', '--timeout', '1.0015']);
  expect([code, stderr]).toEqual([2, '']);
});

describe('doctor --help', () => {
  it('names its options and exit codes', async () => {
    const { code, stdout } = await runDoctor(['--help']);
    expect(code).toBe(0);
    for (const word of [
      '--base-url',
      '--json',
      '--record',
      '--timeout',
      '0 works',
      '1 works with limitations',
      '2 does not',
    ])
      expect(stdout).toContain(word);
  });
});
