import { describe, expect, it } from 'vitest';
import { parseMcpConfig } from '../mcp-config.js';

const parse = (config: unknown, urlsOnly = false): unknown =>
  parseMcpConfig(typeof config === 'string' ? config : JSON.stringify(config), { name: 'mcp.json', urlsOnly });

describe('a file with MCP servers', () => {
  it('is read as MCP clients write it', () => {
    const mcpServers = {
      files: { command: 'npx', args: ['x'], env: { A: '1' } },
      docs: { url: 'https://example.com/mcp' },
    };
    expect(parse({ mcpServers, other: 'of another program' })).toEqual(mcpServers);
  });

  it.each([
    [
      'a server that is called as tools of this process are',
      { mcpServers: { local: { command: 'x' } } },
      /"local" has the name of the tools in/,
    ],
    ['text that is not JSON', '{"mcpServers": ', /mcp\.json is not JSON/],
    ['no servers at all', {}, /mcp\.json has no object "mcpServers"/],
    ['servers in a list', { mcpServers: [] }, /no object "mcpServers"/],
    ['a list in place of the file', [], /no object "mcpServers"/],
    ['an entry that is a text', { mcpServers: { a: 'npx' } }, /"a" is not an object/],
    ['an entry without a way to its server', { mcpServers: { a: {} } }, /"a" has neither a "command" nor a "url"/],
    ['both ways in one entry', { mcpServers: { a: { command: 'x', url: 'http://x' } } }, /"a" has both/],
    [
      'a command that is a list',
      { mcpServers: { a: { command: ['npx', 'x'] } } },
      /"a" has a "command" that is not a text/,
    ],
    [
      'an address that leads to a file',
      { mcpServers: { a: { url: 'file:///etc/passwd' } } },
      /"a" has a "url" that is not/,
    ],
    ['an address that is none', { mcpServers: { a: { url: 'example' } } }, /"a" has a "url" that is not/],
  ])('is refused with %s, by a sentence that names file and entry', (_what, config, sentence) => {
    expect(() => parse(config)).toThrow(sentence);
  });

  it('may start no program in a Worker', () => {
    expect(() => parse({ mcpServers: { files: { command: 'npx' } } }, true)).toThrow(
      'mcp.json: the MCP server "files" has a "command", and no program can be started here: give it a "url".',
    );
    expect(() => parse({ mcpServers: { docs: { url: 'https://example.com/mcp' } } }, true)).not.toThrow();
  });
});
