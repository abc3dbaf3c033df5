import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { describe, expect, it } from 'vitest';
import { validateMcpServers } from '../../../src/tools/mcp/validate-mcp-servers.js';

describe('server settings that can work', () => {
  it.each<[string, unknown]>([
    ['no servers', undefined],
    ['a command', { command: 'npx', args: ['-y', 'x'], env: { A: 'b' }, cwd: '.' }],
    [
      'a dollar in a header and a variable for a shell',
      { command: 'sh', args: ['-c', 'echo ${HOME}'], env: { A: '$x {y}' } },
    ],
    ['a command with its type', { type: 'stdio', command: 'npx' }],
    ['a URL', { url: 'https://example.com/mcp' }],
    ['a URL object', { url: new URL('https://example.com/mcp') }],
    ['a URL with a type and headers', { url: 'http://localhost/sse', type: 'sse', headers: { A: 'b' } }],
    ['the other name of the type', { url: 'http://localhost/', transport: 'streamable-http' }],
    [
      'fields of other clients',
      { command: 'npx', disabled: false, autoApprove: ['x'], alwaysAllow: [], description: 'd', name: 'n' },
    ],
    ['the URL of other clients', { serverUrl: 'http://localhost/mcp', disabledTools: ['a'], headers: { A: 'b' } }],
    ['the URL of yet other clients', { httpUrl: 'http://localhost/mcp', denyTools: ['b'], disabledTools: [] }],
    ['a disabled entry, whatever is in it', { disabled: true, timeout: 1 }],
    [
      'all the common options',
      {
        command: 'x',
        timeoutMs: 0,
        totalTimeoutMs: 1,
        allowTools: ['a*'],
        denyTools: [],
        useInstructions: true,
        resolveResourceLinks: false,
      },
    ],
    ['a function for headers', { url: 'http://localhost/', headers: async () => ({}) }],
    [
      'an OAuth provider',
      { url: 'http://localhost/', authProvider: { tokens() {}, saveTokens() {}, redirectToAuthorization() {} } },
    ],
    ['a client of the MCP SDK', new Client({ name: 'app', version: '1' })],
    ['a client with options', { client: { listTools() {}, callTool() {} }, denyTools: ['x'] }],
    ['a client of @ai-sdk/mcp', { listTools() {}, toolsFromDefinitions() {} }],
  ])('%s', (_name, config) => {
    expect(() => validateMcpServers(config === undefined ? undefined : { one: config })).not.toThrow();
  });
});

