import { describe, expect, it } from 'vitest';
import { createResponsesProvider, type ResponsesProviderSettings } from 'responses-loop';
import type { ResponseDescription } from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { warningText } from '../../src/core/warning.js';
import { createLocalSource } from '../../src/tools/local/local-source.js';
import { registryOf } from '../../src/tools/create-tool-registry.js';
import { fallbackRig } from '../sdks/support/fallback.js';
import { everythingPath } from '../tools/support/servers.js';
import { scripted, serve, tool } from '../tools/support/in-memory-server.js';
import { registryWith } from '../tools/mcp/helpers.js';
import { readAll, streamParts } from './support/parts.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder, toolOf } from './support/tools.js';
import { outputs } from './support/wire.js';

const everything = { command: process.execPath, args: [everythingPath] };
const answer = reply(says('resp_2', 'Done.'));
const toolsOf = (request: { readonly body: unknown } | undefined) =>
  (request as { body: { tools: JsonObject[] } }).body.tools;

describe('tools that cost nothing until they are searched for', () => {
  it('a whole MCP server with `deferTools`: a tool search goes along, and what it finds runs in the same call', async () => {
    const found = {
      id: 'resp_1',
      output: [
        {
          type: 'item',
          item: {
            type: 'tool_search_call',
            id: 'tsc_1',
            call_id: null,
            execution: 'server',
            arguments: {},
            status: 'completed',
          },
        },
        {
          type: 'item',
          item: {
            type: 'tool_search_output',
            id: 'tso_1',
            call_id: null,
            execution: 'server',
            tools: [],
            status: 'completed',
          },
        },
        { type: 'call', name: 'echo', arguments: { message: 'duck' }, callId: 'call_1' },
      ],
    } satisfies ResponseDescription;
    const { model, requests } = await rig([reply(found), answer], {
      backend: 'openai',
      mcpServers: { everything: { ...everything, deferTools: '*' } },
    });
    await streamParts(model);
    const tools = toolsOf(requests[0]);
    const functions = tools.filter(({ type }) => type === 'function');
    expect(functions.length).toBeGreaterThan(5);
    for (const one of functions) expect(one['defer_loading']).toBe(true);
    expect(tools.at(-1)).toEqual({ type: 'tool_search' });
    expect(toolsOf(requests[1])).toEqual(tools);
    expect(outputs(requests[1])).toEqual([['call_1', 'Echo: duck']]);
  });

  it('by patterns, beside who may call', async () => {
    const registry = registryWith(
      { docs: { url: 'http://docs/', deferTools: ['read_*', 'ghost'], allowedCallers: ['direct', 'programmatic'] } },
      { open: serve({ docs: scripted([tool('read_a'), tool('write_a')]) }) },
    );
    const toolset = await registry.toolset({ clientNames: [], nameClash: 'rename' });
    const allowedCallers = ['direct', 'programmatic'];
    expect(
      toolset.tools.map(({ declaration: { name, deferLoading, ...rest } }) => [
        name,
        deferLoading,
        rest.allowedCallers,
      ]),
    ).toEqual([
      ['read_a', true, allowedCallers],
      ['write_a', undefined, allowedCallers],
    ]);
    expect(toolset.warnings).toEqual(['MCP server "docs": `deferTools` names what it does not have: "ghost".']);
  });

  const local: NonNullable<ResponsesProviderSettings['tools']> = {
    add: adder({ deferLoading: true, namespace: { name: 'math', description: 'Sums.' } }).add,
    now: toolOf(() => 'now', { allowedCallers: ['programmatic'] }),
    slow: toolOf(() => 'slow', { async: true }),
  };

  it('local tools say it for themselves', async () => {
    const { model, requests } = await rig([answer], { backend: 'openai', tools: local });
    await streamParts(model);
    expect(toolsOf(requests[0])).toMatchObject([
      { type: 'namespace', name: 'math', description: 'Sums.', tools: [{ name: 'add', defer_loading: true }] },
      { name: 'now', allowed_callers: ['programmatic'] },
      { name: 'slow', async: true },
      { type: 'tool_search' },
    ]);
  });

  it('AI SDK tools say it as to the stock provider; their own members come first', async () => {
    const providerOptions = {
      openai: { deferLoading: true, allowedCallers: ['direct'], outputSchema: { type: 'string' } },
    };
    const source = createLocalSource({ f: toolOf(() => '', { providerOptions, allowedCallers: ['programmatic'] }) });
    const { tools } = await registryOf([source]).toolset({ clientNames: [], nameClash: 'rename' });
    expect(tools[0]?.declaration).toMatchObject({
      deferLoading: true,
      allowedCallers: ['programmatic'],
      outputSchema: { type: 'string' },
    });
  });

  it.each([
    ['a server nobody knows', { backend: 'generic' as const }, 'gpt-test', ['namespace', 'allowedCallers', 'async']],
    ['a model from before tool search', { backend: 'openai' as const }, 'gpt-5.1', ['namespace', 'async']],
    ['a model from before GPT-6', { backend: 'openai' as const }, 'gpt-5.4', ['async']],
  ])('%s gets the tools without what it does not know', async (_name, settings, modelId, leftOut) => {
    const { provider, requests } = await rig([answer], { ...settings, tools: local });
    const { stream } = await provider(modelId).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }],
    });
    const [start] = (await readAll(stream)) as { warnings?: { setting: string }[] }[];
    expect(start?.warnings?.map(({ setting }) => setting)).toEqual(leftOut);
    const sent = JSON.stringify(toolsOf(requests[0]));
    // Namespaces and tool search came together.
    const searches = !leftOut.includes('namespace');
    expect(sent.includes('defer_loading')).toBe(searches);
    expect(sent.includes('"tool_search"')).toBe(searches);
    expect(sent.includes('"search_tools"')).toBe(!searches);
    expect(sent.includes('"async"')).toBe(false);
    expect(sent.includes('"add"')).toBe(searches);
  });

  it('under the stock provider our own search finds them', async () => {
    const { model, requests } = await fallbackRig([answer], {
      useStock: true,
      settings: { backend: 'openai', tools: local },
    });
    await model.doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'a' }] }] });
    const tools = toolsOf(requests[0]);
    expect(tools.map(({ name }) => name)).toEqual(['now', 'slow', 'search_tools']);
    expect(JSON.stringify(tools)).not.toContain('defer_loading');
  });

  it('what a tool returns goes out as JSON where it says what that looks like', async () => {
    const providerOptions = { openai: { outputSchema: { type: 'string' } } };
    const { model, requests } = await rig([reply(calls('resp_1', ['f', {}, 'call_1'])), answer], {
      backend: 'openai',
      tools: { f: toolOf(() => 'said', { providerOptions }) },
    });
    await streamParts(model);
    expect(outputs(requests[1])).toEqual([['call_1', '"said"']]);
  });
});

