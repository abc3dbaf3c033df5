import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { fromPrompt } from '../../src/sdk/prompt/from-prompt.js';
import type { HistoryTrust } from '../../src/sdk/history/door.js';
import { asString } from '../../src/util/guards.js';
import { build, user } from '../request/support/build.js';

const TOOLS = (
  [
    ['openai.custom', 'sql', { name: 'write_sql' }],
    ['openai.local_shell', 'local', {}],
    ['openai.shell', 'shell', {}],
    ['openai.apply_patch', 'patch', {}],
    ['openai.computer', 'computer', {}],
    ['openai.tool_search', 'search', {}],
    ['openai.programmatic_tool_calling', 'programs', {}],
    ['openai.web_search', 'web', {}],
    ['openai.image_generation', 'draw', {}],
    ['openai.mcp', 'docs', { serverLabel: 'docs', serverUrl: 'https://docs.test', allowedTools: ['find'] }],
    ['openai.mcp', 'mail', { serverLabel: 'mail', serverUrl: 'https://mail.test', allowedTools: ['send'] }],
  ] satisfies (readonly [string, string, JsonObject])[]
).map(([id, name, args]) => ({ type: 'provider', id, name, args }));

const call = (toolName: string, input: unknown, more: object = {}): object => ({
  type: 'tool-call',
  toolCallId: 'c1',
  toolName,
  input,
  ...more,
});
const result = (toolName: string, value: unknown, more: object = {}): object => ({
  type: 'tool-result',
  toolCallId: 'c1',
  toolName,
  output: { type: 'json', value },
  ...more,
});
const assistant = (...content: object[]): object => ({ role: 'assistant', content });
const toolMessage = (...content: object[]): object => ({ role: 'tool', content });
const inputOf = (...messages: object[]): JsonObject[] =>
  build({ prompt: [user('Q'), ...messages, user('And?')], tools: TOOLS }).input.slice(1, -1);
const BY_SERVER = { providerExecuted: true };

