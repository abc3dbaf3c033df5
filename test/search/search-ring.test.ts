import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textOutput } from '../../src/core/message.js';
import { listFound, namesIn } from '../../src/search/found-tools.js';
import { ToolSearch } from '../../src/search/search-ring.js';
import type { OpeningCall, Toolset } from '../../src/tools/loop-tool.js';
import { withOpened } from '../../src/tools/open-tools.js';
import { callTool, textOf, toolNamed } from '../tools/support/call.js';
import { namesOf, toolsetOf } from './support/tools.js';

const NEW = { clientNames: [], goesOn: false };
const TOOLS = { one: {}, two: {}, three: { deferLoading: false }, four: {}, five: {} };

const called = (name: string, text: string): OpeningCall => ({ call: { name }, output: textOutput(text) });
const searched = async (toolset: Toolset, query: string, name = 'search_tools'): Promise<OpeningCall> =>
  called(name, textOf(await callTool(toolNamed(toolset, name), { query })));

describe('a toolset with a search', () => {
  it('offers the search in place of what it finds, and what was found behind it, each once', async () => {
    const toolset = await new ToolSearch().keepBack(await toolsetOf(TOOLS), NEW);
    expect(namesOf(toolset)).toEqual(['three', 'search_tools']);
    const found = await withOpened(toolset, [await searched(toolset, 'four'), await searched(toolset, 'one four')]);
    expect(namesOf(found)).toEqual(['three', 'search_tools', 'four', 'one']);
    expect([...(found.keptBack?.byWireName.keys() ?? [])]).toEqual(['two', 'five']);
    expect(found.tools.map(({ declaration }) => declaration.deferLoading)).toEqual(Array(4).fill(undefined));
  });

  it('opens a tool that was called before it was found', async () => {
    const toolset = await new ToolSearch().keepBack(await toolsetOf(TOOLS), NEW);
    expect(namesOf(await withOpened(toolset, [called('two', 'It was not loaded.')])).at(-1)).toBe('two');
  });

  it.each([
    ['the app', { search_tools: { deferLoading: false }, one: {} }, []],
    ['the app, found by search', { search_tools: {}, one: {} }, []],
    ['the caller', { one: {} }, ['search_tools']],
  ])('has another name beside a tool of %s that is called so', async (_whose, tools, clientNames) => {
    const toolset = await new ToolSearch().keepBack(await toolsetOf(tools), { clientNames, goesOn: false });
    const name = 'responses_loop__search_tools';
    expect(namesOf(toolset)).toContain(name);
    expect(namesOf(await withOpened(toolset, [await searched(toolset, 'one', name)])).at(-1)).toBe('one');
    // The output of another tool opens nothing.
    expect(namesOf(await withOpened(toolset, [called('search_tools', 'one: x')]))).not.toContain('one');
  });

  it('names the servers of its tools, so that the model knows what there is', async () => {
    const base = await toolsetOf({ one: {} });
    const tools = base.tools.map((tool) => ({ ...tool, source: { ...tool.source, kind: 'mcp' as const, key: 'crm' } }));
    const toolset = await new ToolSearch().keepBack({ ...base, tools }, NEW);
    expect(toolset.tools.at(-1)?.declaration.description).toMatch(/There are tools of: crm\.$/);
  });

  it('takes a number of tools that is out of bounds for the nearest one', async () => {
    const many = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`note_${at}`, {}]));
    const toolset = await new ToolSearch().keepBack(await toolsetOf(many), NEW);
    const count = async (limit?: number): Promise<number> =>
      namesIn(textOutput(textOf(await callTool(toolNamed(toolset, 'search_tools'), { query: 'note', limit })))).length;
    expect([await count(-1), await count(), await count(7), await count(1_000)]).toEqual([1, 5, 7, 20]);
  });

  it('keeps the beginning of the list, whatever is found in whatever order', async () => {
    const toolset = await new ToolSearch().keepBack(await toolsetOf(TOOLS), NEW);
    const name = fc.constantFrom('one', 'two', 'three', 'four', 'five', 'none');
    const call = fc.oneof(
      fc.array(name).map((names) => called('search_tools', names.map((found) => `${found}: x`).join('\n'))),
      name.map((found) => called(found, 'x')),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(call), fc.nat(), async (calls, cut) => {
        const at = cut % (calls.length + 1);
        const before = await withOpened(toolset, calls.slice(0, at));
        const inTwo = await withOpened(before, calls.slice(at));
        expect(namesOf(inTwo).slice(0, namesOf(before).length)).toEqual(namesOf(before));
        expect(new Set(namesOf(inTwo)).size).toBe(namesOf(inTwo).length);
        // Another turn, or another process, sees the whole history at once.
        expect(namesOf(await withOpened(toolset, calls))).toEqual(namesOf(inTwo));
      }),
    );
  });
});

describe('what the model reads of a search', () => {
  const tools = async (description: string): Promise<Toolset['tools']> =>
    (await toolsetOf({ one: { description } })).tools;

  it('has a line for each tool, however long and broken its description is', async () => {
    const text = listFound('x', await tools(`Does\n  two: things\n${'and more '.repeat(100)}`));
    expect(text).toMatch(/^You can call these tools from now on\.\none: Does two: things and more [^\n]{100,200}…$/);
    expect(namesIn(textOutput(text))).toEqual(['one']);
  });

  it('is read as far as it goes', async () => {
    const text = listFound('x', [...(await tools('First.')), ...(await toolsetOf({ two: {} })).tools]);
    expect(namesIn(textOutput(text.slice(0, -1)))).toEqual(['one', 'two']);
    expect(namesIn(textOutput(`${text.slice(0, -2)}\n[cut: 2 more characters]`))).not.toContain('two');
  });

  it('tells what to do if nothing was found', () => {
    expect(listFound('a: b', [])).toBe('No tool fits "a: b". Try other words, or fewer.');
  });
});
