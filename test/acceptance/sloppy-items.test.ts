import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { asRecord, asRecords } from '../../src/util/guards.js';
import { answer, type AnyPart, declared, EVERY_WAY, user, VERSIONS } from './support/any-version.js';
import { asMessages, shown } from './support/go-back.js';
import { reply, rigOf } from './support/rig.js';

const item = (type: string, fields: JsonObject): NonNullable<ResponseDescription['output']>[number] => ({
  type: 'item',
  item: { type, status: 'completed', ...fields },
});
const done = { type: 'text', text: 'Done.' } as const;
const itemTypes = (request: { readonly body: unknown } | undefined) =>
  asRecords(asRecord(request?.body)?.['input']).map(({ type }) => type);
const textIn = (parts: readonly AnyPart[]) =>
  parts.map(({ type, text, delta }) => shown(type === 'text' ? text : type === 'text-delta' ? delta : '')).join('');

const CALLS: Readonly<Record<string, JsonObject>> = {
  local_shell_call: { action: { type: 'exec', command: ['ls'], env: {} } },
  shell_call: { action: { commands: ['ls'] } },
  apply_patch_call: { operation: { type: 'delete_file', path: 'a' } },
  computer_call: { actions: [] },
  custom_tool_call: { name: 'custom', input: 'x' },
  tool_search_call: { execution: 'client', arguments: {} },
};

describe('a call of a tool that nobody has declared, without an output', () => {
  const weather = { description: 'The weather.', inputSchema: { type: 'object' }, execute: () => '7 degrees' } as const;
  const look = item('function_call', { id: 'fc_1', call_id: 'call_w', name: 'weather', arguments: '{}' });
  const cases = EVERY_WAY.flatMap(([version, method]) =>
    Object.keys(CALLS).map((type) => [version, method, type] as const),
  );

  it.each(cases)('%s %s: a %s does not go back, whatever its call id, and a warning says so', async (...how) => {
    const [version, method, type] = how;
    for (const id of [{}, { call_id: 7 }, { call_id: 'call_1' }]) {
      const output = [item(type, { id: 'x_1', ...CALLS[type], ...id }), look];
      const steps = [reply({ output }), reply({ id: 'r2', output: [done] }), reply({ id: 'r3', output: [done] })];
      const { model, requests } = await rigOf(VERSIONS[version], steps, { tools: { weather } });
      const parts = await answer(model, method, { prompt: [user('x')] });
      await answer(model, method, { prompt: [user('x'), ...asMessages(parts), user('y')] });
      expect(itemTypes(requests[1])).toEqual(['message', 'function_call', 'function_call_output']);
      expect(itemTypes(requests[2])).not.toContain(type);
      if (method === 'doStream') expect(JSON.stringify(parts.at(-1))).toContain(`${type}\\" was not sent`);
    }
  });
});

describe('a request for approval that shares its id with another item', () => {
  const request = (fields: JsonObject = {}) =>
    item('mcp_approval_request', { id: 'a', server_label: 's', name: 'roll', arguments: '{}', ...fields });
  const tools = (version: 'v3' | 'v4') => [
    declared(version, 'mcp', { serverLabel: 's', serverUrl: 'https://x.example' }),
  ];

  it.each([
    ['v3', 'doStream'],
    ['v3', 'doGenerate'],
    ['v4', 'doStream'],
    ['v4', 'doGenerate'],
  ] as const)('%s %s: is shown as a call of its own, and the answer reaches the server', async (version, method) => {
    const output = [item('web_search_call', { id: 'a' }), request(), request()];
    const ran = item('mcp_call', {
      id: 'm',
      server_label: 's',
      name: 'roll',
      arguments: '{}',
      approval_request_id: 'a',
    });
    const { model, requests } = await rigOf(VERSIONS[version], [
      reply({ output }),
      reply({ id: 'r2', output: [ran, done] }),
    ]);
    const first = await answer(model, method, { prompt: [user('x')], tools: tools(version) });
    const calls = first.filter(({ type }) => type === 'tool-call');
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    const asked = first.filter(({ type }) => type === 'tool-approval-request');
    expect(asked).toMatchObject([{ approvalId: 'a', toolCallId: calls[1]?.['toolCallId'] }]);
    const said = { type: 'tool-approval-response', approvalId: 'a', approved: true };
    const prompt = [user('x'), ...asMessages(first), { role: 'tool', content: [said] }];
    const second = await answer(model, method, { prompt, tools: tools(version) });
    expect(itemTypes(requests[1])).toEqual([
      'message',
      'web_search_call',
      'mcp_approval_request',
      'mcp_approval_response',
    ]);
    // The search has its result already.
    expect(second.filter(({ type, toolCallId }) => type === 'tool-result' && toolCallId === 'a')).toEqual([]);
  });
});

describe('items with members of another kind', () => {
  it.each(EVERY_WAY)(
    '%s %s: a call of a server’s MCP tool without a name goes by the declaration’s',
    async (...how) => {
      const [version, method] = how;
      for (const name of [{}, { name: '' }, { name: 7 }]) {
        const output = [item('mcp_call', { id: 'm', server_label: 's', arguments: '{}', output: '1', ...name }), done];
        const { model } = await rigOf(VERSIONS[version], [reply({ output })]);
        const tools = [declared(version, 'mcp', { serverLabel: 's', serverUrl: 'https://x.example' })];
        const parts = await answer(model, method, { prompt: [user('x')], tools });
        expect(parts.flatMap(({ toolName }) => toolName ?? [])).toEqual(['mcp', 'mcp']);
      }
    },
  );

  it.each(EVERY_WAY)('%s %s: a text where a list of texts should be is the text', async (version, method) => {
    for (const content of ['Hello.', ['Hello.']]) {
      const output = [item('message', { id: 'm', role: 'assistant', content })];
      const { model } = await rigOf(VERSIONS[version], [reply({ output })]);
      expect(textIn(await answer(model, method, { prompt: [user('x')] }))).toBe('Hello.');
    }
  });

  it.each(EVERY_WAY)('%s %s: so is a thought', async (version, method) => {
    const output = [item('reasoning', { id: 'rs', summary: 'Hm.' }), done];
    const { model } = await rigOf(VERSIONS[version], [reply({ output })]);
    const parts = await answer(model, method, { prompt: [user('x')] });
    const thought = parts.map(({ type, text, delta }) => shown(type.startsWith('reasoning') ? (text ?? delta) : ''));
    expect(thought.join('')).toBe('Hm.');
  });
});
