import { describe, expect, it } from 'vitest';
import { UsageError } from '../../src/cli/command.js';
import { readServer } from '../../src/cli/server-options.js';

describe('the key of a command', () => {
  it.each([
    ['sk-a', ['sk-a']],
    // A line break at its end is left from a file.
    ['sk-a\n', ['sk-a']],
    ['sk-a, sk-b,,sk-a', ['sk-a', 'sk-b']],
    ['', []],
    [undefined, []],
  ])('is read from %j as the package reads it', (value, keys) => {
    expect(readServer({}, { OPENAI_API_KEY: value }).apiKeys).toEqual(keys);
  });

  it.each(['sk-first,sk-sec ret', 'sk-first,sk-sécret', 'sk-first\nsk-secret'])('%j is refused unrepeated', (value) => {
    const read = (): unknown => readServer({ 'api-key-env': 'MY_KEYS' }, { MY_KEYS: value });
    expect(read).toThrow(UsageError);
    expect(read).toThrow(/^"MY_KEYS" in the environment: apiKey number \d contains/);
    expect(read).not.toThrow(/ret/);
  });

  it('has to be there if it is named', () => {
    expect(() => readServer({ 'api-key-env': 'MY_KEYS' }, { MY_KEYS: ' , ' })).toThrow('has no "MY_KEYS"');
  });
});
