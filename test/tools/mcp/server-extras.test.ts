import { describe, expect, it } from 'vitest';
import { resolveLinks } from '../../../src/tools/mcp/resolve-links.js';
import { callTool, toolsetOf, textOf, toolNamed } from '../support/call.js';
import { scripted, serve, tool } from '../support/in-memory-server.js';
import { everythingPath } from '../support/servers.js';
import { registryWith, sourceOf } from './helpers.js';

const everything = { command: process.execPath, args: [everythingPath] };

describe('what a server wants every model to know', () => {
  it('is passed on where the settings ask for it, while the server is there', async () => {
    const source = sourceOf({ ...everything, useInstructions: true });
    expect(source.instructions?.()).toBeUndefined();
    await source.list();
    expect(source.instructions?.()).toMatch(/everything/i);
    await source.close();
    expect(source.instructions?.()).toBeUndefined();
  });

  it('is not passed on unasked', async () => {
    const source = sourceOf(everything);
    await source.list();
    expect(source.instructions?.()).toBeUndefined();
  });

  it('comes from a client that was handed in as well, cut where it is too long', async () => {
    const client = {
      listTools: async () => ({ tools: [] }),
      callTool: async () => ({}),
      getInstructions: () => 'x'.repeat(5_000),
    };
    const source = sourceOf({ client, useInstructions: true });
    await source.list();
    expect(source.instructions?.()).toBe(`${'x'.repeat(4_000)}\n[cut: 1000 more characters]`);
  });
});

describe('the live client', () => {
  it('reads resources and prompts of the real demo server, connecting for it if need be', async () => {
    const source = sourceOf(everything);
    const client = await source.client();
    const { resources } = await client.listResources();
    const first = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(first.contents[0]).toMatchObject({ uri: resources[0]?.uri, text: expect.any(String) });
    const prompt = await client.getPrompt({ name: 'simple-prompt' });
    expect(prompt.messages[0]).toMatchObject({ role: 'user', content: { type: 'text' } });
    expect(await source.client()).toBe(client);
    // Structured results over it are not checked with `eval` either.
    const result = await client.callTool({ name: 'get-structured-content', arguments: { location: 'New York' } });
    expect(result.structuredContent).toMatchObject({ temperature: expect.any(Number) });
  });

  it('is the one that was handed in', async () => {
    const client = { listTools: async () => ({ tools: [] }), callTool: async () => ({}) };
    expect(await sourceOf({ client }).client()).toBe(client);
  });

  it('rejects by the name of a server that is not there', async () => {
    await expect(sourceOf({ command: '/no/such/program' }).client()).rejects.toThrow(/MCP server "docs".*ENOENT/);
  });
});

describe('resources a tool result links to', () => {
  it('of the real demo server are read where the settings ask for it', async () => {
    const toolset = await toolsetOf(registryWith({ everything: { ...everything, resolveResourceLinks: true } }));
    const output = await callTool(toolNamed(toolset, 'get-resource-links'), { count: 2 });
    const [intro, blob, words] = output.content;
    expect(intro).toMatchObject({ type: 'text', text: expect.stringContaining('2 resource links') });
    expect(blob).toMatchObject({ type: 'file', source: { type: 'data', base64: expect.any(String) } });
    expect(words).toMatchObject({
      type: 'text',
      text: expect.stringContaining('Resource 2: This is a plaintext resource'),
    });
  });

  it('stay links, with the reason, where they cannot be read', async () => {
    const link = { type: 'resource_link', uri: 'demo://nowhere', name: 'lost' };
    const open = serve({ docs: scripted([tool('a')], { onCall: async () => ({ content: [link as never] }) }) });
    const toolset = await toolsetOf(
      registryWith({ docs: { url: 'http://docs/', resolveResourceLinks: true } }, { open }),
    );
    const output = await callTool(toolNamed(toolset, 'a'), {});
    expect(textOf(output)).toMatch(
      /^Resource "lost": demo:\/\/nowhere\n\(This resource was not read: .*Method not found/,
    );
  });

  it('are read ten at most, in the order of the result', async () => {
    const links = Array.from({ length: 12 }, (_, n) => ({ type: 'resource_link', uri: `demo://${n}`, name: `${n}` }));
    const asked: string[] = [];
    const result = await resolveLinks(
      { content: [{ type: 'text', text: 'first' }, ...links] },
      {
        read: async (uri) => (
          asked.push(uri),
          uri === 'demo://1'
            ? { contents: [] }
            : {
                contents: [
                  { uri, text: uri },
                  { uri, text: 'more' },
                ],
              }
        ),
        clean: (text) => text,
        signal: new AbortController().signal,
        onSign: () => {},
      },
    );
    expect(asked).toHaveLength(10);
    const content = result['content'] as { type: string; text?: string }[];
    expect(content.map(({ type }) => type)).toEqual([
      'text',
      ...['resource', 'resource'],
      ...['resource_link', 'text'],
      ...Array<string>(16).fill('resource'),
      ...['resource_link', 'text', 'resource_link', 'text'],
    ]);
    expect(content.at(-1)?.text).toContain('only the first 10 links');
  });

  it('keep for the user what a link says is for the user', async () => {
    const client = {
      listTools: async () => ({ tools: [tool('a')] }),
      callTool: async () => ({
        content: [
          { type: 'resource_link', uri: 'x://1', name: 'report', annotations: { audience: ['user'] } },
          { type: 'resource_link', uri: 'x://2', name: 'notes', annotations: { audience: ['assistant'] } },
        ],
      }),
      readResource: async ({ uri }: { uri: string }) => ({ contents: [{ uri, text: `contents of ${uri}` }] }),
    };
    const toolset = await toolsetOf(registryWith({ docs: { client, resolveResourceLinks: true } }));
    const output = await callTool(toolNamed(toolset, 'a'), {});
    expect(textOf(output)).toBe('[text, 17 characters: for the user only]\ncontents of x://2');
    expect(JSON.stringify(output.value)).toContain('contents of x://1');
  });

  it('do not keep an aborted call waiting', async () => {
    const abort = new AbortController();
    const resolving = resolveLinks(
      { content: [{ type: 'resource_link', uri: 'demo://1', name: '1' }] },
      { read: () => new Promise(() => abort.abort()), clean: (text) => text, signal: abort.signal, onSign: () => {} },
    );
    await expect(resolving).rejects.toMatchObject({ name: 'AbortError' });
  });
});
