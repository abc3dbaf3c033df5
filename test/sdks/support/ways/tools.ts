import * as ai from 'ai';
import { generateText, jsonSchema, type Tool, tool, type ToolSet } from 'ai';
import { expect } from 'vitest';
import { calls, reply } from '../../../acceptance/support/rig.js';
import { adder, toolOf } from '../../../acceptance/support/tools.js';
import { offered } from '../../../acceptance/support/wire.js';
import { readAll } from '../sdk.js';
import { type Checks, five, going, later, partsOf } from './going.js';

/** What `ai` 7 has for tools that find or call other tools. */
const { experimental_toolCaller: toolCaller, toolSearch } = ai as unknown as {
  experimental_toolCaller: (tool: Tool, caller: { type: 'local'; bind: (tools: ToolSet) => Tool }) => Tool;
  toolSearch: () => Tool;
};

const nothing = jsonSchema<object>({ type: 'object', properties: {} });

/** A tool that calls the tools which it is bound to, as code mode does. */
const code = (): Tool =>
  toolCaller(tool({ inputSchema: nothing, execute: () => 'unbound' }), {
    type: 'local',
    bind: ({ add }) =>
      tool({
        inputSchema: nothing,
        execute: async (_input, options) => {
          const run = add?.execute as unknown as (input: object, options: object) => AsyncIterable<unknown>;
          return { sum: (await readAll(run({ a: 2, b: 3 }, { ...options, toolCallId: 'inner_1' }))).at(-1) };
        },
      }),
  });

/** Which of our tools a call offers, and who reaches them. */
export const TOOLS: Checks = {
  async activeTools(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add, b: toolOf(() => 'b') } }, [five]);
    await generateText({ ...call, activeTools: ['b'] });
    return offered(requests[0]).join() === 'b';
  },

  async 'activeTools: []'(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [five]);
    await generateText({ ...call, activeTools: [] });
    return offered(requests[0]).length === 0;
  },

  async 'a subset of `provider.tools()`'(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add, b: toolOf(() => 'b') } }, [five]);
    const { b } = call.tools;
    await generateText({ ...call, tools: { b } as ToolSet });
    return offered(requests[0]).join() === 'b';
  },

  async toolOrder(way) {
    const { call, requests } = await going(way, { tools: { add: adder().add, b: toolOf(() => 'b') } }, [five]);
    await generateText({ ...call, ...later({ toolOrder: ['b'] }) });
    return offered(requests[0]).join() === 'b,add';
  },

  async 'toolSearch(), deferLoading'(way) {
    const search = reply(calls('resp_1', ['search', { query: 'numbers' }, 'call_1']));
    const { call, requests } = await going(way, { tools: { add: adder().add } }, [search, five]);
    const add = { ...call.tools['add'], deferLoading: true };
    await generateText({ ...call, tools: { search: toolSearch(), add } as unknown as ToolSet });
    expect(offered(requests[1])).toContain('add');
    return offered(requests[0]).join() === 'search';
  },

  async '`experimental_toolCallers` (code mode)'(way) {
    const { add, runs } = adder();
    const { call, requests } = await going(way, { tools: { add } }, [
      reply(calls('resp_1', ['code', {}, 'call_1'])),
      five,
    ]);
    const tools = { ...call.tools, code: code() };
    await generateText({ ...call, tools, ...later({ experimental_toolCallers: { add: ['code'] } }) });
    return offered(requests[0]).join() === 'code' && runs.length === 1;
  },

  async 'experimental_context, toolsContext'(way) {
    const seen: object[] = [];
    const add = adder({ execute: (_args, options) => (seen.push(options), '5') }).add;
    const { call } = await going(way, { tools: { add } });
    const context = { experimental_context: { user: 7 }, toolsContext: { add: { user: 7 } } };
    await generateText({ ...call, ...later(context) });
    expect(seen).toHaveLength(1);
    return JSON.stringify(seen).includes('"user":7');
  },

  async '`toolMetadata` on parts'(way) {
    const { call } = await going(way, { tools: { add: adder().add } });
    const parts = partsOf(await generateText(call)).filter(({ type }) => type === 'tool-call');
    return parts.length === 1 && JSON.stringify(parts[0]?.['toolMetadata'] ?? {}).includes('local');
  },
};
