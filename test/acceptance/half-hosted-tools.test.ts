import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { type AnyPart, answer, declared, EVERY_WAY, user, VERSIONS } from './support/any-version.js';
import { reply, rigOf } from './support/rig.js';

const item = (type: string, fields: JsonObject): NonNullable<ResponseDescription['output']>[number] => ({
  type: 'item',
  item: { type, status: 'completed', ...fields },
});
const ACTION = { commands: ['rm -rf ./build'] };
const RAN = { stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } };
const shellCall = (fields: JsonObject = {}) =>
  item('shell_call', { id: 'sh_1', call_id: 'call_1', action: ACTION, ...fields });
const shellOutput = item('shell_call_output', { id: 'so_1', call_id: 'call_1', output: [RAN] });
const done = { type: 'text', text: 'Done.' } as const;
const ofCalls = (parts: readonly AnyPart[]) =>
  parts
    .filter(({ type }) => type === 'tool-call')
    .map(({ toolName, providerExecuted }) => [toolName, providerExecuted]);
interface GivesWarnings {
  doGenerate(options: object): Promise<{ readonly warnings: readonly unknown[] }>;
}
const ofProgram = (parts: readonly AnyPart[]) =>
  parts.filter(({ toolCallId }) => toolCallId === 'call_p').map(({ type }) => type);
const itemTypes = ({ body }: { readonly body: unknown }) =>
  (body as { input: { type: string }[] }).input.map(({ type }) => type);

const SHOWN: ReadonlySet<string> = new Set(['text', 'tool-call', 'tool-result']);

