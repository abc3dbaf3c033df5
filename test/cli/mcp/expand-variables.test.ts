import { describe, expect, it } from 'vitest';
import { expandVariables } from '../../../src/cli/mcp/expand-variables.js';

const env = { HOME: '/home/ada', EMPTY: '', TOKEN: 'abc' };

describe('variables of the environment in an entry', () => {
  it.each([
    ['a variable', '${HOME}/x', '/home/ada/x'],
    ['two of them', '${HOME}${TOKEN}', '/home/adaabc'],
    ['as editors write it', 'Bearer ${env:TOKEN}', 'Bearer abc'],
    ['a default that is not needed', '${TOKEN:-none}', 'abc'],
    ['a default', '${NOT_SET:-none}', 'none'],
    ['an empty default', '${NOT_SET:-}', ''],
    ['a default in place of what is empty', '${EMPTY:-none}', 'none'],
    ['an empty one', '<${EMPTY}>', '<>'],
    ['what is no variable', '$HOME {HOME} ${input:token} ${}', '$HOME {HOME} ${input:token} ${}'],
  ])('%s', (_name, text, expected) => {
    expect(expandVariables({ args: [text] }, env)).toMatchObject({ value: { args: [expected] }, missing: [] });
  });

  it('names each variable that is not there once, and leaves its place', () => {
    expect(expandVariables({ a: '${NOPE} ${NOPE}', b: { c: '${env:ALSO}' } }, env)).toMatchObject({
      value: { a: '${NOPE} ${NOPE}', b: { c: '${env:ALSO}' } },
      missing: ['NOPE', 'ALSO'],
    });
  });

  it('does not expand what a variable holds', () => {
    expect(expandVariables('${A}', { A: '${HOME}', HOME: 'x' }).value).toBe('${HOME}');
  });

  it('leaves numbers, names and truths alone', () => {
    const entry = { '${HOME}': 1, disabled: false, nothing: null };
    expect(expandVariables(entry, env).value).toEqual(entry);
  });

  it('names values that open doors, by the names of their variables or by their looks', () => {
    const held = { API_TOKEN: 'plain-words-8', HOME: '/home/ada', OTHER: 'sk-proj-abcdefghijklmnop1234' };
    const { secrets } = expandVariables(['${API_TOKEN}', '${HOME}', '${OTHER}', '${MY_KEY:-none}'], held);
    expect(secrets).toEqual(['plain-words-8', 'sk-proj-abcdefghijklmnop1234']);
  });
});