describe('server settings that cannot work are refused by name', () => {
  it.each<[string, unknown, RegExp]>([
    ['neither command nor URL', {}, /neither `command`.*nor `url`/],
    ['both', { command: 'x', url: 'http://a/' }, /both/],
    ['nothing', null, /must be an object/],
    ['a text', 'npx server', /must be an object/],
    ['an empty command', { command: ' ' }, /empty `command`/],
    ['arguments that are no strings', { command: 'x', args: ['a', 1] }, /`args`/],
    ['arguments in one text', { command: 'x', args: '-y a' }, /`args`/],
    ['environment values that are no strings', { command: 'x', env: { PORT: 3000 } }, /`env`/],
    ['a command with an HTTP type', { command: 'x', type: 'http' }, /type "http"/],
    ['a bad URL', { url: 'example.com/mcp' }, /`url`/],
    ['another protocol', { url: 'ws://example.com' }, /`url`/],
    [
      'a variable in a header',
      { url: 'http://a/', headers: { A: 'Bearer ${GH_TOKEN}' } },
      /header that has a variable such as.*process\.env/,
    ],
    ['a variable in a URL', { url: 'https://${HOST:-a}/mcp' }, /`url` that has a variable/],
    ['a variable of VS Code', { command: 'x', env: { KEY: '${input:key}' } }, /`env` that has a variable/],
    ['an unknown type', { url: 'http://a/', type: 'websocket' }, /"websocket"/],
    ['header values that are no strings', { url: 'http://a/', headers: { A: 1 } }, /`headers`/],
    ['a header with a line break', { url: 'http://a/', headers: { A: 'b\r\nC: d' } }, /line break/],
    [
      'a command and a client',
      { command: 'x', client: { listTools() {}, callTool() {} } },
      /has both `command` and `client`/,
    ],
    ['a client that is none', { client: { tools() {} } }, /`client` without `listTools` and `callTool`/],
    ['an old client', { tools() {}, close() {} }, /is a client without `listTools`/],
    ['patterns that are no list', { url: 'http://a/', allowTools: 'a,b' }, /`allowTools` that are not a list/],
    ['an empty pattern', { url: 'http://a/', denyTools: [''] }, /`denyTools` that are not a list/],
    [
      'a pattern that excludes',
      { url: 'http://a/', allowTools: ['*', '!rm'] },
      /`allowTools` that are not a list of tool names or `\*` patterns/,
    ],
    [
      'a total limit that is no number',
      { url: 'http://a/', totalTimeoutMs: '1m' },
      /`totalTimeoutMs` that is not a number/,
    ],
    [
      'a switch that is no boolean',
      { url: 'http://a/', useInstructions: 'yes' },
      /`useInstructions` that is not true or false/,
    ],
    ['an OAuth provider that is none', { url: 'http://a/', authProvider: 'token' }, /`OAuthClientProvider`/],
    [
      'an OAuth provider for a process',
      { command: 'x', authProvider: {} },
      /`authProvider`, which only works with `url`/,
    ],
    ['`timeout`', { url: 'http://a/', timeout: 60 }, /has `timeout`; did you mean `timeoutMs` \(milliseconds\)/],
    ['`totalTimeout`', { url: 'http://a/', totalTimeout: 60 }, /did you mean `totalTimeoutMs`/],
    ['`meta` that is a text', { url: 'http://a/', meta: 'tenant' }, /`meta` that is neither an object nor a function/],
    ['`allowedTools`', { url: 'http://a/', allowedTools: [] }, /has `allowedTools`; did you mean `allowTools`/],
    ['`includeTools`', { url: 'http://a/', includeTools: [] }, /did you mean `allowTools`/],
    [
      '`disabledTools` that are no list',
      { url: 'http://a/', disabledTools: 'x' },
      /`disabledTools` that are not a list/,
    ],
    ['`blockedTools`', { url: 'http://a/', blockedTools: [] }, /did you mean `denyTools`/],
    ['`excludeTools`', { client: { listTools() {}, callTool() {} }, excludeTools: [] }, /did you mean `denyTools`/],
    ['a bad `serverUrl`', { serverUrl: 'example.com' }, /has a `serverUrl` that is not an absolute/],
    ['two URLs', { url: 'http://a/', serverUrl: 'http://b/' }, /has both `url` and `serverUrl`/],
    [
      'two URLs of other clients',
      { httpUrl: 'http://a/', serverUrl: 'http://b/' },
      /has both `serverUrl` and `httpUrl`/,
    ],
    ['a command and a `serverUrl`', { command: 'x', serverUrl: 'http://b/' }, /has both `command` and `serverUrl`/],
    [
      '`timeout` in an entry of another client',
      { serverUrl: 'http://a/', timeout: 60 },
      /seconds.*`timeoutMs`|`timeoutMs`.*seconds/,
    ],
    ['`uri`', { uri: 'http://a/' }, /did you mean `url`/],
    ['a negative time limit', { url: 'http://a/', timeoutMs: -1 }, /`timeoutMs`/],
  ])('%s', (_name, config, message) => {
    const validate = (): void => validateMcpServers({ 'my server': config });
    expect(validate).toThrow(message);
    expect(validate).toThrow(
      expect.objectContaining({
        code: 'invalid-settings',
        message: expect.stringContaining('mcpServers["my server"]'),
      }),
    );
  });
});
