import { asSchema, jsonSchema, tool as aiTool } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createToolRegistry } from '../../../src/tools/create-tool-registry.js';
import type { LocalTool } from '../../../src/tools/local/local-tool.js';
import type { ResolveSchema } from '../../../src/tools/local/resolve-schema.js';
import { callTool, toolsetOf, recorder, textOf, toolNamed } from '../support/call.js';

const resolveSchema: ResolveSchema = async (schema) => {
  const resolved = asSchema(schema as Parameters<typeof asSchema>[0]);
  return { jsonSchema: await resolved.jsonSchema, validate: resolved.validate };
};

async function offered(tool: LocalTool): ReturnType<typeof toolsetOf> {
  return toolsetOf(createToolRegistry({ tools: { it: tool }, resolveSchema }));
}

const call = async (tool: LocalTool, args: unknown = {}): ReturnType<typeof callTool> =>
  callTool(toolNamed(await offered(tool), 'it'), args);

const returning = (value: unknown): LocalTool => ({ execute: () => value });

describe('schemas of local tools', () => {
  const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

  it.each<[string, unknown]>([
    ['plain JSON schema', city],
    ['zod', z.object({ city: z.string() })],
    ['AI SDK jsonSchema()', jsonSchema(city as Parameters<typeof jsonSchema>[0])],
  ])('%s', async (_name, inputSchema) => {
    const tool: LocalTool = {
      inputSchema,
      execute: ({ city: name }) => `Hello ${String(name)}`,
      readOnly: true,
      title: 'T',
      strict: true,
    };
    const toolset = await offered(tool);
    expect(toolset.warnings).toEqual([]);
    expect(toolNamed(toolset, 'it').declaration).toMatchObject({ inputSchema: city, strict: true });
    expect(toolNamed(toolset, 'it').tool).toMatchObject({ readOnly: true, title: 'T' });
    expect(textOf(await call(tool, { city: 'Oslo' }))).toBe('Hello Oslo');
  });

  it('strict is false unless the tool says otherwise', async () => {
    expect(toolNamed(await offered(returning(1)), 'it').declaration.strict).toBe(false);
  });

  it('arguments that do not match are explained field by field, and the tool does not run', async () => {
    let ran = false;
    const output = await call(
      { inputSchema: z.object({ city: z.string(), days: z.array(z.number()) }), execute: () => (ran = true) },
      { city: 5, days: [1, 'x'] },
    );
    expect(ran).toBe(false);
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(/- city: .+\n- days\.1: .+/);
  });

  it('gives the tool what the schema made of the arguments', async () => {
    const inputSchema = z.object({ n: z.coerce.number().default(3) });
    expect((await call({ inputSchema, execute: (args) => args }, {})).value).toEqual({ n: 3 });
  });

  it('an AI SDK tool with execute fits, preliminary results included: the last one counts', async () => {
    const { events, observer } = recorder();
    const tool = aiTool({
      description: 'Counts.',
      inputSchema: z.object({ to: z.number() }),
      async *execute({ to }, { toolCallId, messages }) {
        for (let n = 1; n <= to; n += 1) yield { n, toolCallId, before: messages.length };
      },
    });
    const output = await callTool(toolNamed(await offered(tool), 'it'), { to: 3 }, { observer });
    expect(output.value).toEqual({ n: 3, toolCallId: 'call_1', before: 0 });
    expect(events.filter((event) => event.type === 'tool-progress')).toHaveLength(3);
  });

  it('a tool whose schema cannot be read is left out with a reason', async () => {
    const toolset = await toolsetOf(
      createToolRegistry({ tools: { bad: { inputSchema: z.object({}), execute: () => 1 }, good: returning(1) } }),
    );
    expect([...toolset.byWireName.keys()]).toEqual(['good']);
    expect(toolset.warnings).toEqual([expect.stringContaining('The local tool "bad" is left out')]);
  });
});