describe('a call of a tool of the API that somebody else wrote goes back as what the server knows', () => {
  const ACTIONS = {
    actions: [{ type: 'scroll', x: 1, y: 2, scrollX: 3, scrollY: 4 }],
    pendingSafetyChecks: [],
    status: 'completed',
  };
  const ROWS: readonly (readonly [string, unknown, JsonObject])[] = [
    ['sql', 'SELECT 1', { type: 'custom_tool_call', name: 'write_sql', input: 'SELECT 1' }],
    ['sql', '{}', { type: 'custom_tool_call', name: 'write_sql', input: '{}' }],
    [
      'local',
      { action: { type: 'exec', command: ['ls'], timeoutMs: 9, env: { someName: 'v' } } },
      { type: 'local_shell_call', action: { type: 'exec', command: ['ls'], timeout_ms: 9, env: { someName: 'v' } } },
    ],
    [
      'shell',
      { action: { commands: ['ls'], maxOutputLength: 9 } },
      { type: 'shell_call', status: 'completed', action: { commands: ['ls'], max_output_length: 9 } },
    ],
    [
      'patch',
      { callId: 'c1', operation: { type: 'delete_file', path: 'a' } },
      { type: 'apply_patch_call', status: 'completed', operation: { type: 'delete_file', path: 'a' } },
    ],
    [
      'computer',
      ACTIONS,
      {
        type: 'computer_call',
        status: 'completed',
        actions: [{ type: 'scroll', x: 1, y: 2, scroll_x: 3, scroll_y: 4 }],
        pending_safety_checks: [],
      },
    ],
    [
      'search',
      { arguments: { goal: 'x' }, call_id: 'c1' },
      { type: 'tool_search_call', execution: 'client', status: 'completed', arguments: { goal: 'x' } },
    ],
  ];

  it.each(ROWS)('%s: %j', (name, input, item) => {
    const [sent, output] = inputOf(
      assistant(call(name, input)),
      toolMessage(result(name, { output: 'ok', tools: [] })),
    );
    expect(sent).toEqual({ ...item, call_id: 'c1' });
    const type = asString(item['type']) ?? '';
    const outputType = type === 'tool_search_call' ? 'tool_search_output' : `${type}_output`;
    expect(output).toMatchObject({ type: outputType, call_id: 'c1' });
  });

  it('a program and what it gave, also where that came in a later answer', () => {
    const items = inputOf(
      assistant(call('programs', { code: 'await f()', fingerprint: 'fp' }, BY_SERVER)),
      assistant(result('programs', { result: '7', status: 'completed' })),
    );
    expect(items).toEqual([
      { type: 'program', call_id: 'c1', code: 'await f()', fingerprint: 'fp' },
      { type: 'program_output', call_id: 'c1', result: '7', status: 'completed' },
    ]);
  });

  it('a search for tools by the server, with what it found', () => {
    const found = [{ type: 'function', name: 'f', parameters: {} }];
    const search = { execution: 'server', call_id: null, status: 'completed' };
    expect(
      inputOf(
        assistant(call('search', { arguments: {}, call_id: null }, BY_SERVER), result('search', { tools: found })),
      ),
    ).toEqual([
      { type: 'tool_search_call', ...search, arguments: {} },
      { type: 'tool_search_output', ...search, tools: found },
    ]);
  });

  it('a search of the web, which only its result tells', () => {
    const told = {
      action: { type: 'openPage', url: 'https://a.test' },
      sources: [{ type: 'url', url: 'https://a.test' }],
    };
    expect(inputOf(assistant(call('web', {}, BY_SERVER), result('web', told)))).toEqual([
      {
        type: 'web_search_call',
        status: 'completed',
        action: { type: 'open_page', url: 'https://a.test', sources: told.sources },
      },
    ]);
    const types = inputOf(assistant(call('web', {}, BY_SERVER), result('web', 'nothing'))).map(({ type }) => type);
    expect(types).toEqual(['function_call', 'function_call_output']);
  });

  it('an image, from the last of its results: the others are previews', () => {
    const image = { type: 'image_generation_call', status: 'completed', result: 'd2hvbGU=' };
    const previews = ['MQ==', 'Mg=='].map((preview) => result('draw', { result: preview }));
    const whole = result('draw', { result: 'd2hvbGU=' });
    expect(inputOf(assistant(call('draw', {}, BY_SERVER), whole))).toEqual([image]);
    expect(inputOf(assistant(call('draw', {}, BY_SERVER), ...previews, whole))).toEqual([image]);
    const types = inputOf(assistant(call('draw', {}, BY_SERVER), result('draw', {}))).map(({ type }) => type);
    expect(types).toEqual(['function_call', 'function_call_output']);
  });

  it('and as a function call where the tool is not declared, or the part does not say enough', () => {
    const broken: [string, unknown][] = [
      ['local', 'ls'],
      ['shell', {}],
      ['patch', { operation: 7 }],
      ['computer', {}],
      ['other', {}],
    ];
    for (const [name, input] of broken)
      expect(inputOf(assistant(call(name, input)), toolMessage(result(name, 1)))[0]).toMatchObject({
        type: 'function_call',
        name,
      });
  });

  it('whatever the input is: one item for each call, and nothing throws', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TOOLS.map(({ name }) => name)), fc.jsonValue(), (name, input) => {
        const items = inputOf(assistant(call(name, input)), toolMessage(result(name, input)));
        expect(items.filter(({ type }) => asString(type)?.endsWith('_output') === false).length).toBe(1);
      }),
    );
  });

  it.each<[string, HistoryTrust]>([
    ['with carrier none', { carriers: false }],
    ['with a secret', { carriers: true, signed: new Set() }],
  ])('%s only calls of the client’s own: nothing that only a server may say', (_name, trust) => {
    const hostedTools = toolsAsRead();
    const { messages } = fromPrompt(
      [
        assistant(
          call('programs', { code: 'x', fingerprint: 'fp' }, BY_SERVER),
          call('search', { arguments: {}, call_id: 'c1' }),
          call('web', {}, BY_SERVER),
          result('web', { action: { type: 'search', query: 'q' } }),
          call('mcp.find', {}, BY_SERVER),
          call('sql', 'SELECT 1'),
        ),
        toolMessage({ type: 'tool-approval-response', approvalId: 'mcpr_1', approved: true }),
      ],
      { trust, hostedTools },
    );
    const contents = messages.flatMap((message) => (message.role === 'assistant' ? message.content : []));
    expect(contents.filter(({ type }) => type === 'item')).toEqual([]);
    const items = contents.flatMap((content) => (content.type === 'tool-call' ? (content.item ?? []) : []));
    expect(items).toEqual([{ type: 'custom_tool_call', name: 'write_sql', input: 'SELECT 1' }]);
  });
});

