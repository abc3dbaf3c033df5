import { expect, it } from 'vitest';
import { Redactor } from '../../../src/observe/redact.js';
import type { McpServerConfig } from '../../../src/tools/mcp/server-config.js';
import { describeServer, secretsOfServer } from '../../../src/tools/mcp/describe-server.js';

const clean = (text: string, config: McpServerConfig): string => Redactor.of(() => secretsOfServer(config)).text(text);

it.each([
  [['--api-key', 'abc', 'dir'], 'command "x --api-key [redacted] dir"'],
  [['--token=abc', '-v'], 'command "x --token=[redacted] -v"'],
  [['sk-proj-1234567890', '.'], 'command "x [redacted] ."'],
  [['postgres://user:pw@host/db'], 'command "x postgres://host/db"'],
])('hides what opens doors in %j', (args, expected) => {
  expect(describeServer({ command: 'x', args })).toBe(expected);
});

it('takes header values, their tokens and secret environment values out of a text', () => {
  const http = { url: 'http://u:passw0rd@a/', headers: { Authorization: 'Bearer abcdef' } };
  expect(clean('Bearer abcdef, abcdef, passw0rd', http)).toBe('[redacted], [redacted], [redacted]');
  const stdio = { command: 'x', env: { API_TOKEN: 'abcdef', NODE_ENV: 'production' } };
  expect(clean('abcdef in production', stdio)).toBe('[redacted] in production');
});

it('leaves words of harmless headers where they stand', () => {
  const http = {
    url: 'http://a/',
    headers: { accept: 'json', 'X-Team': 'ducks', 'X-Api-Key': 'abcd1', 'X-K': 'sk-12345678' },
  };
  expect(clean('no json for ducks with abcd1, sk-12345678', http)).toBe(
    'no json for ducks with [redacted], [redacted]',
  );
});