describe('a shell call that ran at the server is never handed to the client', () => {
  it.each(EVERY_WAY)('%s %s: whatever says so, and in any order of the items', async (version, method) => {
    const container = { type: 'container_reference', container_id: 'cntr_1' };
    const answers: Record<string, NonNullable<ResponseDescription['output']>> = {
      'its output is there': [shellCall(), shellOutput, done],
      'its output is there, before it': [shellOutput, shellCall(), done],
      'its output is there, behind more reasoning': [
        shellCall(),
        { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' },
        shellOutput,
        done,
      ],
      'it names a container, and its output': [shellCall({ environment: container }), shellOutput, done],
      'it names a container': [shellCall({ environment: container }), done],
    };
    for (const [says, output] of Object.entries(answers)) {
      const { model } = await rigOf(VERSIONS[version], [reply({ output })]);
      const tools = [declared(version, 'shell', { environment: { type: 'local' } })];
      const parts = await answer(model, method, { prompt: [user('x')], tools });
      expect([says, ofCalls(parts)]).toEqual([says, [['shell', true]]]);
    }
  });

  it.each(EVERY_WAY)('%s %s: the tool was declared to run in a container', async (version, method) => {
    const { model } = await rigOf(VERSIONS[version], [reply({ output: [shellCall(), done] })]);
    const tools = [declared(version, 'shell', { environment: { type: 'containerAuto' } })];
    const parts = await answer(model, method, { prompt: [user('x')], tools });
    expect(ofCalls(parts)).toEqual([['shell', true]]);
  });

  it.each(EVERY_WAY)('%s %s: a shell on the client is the client’s', async (version, method) => {
    for (const environment of [undefined, { type: 'local' }]) {
      const { model } = await rigOf(VERSIONS[version], [
        reply({ output: [shellCall({ environment: environment ?? null })] }),
      ]);
      const parts = await answer(model, method, { prompt: [user('x')], tools: [declared(version, 'shell')] });
      expect(ofCalls(parts)).toEqual([['shell', undefined]]);
    }
  });

  it.each(EVERY_WAY)(
    '%s %s: a call that the client has already is never shown as the server’s',
    async (version, method) => {
      const custom = item('custom_tool_call', { id: 'ct_1', call_id: 'call_1', name: 'grammar', input: 'x' });
      const output = item('custom_tool_call_output', { id: 'co_1', call_id: 'call_1', output: 'y' });
      const thought = { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' } as const;
      const { model } = await rigOf(VERSIONS[version], [reply({ output: [custom, thought, output] })]);
      const tools = [declared(version, 'custom', { name: 'grammar' })];
      const parts = await answer(model, method, { prompt: [user('x')], tools });
      expect(ofCalls(parts)).toEqual([['custom', undefined]]);
      expect(parts.filter(({ type }) => type === 'tool-result')).toEqual([]);
    },
  );

  it.each(EVERY_WAY)('%s %s: a call whose output comes late is shown beside it', async (version, method) => {
    const custom = item('custom_tool_call', { id: 'ct_1', call_id: 'call_1', name: 'grammar', input: 'x' });
    const output = item('custom_tool_call_output', { id: 'co_1', call_id: 'call_1', output: 'y' });
    const { model } = await rigOf(VERSIONS[version], [reply({ output: [custom, done, output] })]);
    const tools = [declared(version, 'custom', { name: 'grammar' })];
    const parts = await answer(model, method, { prompt: [user('x')], tools });
    const shown = parts.map(({ type }) => type.replace(/-start$/, '')).filter((type) => SHOWN.has(type));
    expect(shown).toEqual(['text', 'tool-call', 'tool-result']);
  });

  it.each(EVERY_WAY)('%s %s: the next request has the call, then its output', async (version, method) => {
    const output = [shellCall(), shellOutput, done];
    const { model, requests } = await rigOf(VERSIONS[version], [
      reply({ output }),
      reply({ id: 'r2', output: [done] }),
    ]);
    const tools = [declared(version, 'shell')];
    const parts = await answer(model, method, { prompt: [user('x')], tools });
    const prompt = [user('x'), { role: 'assistant', content: toPrompt(parts) }, user('y')];
    await answer(model, method, { prompt, tools });
    expect(requests.slice(1).map(itemTypes)).toEqual([
      ['message', 'shell_call', 'shell_call_output', 'message', 'message'],
    ]);
  });
});

describe('tools of this package beside tools of the server, inside one call', () => {
  const weather = { description: 'The weather.', inputSchema: { type: 'object' }, execute: () => '7 degrees' } as const;
  const called = (fields: JsonObject = {}) =>
    item('function_call', { id: 'fc_1', call_id: 'call_1', name: 'weather', arguments: '{}', ...fields });
  const search = item('tool_search_call', { id: 'ts_1', call_id: null, execution: 'server', arguments: {} });
  const found = item('tool_search_output', { id: 'to_1', call_id: null, execution: 'server', tools: [] });
  const program = item('program', { id: 'pg_1', call_id: 'call_p', code: 'await weather()', fingerprint: 'fp' });
  const ended = item('program_output', { id: 'po_1', call_id: 'call_p', result: '7' });

  it.each(EVERY_WAY)('%s %s: a search for tools, then the tool that it found', async (version, method) => {
    const steps = [reply({ output: [search, found, called()] }), reply({ id: 'r2', output: [done] })];
    const { model, requests } = await rigOf(VERSIONS[version], steps, { tools: { weather } });
    const parts = await answer(model, method, { prompt: [user('x')], tools: [declared(version, 'tool_search')] });
    expect(ofCalls(parts)[0]).toEqual(['tool_search', true]);
    expect(itemTypes(requests[1] as { body: unknown })).toEqual([
      'message',
      'tool_search_call',
      'tool_search_output',
      'function_call',
      'function_call_output',
    ]);
  });

  it.each(EVERY_WAY)('%s %s: a shell in a container gets no output of ours', async (version, method) => {
    const steps = [reply({ output: [shellCall(), called()] }), reply({ id: 'r2', output: [done] })];
    const { model, requests } = await rigOf(VERSIONS[version], steps, { tools: { weather } });
    const tools = [declared(version, 'shell', { environment: { type: 'containerAuto' } })];
    await answer(model, method, { prompt: [user('x')], tools });
    expect(requests.slice(1).map(itemTypes)).toEqual([['message', 'function_call', 'function_call_output']]);
  });

  it.each(EVERY_WAY)('%s %s: a program that calls a tool, and its result', async (version, method) => {
    const caller = { type: 'program', caller_id: 'call_p' };
    const steps = [
      reply({ output: [program, called({ caller })] }),
      reply({ id: 'r2', output: [ended, done] }),
      reply({ id: 'r3', output: [done] }),
    ];
    const { model, requests } = await rigOf(VERSIONS[version], steps, { tools: { weather } });
    const tools = [declared(version, 'programmatic_tool_calling')];
    const parts = await answer(model, method, { prompt: [user('x')], tools });
    await answer(model, method, {
      prompt: [user('x'), { role: 'assistant', content: toPrompt(parts) }, user('y')],
      tools,
    });
    expect(ofCalls(parts)[0]).toEqual(['programmatic_tool_calling', true]);
    expect(ofProgram(parts)).toEqual(['tool-call', 'tool-result']);
    const round = ['message', 'program', 'function_call', 'function_call_output'];
    expect(requests.slice(1).map(itemTypes)).toEqual([round, [...round, 'program_output', 'message', 'message']]);
  });

  it.each(EVERY_WAY)('%s %s: a program that waits for a tool of the client', async (version, method) => {
    const caller = { type: 'program', caller_id: 'call_p' };
    const steps = [
      reply({ output: [program, called({ caller, name: 'ask' })] }),
      reply({ id: 'r2', output: [ended, done] }),
      reply({ id: 'r3', output: [ended, done] }),
    ];
    const { model, requests } = await rigOf(VERSIONS[version], steps);
    const ask = { type: 'function', name: 'ask', inputSchema: { type: 'object', properties: {} } };
    const tools = [declared(version, 'programmatic_tool_calling'), ask];
    const first = await answer(model, method, { prompt: [user('x')], tools });
    expect(ofProgram(first)).toEqual(['tool-call']);
    const output = { type: 'text', value: '7' };
    const answered = [
      user('x'),
      { role: 'assistant', content: toPrompt(first) },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'call_1', toolName: 'ask', output }] },
    ];
    const second = await answer(model, method, { prompt: answered, tools });
    // A whole answer of the first version has no place for the result of an earlier call.
    expect(ofProgram(second)).toEqual(version === 'v2' && method === 'doGenerate' ? [] : ['tool-result']);
    const prompt = [...answered, { role: 'assistant', content: toPrompt(second) }, user('y')];
    const third = await answer(model, method, { prompt, tools });
    const round = ['message', 'program', 'function_call', 'function_call_output'];
    expect(requests.slice(1).map(itemTypes)).toEqual([round, [...round, 'program_output', 'message', 'message']]);
    // It has its result: the same again is none.
    expect(ofProgram(third)).toEqual([]);
  });

  it.each(EVERY_WAY)('%s %s: a program that another provider showed gives its result once', async (version, method) => {
    const steps = [reply({ output: [ended, done] }), reply({ id: 'r2', output: [done] })];
    const { model, requests } = await rigOf(VERSIONS[version], steps);
    const tools = [declared(version, 'programmatic_tool_calling')];
    const input = { code: 'await weather()', fingerprint: 'fp' };
    const toolName = 'programmatic_tool_calling';
    const shown = { type: 'tool-call', toolCallId: 'call_p', toolName, input, providerExecuted: true };
    const before = [user('x'), { role: 'assistant', content: [shown] }];
    const parts = await answer(model, method, { prompt: before, tools });
    const prompt = [...before, { role: 'assistant', content: toPrompt(parts) }, user('y')];
    const { warnings } = await (model as GivesWarnings).doGenerate({ prompt, tools });
    expect(itemTypes(requests[1] as { body: unknown })).toEqual([
      'message',
      'program',
      'program_output',
      'message',
      'message',
    ]);
    expect(warnings).toEqual([]);
  });
});

/** Parts or content as the content of an assistant message, as the SDK makes it. */
function toPrompt(parts: readonly AnyPart[]): object[] {
  return parts.flatMap(({ type, ...part }): object[] => {
    const { toolCallId, toolName, providerExecuted } = part;
    const providerOptions = part['providerMetadata'];
    if (type === 'text' || type === 'text-end')
      return [{ type: 'text', text: part['text'] ?? 'Done.', providerOptions }];
    if (type === 'reasoning' || type === 'reasoning-end') return [{ type: 'reasoning', text: '', providerOptions }];
    if (type === 'tool-call') {
      const input = JSON.parse(part['input'] as string) as unknown;
      return [{ type, toolCallId, toolName, input, providerExecuted, providerOptions }];
    }
    if (type !== 'tool-result') return [];
    return [{ type, toolCallId, toolName, output: { type: 'json', value: part['result'] } }];
  });
}