function toolsAsRead() {
  return TOOLS.map(({ id, name, args }) => ({ id, type: id.split('.')[1] ?? '', name, args }));
}

describe('the answer to a server that asked for approval through the stock provider', () => {
  const asks = (toolCallId: string, toolName: string, input: object = {}): object =>
    call(toolName, input, { ...BY_SERVER, toolCallId });
  const answer = (approvalId: string, approved: boolean): object => ({
    type: 'tool-approval-response',
    approvalId,
    approved,
  });
  const sent = (...messages: object[]) => {
    const { input, warnings } = build({ prompt: [user('Q'), ...messages], tools: TOOLS });
    return { items: input.slice(1), warnings };
  };

  it.each([true, false])('goes behind the request that it is about (%s)', (approved) => {
    const { items } = sent(assistant(asks('made_up', 'mcp.find', { q: 1 })), toolMessage(answer('mcpr_1', approved)));
    expect(items).toEqual([
      { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'find', arguments: '{"q":1}' },
      { type: 'mcp_approval_response', approval_request_id: 'mcpr_1', approve: approved },
    ]);
  });

  it('is read from a denial that was written as a result', () => {
    const denied = { type: 'execution-denied', providerOptions: { openai: { approvalId: 'mcpr_1' } } };
    const told = { type: 'tool-result', toolCallId: 'made_up', toolName: 'mcp.find', output: denied };
    const { items } = sent(assistant(asks('made_up', 'mcp.find')), toolMessage(told));
    expect(items.map(({ type, approve }) => [type, approve])).toEqual([
      ['mcp_approval_request', undefined],
      ['mcp_approval_response', false],
    ]);
  });

  it('is taken for several where all have the same answer', () => {
    const both = assistant(asks('a', 'mcp.find'), asks('b', 'mcp.send'));
    const { items } = sent(both, toolMessage(answer('mcpr_1', true), answer('mcpr_2', true)));
    expect(items.map(({ id, server_label: label, approval_request_id: about }) => id ?? about ?? label)).toEqual([
      'mcpr_1',
      'mcpr_2',
      'mcpr_1',
      'mcpr_2',
    ]);
  });

  it.each([
    ['differ', [answer('mcpr_1', true), answer('mcpr_2', false)]],
    ['are fewer', [answer('mcpr_2', true)]],
  ])('is not sent where the answers %s: a yes must not run another call', (_name, answers) => {
    const { items, warnings } = sent(assistant(asks('a', 'mcp.find'), asks('b', 'mcp.send')), toolMessage(...answers));
    expect(items.map(({ type }) => type)).not.toContain('mcp_approval_response');
    expect(warnings.join()).toContain('cannot be told apart');
  });

  it('is not sent where no server, or more than one, can have asked', () => {
    const { items } = sent(assistant(asks('a', 'mcp.other')), toolMessage(answer('mcpr_1', true)));
    expect(items.map(({ type }) => type)).toEqual(['function_call', 'function_call_output']);
  });
});