describe('settings that cannot be right are refused when the provider is created', () => {
  it.each<[string, object, RegExp]>([
    ['deferTools', { mcpServers: { a: { url: 'http://x', deferTools: true } } }, /deferTools/],
    ['a slip in it', { mcpServers: { a: { url: 'http://x', deferLoading: true } } }, /did you mean `deferTools`/],
    [
      'allowedCallers of a server',
      { mcpServers: { a: { url: 'http://x', allowedCallers: 'direct' } } },
      /allowedCallers/,
    ],
    ['deferLoading', { tools: { f: { execute: () => 1, deferLoading: 'yes' } } }, /\.deferLoading must be/],
    ['namespace', { tools: { f: { execute: () => 1, namespace: 'n' } } }, /\.namespace must be/],
    [
      'what an AI SDK tool says',
      { tools: { f: { execute: () => 1, providerOptions: { openai: { allowedCallers: ['all'] } } } } },
      /providerOptions\.openai\.allowedCallers/,
    ],
  ])('%s', (_name, settings, message) => {
    const wanted = { code: 'invalid-settings', message: expect.stringMatching(message) as string };
    expect(() => createResponsesProvider(settings as ResponsesProviderSettings)).toThrow(
      expect.objectContaining(wanted),
    );
  });
});

it('many tools with an option that is left out are one warning that names a few', async () => {
  const tools = Object.fromEntries(
    Array.from({ length: 40 }, (_, n) => [`t${n}`, toolOf(() => '', { deferLoading: true })]),
  );
  const toolset = await registryOf([createLocalSource(tools)]).toolset({
    clientNames: [],
    nameClash: 'rename',
    knownOptions: new Set(),
  });
  expect(toolset.leftOut?.map(warningText)).toEqual([
    expect.stringMatching(/^"deferLoading" of 40 tools \("t0", .*…\)/),
  ]);
});