describe('what a local tool returns', () => {
  const circular: Record<string, unknown> = { name: 'loop' };
  circular['self'] = circular;
  const shared = { x: 1 };

  it.each<[string, unknown, string, unknown?]>([
    ['a text', 'hi', 'hi'],
    ['an empty text', '', '(no output)'],
    ['nothing', undefined, '(no output)'],
    ['null', null, 'null', null],
    ['a number', 5, '5', 5],
    ['a promise', Promise.resolve({ a: 1 }), '{"a":1}', { a: 1 }],
    ['a big integer', { n: 10n }, '{"n":"10"}', { n: '10' }],
    ['a cycle', circular, '{"name":"loop","self":"[circular]"}', { name: 'loop', self: '[circular]' }],
    [
      'the same object twice',
      [shared, { again: shared }],
      '[{"x":1},{"again":{"x":1}}]',
      [{ x: 1 }, { again: { x: 1 } }],
    ],
    ['a date', { at: new Date(0) }, '{"at":"1970-01-01T00:00:00.000Z"}', { at: '1970-01-01T00:00:00.000Z' }],
    ['binary data', new Uint8Array(4), '"[binary data, 4 bytes]"', '[binary data, 4 bytes]'],
    ['a function', () => 1, '(no output)'],
    ['an object with a content of its own', { content: 'text' }, '{"content":"text"}', { content: 'text' }],
    ['a list under the name of content', { content: [{ id: 1 }] }, '{"content":[{"id":1}]}', { content: [{ id: 1 }] }],
  ])('%s', async (_name, value, text, json) => {
    const output = await call(returning(value));
    expect(output).toMatchObject({ isError: false, content: [{ type: 'text', text }] });
    expect(output.value).toEqual(json);
  });

  it.each<[string, object]>([
    ['members of its own', { title: 'Ducks', author: 'Ada', content: [{ type: 'text', text: 'Body' }] }],
    ['a text block without text', { content: [{ type: 'text', value: 'Body' }] }],
    ['a picture without data', { content: [{ type: 'image', url: 'https://x/y' }] }],
    ['a sound without data', { content: [{ type: 'audio', data: 5 }] }],
    ['a resource without content', { content: [{ type: 'resource', resource: { uri: 'x://a' } }] }],
    ['a resource that is none', { content: [{ type: 'resource', resource: 'a' }] }],
    ['a link that leads nowhere', { content: [{ type: 'resource_link', name: 'Plan' }] }],
    [
      'one block of another kind',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'heading', text: 'b' },
        ],
      },
    ],
    ['no blocks, and nothing else of MCP', { content: [] }],
  ])('MCP-shaped is not what has %s: nothing of it is lost', async (_name, value) => {
    const output = await call(returning(value));
    expect(textOf(output)).toBe(JSON.stringify(value));
    expect(output.value).toEqual(value);
  });

  it.each<[string, object, string]>([
    ['text', { content: [{ type: 'text', text: 'a', annotations: {} }], _meta: {}, isError: false }, 'a'],
    ['a resource', { content: [{ type: 'resource', resource: { uri: 'x://a', text: 'in' } }] }, 'in'],
    ['a binary one', { content: [{ type: 'resource', resource: { blob: 'AAA', mimeType: 'a/b' } }] }, '<a/b>'],
    ['a link', { content: [{ type: 'resource_link', uri: 'x://a', name: 'A' }] }, 'Resource "A": x://a'],
    ['structure', { content: [], structuredContent: { a: 1 } }, '{"a":1}'],
    ['no blocks', { content: [], isError: false }, '(no output)'],
  ])('MCP-shaped with %s', async (_name, value, text) => {
    expect(textOf(await call(returning(value)))).toBe(text);
  });

  it('MCP-shaped values are read as such', async () => {
    const value = {
      isError: true,
      content: [
        { type: 'text', text: 'no' },
        { type: 'image', data: 'AAA', mimeType: 'image/png' },
      ],
    };
    const output = await call(returning(value));
    expect(output.isError).toBe(true);
    expect(textOf(output)).toBe('no\n<image/png>');
  });

  it.each<[string, unknown, RegExp]>([
    ['an error, returned', new Error('returned'), /^returned$/],
    ['an object that marks itself as an error', { isError: true, why: 'x' }, /"why":"x"/],
    [
      'what cannot be written',
      {
        toJSON() {
          throw new Error('no');
        },
      },
      /cannot be written as JSON: no/,
    ],
  ])('is an error: %s', async (_name, value, text) => {
    const output = await call(returning(value));
    expect(output.isError).toBe(true);
    expect(textOf(output)).toMatch(text);
  });
});

describe('abort', () => {
  it('that comes while the arguments are checked keeps the tool from running', async () => {
    const controller = new AbortController();
    let ran = false;
    const slow = jsonSchema(
      { type: 'object', properties: {} },
      {
        validate: async (value) => {
          controller.abort();
          return { success: true, value };
        },
      },
    );
    const toolset = await offered({ inputSchema: slow, execute: () => (ran = true) });
    const running = callTool(toolNamed(toolset, 'it'), {}, { signal: controller.signal });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(ran).toBe(false);
  });
});

describe('tools of AI SDK 7', () => {
  it('may have a function for their description, which is asked once', async () => {
    let asked = 0;
    const description = ({ context }: { context: object }): string =>
      `Asked ${(asked += 1)} ${JSON.stringify(context)}`;
    const registry = createToolRegistry({ tools: { it: { description, execute: () => 'x' } } });
    await toolsetOf(registry);
    expect(toolNamed(await toolsetOf(registry), 'it').declaration.description).toBe('Asked 1 {}');
  });

  it('find an empty context where they look for one', async () => {
    const tool: LocalTool = { execute: (_args, { context }) => `name: ${String(context.name)}` };
    expect(textOf(await call(tool))).toBe('name: undefined');
  });
});
