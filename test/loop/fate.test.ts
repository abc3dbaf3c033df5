import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.js';
import { fateOf, fateOfHosted, fateOfItem } from '../../src/loop/fate.js';
import { createToolRegistry } from '../../src/tools/create-tool-registry.js';

const ask = { name: 'ask', inputSchema: { type: 'object' } } as const;
const hosted = (type: string, name: string, args = {}) => ({ id: `openai.${type}`, type, name, args });

const call: Call = {
  modelId: 'm',
  messages: [],
  clientTools: [ask],
  hostedTools: [
    hosted('custom', 'mine', { name: 'grammar' }),
    hosted('shell', 'here', { environment: { type: 'local' } }),
    hosted('web_search', 'web'),
    hosted('x_search', 'x'),
  ],
  declaredLoopTools: [],
  sdkRunTools: [],
  lateTools: [],
  toolChoice: { type: 'auto' },
  settings: {},
  responseFormat: { type: 'text' },
  options: {},
  headers: {},
  includeRaw: false,
  stream: true,
};

const tools = { look: { execute: () => 'seen', readOnly: true }, write: { execute: () => 'written' } };
const toolset = await createToolRegistry({ tools }).toolset({ clientNames: ['ask'], nameClash: 'rename' });
const none = await createToolRegistry({ tools: {} }).toolset({ clientNames: [], nameClash: 'rename' });

const options = { call, toolset, isVisible: (name: string) => name !== 'write' };

describe('the fate of a function call', () => {
  it.each([
    ['a tool of ours that only reads', 'look', {}, { origin: 'loop', shownAs: 'look', overlaps: true }],
    ['a hidden tool of ours', 'write', {}, { origin: 'loop', shownAs: undefined, overlaps: false }],
    ['a tool that the caller declared', 'ask', {}, { origin: 'client', shownAs: 'ask', overlaps: true }],
    ['an unknown tool, with tools of ours', 'nobody', {}, { origin: 'loop', shownAs: 'nobody', overlaps: true }],
    ['an unknown tool, without tools of ours', 'nobody', { toolset: none }, { origin: 'client', shownAs: 'nobody' }],
    [
      'an unknown tool that is an error by setting',
      'nobody',
      { toolset: none, onUnknownTool: 'error' as const },
      { origin: 'loop' },
    ],
    [
      'an unknown tool that the client gets by setting',
      'nobody',
      { onUnknownTool: 'client' as const },
      { origin: 'client' },
    ],
    ['a wrapper of several calls', 'multi_tool_use.parallel', {}, { origin: 'loop', isWrapper: true }],
    [
      'a wrapper that the client gets',
      'parallel',
      { onUnknownTool: 'client' as const },
      { origin: 'client', isWrapper: true },
    ],
  ])('%s', (_what, name, other, fate) => {
    expect(fateOf(name, { ...options, ...other })).toMatchObject(fate);
  });

  it('has the tool to run only if it is ours', () => {
    const toolOf = (name: string) => fateOf(name, options).tool?.tool.name;
    expect(['look', 'write', 'ask', 'nobody'].map(toolOf)).toEqual(['look', 'write', undefined, undefined]);
  });

  it('is no wrapper if somebody has a tool of that name', () => {
    const declared = { ...options, call: { ...call, clientTools: [{ ...ask, name: 'parallel' }] } };
    expect(fateOf('parallel', declared)).toEqual({ origin: 'client', shownAs: 'parallel', overlaps: true });
  });
});

describe('the fate of a call of another kind', () => {
  it.each([
    ['a tool that the caller runs, by its name on the wire', 'grammar', { origin: 'client', shownAs: 'mine' }],
    ['a tool that the caller runs, by its kind', 'shell', { origin: 'client', shownAs: 'here' }],
    ['a tool that only the server runs', 'web_search', { origin: 'hosted', shownAs: 'web' }],
    ['a step of a tool of the server', 'x_keyword_search', { origin: 'hosted', shownAs: 'x' }],
    ['a tool that the caller did not declare', 'apply_patch', { origin: 'hosted', shownAs: undefined }],
  ])('%s', (_what, kind, fate) => {
    expect(fateOfItem(kind, options)).toEqual({ ...fate, overlaps: true });
  });

  it('is the server’s if the declaration names a machine of the server', () => {
    const shell = hosted('shell', 'there', { environment: { type: 'containerAuto' } });
    expect(fateOfItem('shell', { ...options, call: { ...call, hostedTools: [shell] } }).origin).toBe('hosted');
  });
});

describe('the fate of a call that the server runs by itself', () => {
  const docs = hosted('mcp', 'docs');
  const ofServer = (tool: string, item = {}, other = {}) => fateOfHosted({ tool, item }, { ...options, ...other });

  it.each([
    ['is shown by the name that the caller gave the tool', ofServer('web_search'), 'web'],
    ['is shown by its kind without a declaration', ofServer('image_generation'), 'image_generation'],
    [
      'is hidden without a declaration if its kind is',
      ofServer('image_generation', {}, { isVisible: () => false }),
      undefined,
    ],
    ['of an MCP server has the name of the tool there', ofServer('mcp', { name: 'search' }), 'mcp.search'],
    [
      'of an MCP server has the declared name if that of the tool is hidden',
      ofServer('mcp', { name: 'write' }, { isVisible: () => false, call: { ...call, hostedTools: [docs] } }),
      'docs',
    ],
  ])('%s', (_what, fate, shownAs) => {
    expect(fate).toEqual({ origin: 'hosted', shownAs, overlaps: true });
  });
});
