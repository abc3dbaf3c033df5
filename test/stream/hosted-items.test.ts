import { describe, expect, it } from 'vitest';

import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { CALL_KINDS, HOSTED_KINDS } from '../../src/items/kinds.js';
import { added, call, completed, created, done, message } from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';
import type { RoundPart } from '../../src/core/part.js';
import type { ScriptedEvent } from '../../src/testing.js';

type Item = JsonObject & { readonly type: string };

interface HostedRow {
  readonly item: Item;
  readonly tool: string;
  readonly input: JsonObject;
  readonly result: JsonObject;
}

const HOSTED_ROWS: Readonly<Record<string, HostedRow>> = {
  web_search_call: {
    item: { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'ducks' } },
    tool: 'web_search',
    input: { action: { type: 'search', query: 'ducks' } },
    result: { status: 'completed', action: { type: 'search', query: 'ducks' } },
  },
  file_search_call: {
    item: {
      type: 'file_search_call',
      id: 'fs_1',
      status: 'completed',
      queries: ['ducks'],
      results: [{ file_id: 'file_1', text: 'quack' }],
    },
    tool: 'file_search',
    input: { queries: ['ducks'] },
    result: { status: 'completed', queries: ['ducks'], results: [{ fileId: 'file_1', text: 'quack' }] },
  },
  code_interpreter_call: {
    item: {
      type: 'code_interpreter_call',
      id: 'ci_1',
      status: 'completed',
      code: 'print(1)',
      container_id: 'cntr_1',
      outputs: [{ type: 'logs', logs: '1' }],
    },
    tool: 'code_interpreter',
    input: { code: 'print(1)', containerId: 'cntr_1' },
    result: { status: 'completed', outputs: [{ type: 'logs', logs: '1' }] },
  },
  x_search_call: {
    item: { type: 'x_search_call', id: 'xs_1', status: 'completed', arguments: '{"query":"ducks"}' },
    tool: 'x_search',
    input: { query: 'ducks' },
    result: { status: 'completed' },
  },
  code_execution_call: {
    item: { type: 'code_execution_call', id: 'ce_1', status: 'completed', arguments: '{"code":"print(1)"}' },
    tool: 'code_interpreter',
    input: { code: 'print(1)' },
    result: { status: 'completed' },
  },
  view_image_call: {
    item: { type: 'view_image_call', id: 'vi_1', status: 'completed', arguments: '{"image_url":"https://x/duck.png"}' },
    tool: 'view_image',
    input: { image_url: 'https://x/duck.png' },
    result: { status: 'completed' },
  },
  view_x_video_call: {
    item: { type: 'view_x_video_call', id: 'vv_1', status: 'completed', arguments: '{"video_url":"https://x/duck"}' },
    tool: 'view_x_video',
    input: { video_url: 'https://x/duck' },
    result: { status: 'completed' },
  },
  image_generation_call: {
    item: {
      type: 'image_generation_call',
      id: 'ig_1',
      status: 'completed',
      result: 'QUJD',
      output_format: 'webp',
      revised_prompt: 'a duck',
      size: '1024x1024',
    },
    tool: 'image_generation',
    input: {},
    result: { status: 'completed', revised_prompt: 'a duck', size: '1024x1024', output_format: 'webp' },
  },
  mcp_call: {
    item: {
      type: 'mcp_call',
      id: 'mcp_1',
      status: 'completed',
      server_label: 'docs',
      name: 'search',
      arguments: '{"q":"ducks"}',
      output: 'quack',
      error: null,
    },
    tool: 'mcp',
    input: { q: 'ducks' },
    result: {
      type: 'call',
      status: 'completed',
      serverLabel: 'docs',
      name: 'search',
      arguments: '{"q":"ducks"}',
      output: 'quack',
    },
  },
};

interface ClientRow {
  readonly item: Item;
  readonly name: string;
  readonly input: JsonValue;
}

const CLIENT_ROWS: Readonly<Record<string, ClientRow>> = {
  custom_tool_call: {
    item: { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'write_sql', input: 'SELECT 1' },
    name: 'write_sql',
    input: 'SELECT 1',
  },
  local_shell_call: {
    item: {
      type: 'local_shell_call',
      id: 'lsh_1',
      call_id: 'call_1',
      status: 'completed',
      action: { type: 'exec', command: ['ls'] },
    },
    name: 'local_shell',
    input: { action: { type: 'exec', command: ['ls'] } },
  },
  shell_call: {
    item: { type: 'shell_call', id: 'sh_1', call_id: 'call_1', status: 'completed', action: { commands: ['ls'] } },
    name: 'shell',
    input: { action: { commands: ['ls'] } },
  },
  apply_patch_call: {
    item: {
      type: 'apply_patch_call',
      id: 'apc_1',
      call_id: 'call_1',
      status: 'completed',
      operation: { type: 'delete_file', path: 'a' },
    },
    name: 'apply_patch',
    input: { callId: 'call_1', operation: { type: 'delete_file', path: 'a' } },
  },
  computer_call: {
    item: {
      type: 'computer_call',
      id: 'cu_1',
      call_id: 'call_1',
      status: 'completed',
      action: { type: 'screenshot' },
      pending_safety_checks: [],
    },
    name: 'computer',
    input: { actions: [{ type: 'screenshot' }], pendingSafetyChecks: [], status: 'completed' },
  },
  tool_search_call: {
    item: {
      type: 'tool_search_call',
      id: 'ts_1',
      call_id: 'call_1',
      execution: 'client',
      status: 'completed',
      arguments: { goal: 'weather' },
    },
    name: 'tool_search',
    input: { arguments: { goal: 'weather' }, call_id: 'call_1' },
  },
};

it('every kind of hosted item and of client call has a row in these tests', () => {
  expect(Object.keys(HOSTED_ROWS).toSorted(), 'HOSTED_ROWS').toEqual(HOSTED_KINDS.map(({ type }) => type).toSorted());
  // Nobody but the server runs a program.
  expect([...Object.keys(CLIENT_ROWS), 'program'].toSorted(), 'CLIENT_ROWS').toEqual(
    CALL_KINDS.map(({ type }) => type).toSorted(),
  );
});

describe('a tool the server ran', () => {
  it.each(Object.entries(HOSTED_ROWS))(
    '%s is told as a call with its result, once, and goes back as it came',
    async (_, { item, tool, input, result }) => {
      const { parts, content } = await readEvents([
        created,
        added(0, { type: item.type, id: item['id'], status: 'in_progress' }),
        done(0, item),
        done(1, message('Here.')),
        completed({ output: [item, message('Here.')] }),
      ]);
      const calls = partsOf(parts, 'hosted-call');
      expect(calls.map((made) => [made.tool, JSON.parse(made.input)])).toEqual([[tool, input]]);
      expect(partsOf(parts, 'hosted-result')).toEqual([
        { type: 'hosted-result', callId: calls[0]?.callId, tool, result, isError: false },
      ]);
      expect(content).toEqual([{ type: 'item', item }, expect.objectContaining({ type: 'text' })]);
    },
  );

  it.each(Object.entries(HOSTED_ROWS))('%s that stands in the terminal event only is told too', async (_, { item }) => {
    const { parts } = await readEvents([created, completed({ output: [item] })]);
    expect(partsOf(parts, 'hosted-call')).toHaveLength(1);
    expect(partsOf(parts, 'hosted-result')).toHaveLength(1);
  });

  it('that failed is told as an error', async () => {
    const { parts } = await readEvents([
      created,
      done(0, { type: 'web_search_call', id: 'ws_1', status: 'failed', action: { type: 'search' } }),
      done(1, { type: 'mcp_call', id: 'mcp_1', name: 'search', arguments: '{}', error: { message: 'no' } }),
      completed(),
    ]);
    expect(partsOf(parts, 'hosted-result').map((result) => result.isError)).toEqual([true, true]);
  });

  it('that a finished response left unfinished is an error, if it is a search of the web', async () => {
    for (const status of ['in_progress', 'searching']) {
      const item = { type: 'web_search_call', id: 'ws_1', status, action: { type: 'search', query: 'ducks' } };
      const { parts } = await readEvents([created, done(0, item), completed({ output: [item] })]);
      expect(partsOf(parts, 'hosted-result')).toMatchObject([{ isError: true }]);
    }
  });

  it('has each page that it found once, with the title that the answer gives it', async () => {
    const pages = ['https://a.example/', 'https://b.example/?x=1', 'https://c.example/'];
    const sources = pages.map((url) => ({ type: 'url', url }));
    const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', sources } };
    const cited = [`${pages[0]}?utm_source=openai`, `${pages[1]}&utm_source=openai`];
    const annotations = cited.map((url, at) => ({ type: 'url_citation', url, title: `Page ${at}` }));
    const said = { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Ducks.', annotations }] };
    const { parts } = await readEvents([
      created,
      done(0, search),
      done(1, said),
      completed({ output: [search, said] }),
    ]);
    const shown = partsOf(parts, 'source').map((part) => (part.kind === 'url' ? [part.url, part.title] : []));
    expect(shown).toEqual([
      [cited[0], 'Page 0'],
      [cited[1], 'Page 1'],
      [pages[2], undefined],
    ]);
  });

  it('never asks for an answer: the round ends with "stop"', async () => {
    const { result } = await readEvents([
      created,
      ...Object.values(HOSTED_ROWS).map(({ item }, at) => done(at, item)),
      completed(),
    ]);
    expect(result.finishReason).toBe('stop');
    expect(result.content).toHaveLength(Object.keys(HOSTED_ROWS).length);
  });
});

describe('a call the caller has to answer that is no function call', () => {
  it.each(Object.entries(CLIENT_ROWS))(
    '%s is told as a tool call that holds its item',
    async (_, { item, name, input }) => {
      const { calls, content, result } = await readEvents([
        created,
        added(0, { ...item, status: 'in_progress' }),
        done(0, item),
        completed({ output: [item] }),
      ]);
      expect(calls).toEqual([
        { type: 'tool-call', callId: 'call_1', name, arguments: expect.any(String), item, itemId: item['id'] },
      ]);
      expect(JSON.parse(calls[0]?.arguments ?? '')).toEqual(input);
      expect(content).toMatchObject([{ type: 'tool-call', callId: 'call_1', name, item }]);
      expect(result.finishReason).toBe('tool-calls');
    },
  );

  it('has its input in the words of its tool, without what says nothing', async () => {
    const { calls } = await readEvents([
      created,
      done(0, {
        type: 'shell_call',
        id: 'sh_1',
        call_id: 'call_1',
        action: { commands: ['ls'], timeout_ms: 1000, max_output_length: null },
      }),
      done(1, {
        type: 'local_shell_call',
        id: 'lsh_1',
        call_id: 'call_2',
        action: { type: 'exec', command: ['ls'], working_directory: '/pond', env: { MY_NAME: 'duck' } },
      }),
      done(2, {
        type: 'computer_call',
        id: 'cu_1',
        call_id: 'call_3',
        status: 'completed',
        actions: [{ type: 'scroll', x: 1, y: 2, scroll_x: 0, scroll_y: 5, keys: null }],
        pending_safety_checks: [{ id: 'cs_1', code: null, message: 'Careful.' }],
      }),
      completed(),
    ]);
    expect(calls.map((made) => JSON.parse(made.arguments))).toEqual([
      { action: { commands: ['ls'], timeoutMs: 1000 } },
      { action: { type: 'exec', command: ['ls'], workingDirectory: '/pond', env: { MY_NAME: 'duck' } } },
      {
        actions: [{ type: 'scroll', x: 1, y: 2, scrollX: 0, scrollY: 5 }],
        pendingSafetyChecks: [{ id: 'cs_1', message: 'Careful.' }],
        status: 'completed',
      },
    ]);
  });
});

interface ServerRow {
  readonly call: Item;
  readonly output: Item;
  readonly result: JsonValue;
}

const ran = { stdout: 'ok', stderr: '', outcome: { type: 'exit', exit_code: 0 } };
const tools = [{ type: 'function', name: 'weather', defer_loading: true }];

/** One of each kind, as the server ran it itself. */
const SERVER_ROWS: Readonly<Record<string, ServerRow>> = {
  custom_tool_call: {
    call: { type: 'custom_tool_call', id: 'i_1', call_id: 'call_1', name: 'sql', input: 'SELECT 1' },
    output: { type: 'custom_tool_call_output', id: 'o_1', call_id: 'call_1', output: '1 row' },
    result: '1 row',
  },
  local_shell_call: {
    call: { type: 'local_shell_call', id: 'i_1', call_id: 'call_1', action: { type: 'exec', command: ['ls'] } },
    output: { type: 'local_shell_call_output', id: 'o_1', call_id: 'call_1', output: 'a.txt' },
    result: { output: 'a.txt' },
  },
  shell_call: {
    call: { type: 'shell_call', id: 'i_1', call_id: 'call_1', action: { commands: ['ls'] } },
    output: { type: 'shell_call_output', id: 'o_1', call_id: 'call_1', output: [ran], max_output_length: 5 },
    result: {
      maxOutputLength: 5,
      output: [{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exitCode: 0 } }],
    },
  },
  apply_patch_call: {
    call: { type: 'apply_patch_call', id: 'i_1', call_id: 'call_1', operation: { type: 'delete_file', path: 'a' } },
    output: { type: 'apply_patch_call_output', id: 'o_1', call_id: 'call_1', status: 'completed', output: null },
    result: { status: 'completed' },
  },
  computer_call: {
    call: { type: 'computer_call', id: 'i_1', call_id: 'call_1', actions: [{ type: 'wait' }] },
    output: { type: 'computer_call_output', id: 'o_1', call_id: 'call_1', output: { image_url: 'data:,' } },
    result: { output: { imageUrl: 'data:,' } },
  },
  tool_search_call: {
    call: { type: 'tool_search_call', id: 'i_1', call_id: null, execution: 'server', arguments: { paths: ['crm'] } },
    output: { type: 'tool_search_output', id: 'o_1', call_id: null, execution: 'server', tools },
    result: { tools },
  },
  program: {
    call: { type: 'program', id: 'i_1', call_id: 'call_1', code: 'await f()', fingerprint: 'fp' },
    output: { type: 'program_output', id: 'o_1', call_id: 'call_1', result: '7', status: 'completed' },
    result: { result: '7', status: 'completed' },
  },
};

describe('a call whose output is in the response ran at the server', () => {
  it('every kind of call has a row in these tests', () => {
    expect(Object.keys(SERVER_ROWS).toSorted(), 'SERVER_ROWS').toEqual(CALL_KINDS.map(({ type }) => type).toSorted());
  });

  it.each(Object.entries(SERVER_ROWS))(
    '%s has its result, and both items go back, the call before its output',
    async (_, { call: made, output, result }) => {
      const read = await readEvents([created, done(0, made), done(1, output), done(2, message('Done.')), completed()]);
      expect(partsOf(read.parts, 'hosted-result')).toEqual([
        {
          type: 'hosted-result',
          callId: expect.any(String),
          tool: expect.any(String),
          result,
          isError: false,
          item: output,
        },
      ]);
      expect(read.content.slice(0, 2)).toEqual([
        { type: 'item', item: made },
        { type: 'item', item: output },
      ]);
      expect(read.result.finishReason).toBe('stop');
    },
  );

  it.each(Object.entries(SERVER_ROWS))(
    '%s is found by its call id, also where the server gives no ids and no places',
    async (_, { call: made, output, result }) => {
      const bare = ({ id: _id, ...item }: Item) => ({ type: 'response.output_item.done', item });
      const read = await readEvents([created, bare(made), bare(output), completed()]);
      expect(partsOf(read.parts, 'hosted-result')).toMatchObject([{ result }]);
      expect(read.content.map(({ type }) => type)).toEqual(['item', 'item']);
    },
  );

  it.each(Object.entries(SERVER_ROWS))('%s behind its output is no call of the client', async (_, row) => {
    const read = await readEvents([created, done(0, row.output), done(1, row.call), completed()]);
    expect(read.calls).toEqual([]);
    // Until the call comes, it may be one of an earlier response.
    const results = partsOf(read.parts, 'hosted-result').filter(({ isLate }) => isLate !== true);
    expect(results).toMatchObject([{ result: row.result }]);
    expect(read.result.finishReason).toBe('stop');
  });

  it('a shell anywhere but on the client is told so at once, with or without an output', async () => {
    for (const environment of [{ type: 'container_reference', container_id: 'cntr_1' }, { type: 'moon' }]) {
      const made = { ...(SERVER_ROWS['shell_call'] as ServerRow).call, environment };
      const read = await readEvents([created, done(0, made), completed()]);
      expect(read.calls).toEqual([]);
      expect(partsOf(read.parts, 'hosted-call')).toMatchObject([{ tool: 'shell', item: made }]);
      expect(read.result).toMatchObject({ finishReason: 'stop', warnings: [] });
    }
  });

  it('a program is shown at once, with its code, and waits for nobody', async () => {
    const { call: made } = SERVER_ROWS['program'] as ServerRow;
    const read = await readEvents([created, done(0, made), done(1, call('{}')), completed()]);
    expect(partsOf(read.parts, 'hosted-call')).toEqual([
      {
        type: 'hosted-call',
        callId: 'call_1',
        tool: 'programmatic_tool_calling',
        input: '{"code":"await f()","fingerprint":"fp"}',
        item: made,
      },
    ]);
    expect(partsOf(read.parts, 'hosted-result')).toEqual([]);
    expect(read.content[0]).toEqual({ type: 'item', item: made });
    expect(read.result.finishReason).toBe('tool-calls');
  });

  it('what a program gave in a later response is its result, also where it stopped early', async () => {
    const { output } = SERVER_ROWS['program'] as ServerRow;
    const stopped = { ...output, status: 'incomplete' };
    const read = await readEvents([created, done(0, stopped), done(1, message('Done.')), completed()]);
    expect(partsOf(read.parts, 'hosted-result')).toEqual([
      {
        type: 'hosted-result',
        callId: 'call_1',
        tool: 'programmatic_tool_calling',
        result: { result: '7', status: 'incomplete' },
        isError: false,
        item: stopped,
        isLate: true,
      },
    ]);
    expect(read.content[0]).toEqual({ type: 'item', item: stopped });
  });

  it('outputs find their calls in turn, in steps that grow with their number', async () => {
    const { call: made, output } = SERVER_ROWS['tool_search_call'] as ServerRow;
    const count = 2_000;
    const at = Array.from({ length: count }, (_unused, index) => index);
    const read = await readEvents([
      created,
      ...at.map((index) => done(index, { ...made, id: `i_${index}` })),
      ...at.map((index) =>
        done(count + index, { ...output, id: `o_${index}`, tools: [{ type: 'function', name: `f${index}` }] }),
      ),
      completed(),
    ]);
    const names = partsOf(read.parts, 'hosted-call').map(({ callId }) => callId);
    expect(partsOf(read.parts, 'hosted-result').map(({ callId }) => callId)).toEqual(names);
  });
});

describe('items nobody shows', () => {
  it.each<Item>([
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [] },
    { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'search', arguments: '{}' },
    { type: 'openrouter:datetime', id: 'x_1', when: { now: true } },
  ])('$type is kept whole for the next request, in its place', async (item) => {
    const { parts, content } = await readEvents([
      created,
      done(0, item),
      done(1, call('{}')),
      completed({ output: [item, call('{}')] }),
    ]);
    expect(partsOf(parts, 'item')).toEqual([{ type: 'item', item }]);
    expect(content.map((entry) => entry.type)).toEqual(['item', 'tool-call']);
    expect(content[0]).toEqual({ type: 'item', item });
  });

  it('one that was announced and never finished is left out', async () => {
    const { content } = await readEvents([
      created,
      added(0, { type: 'mcp_list_tools', id: 'mcpl_1' }),
      done(1, message('Hi')),
      completed(),
    ]);
    expect(content.map((entry) => entry.type)).toEqual(['text']);
  });
});

describe('items without an index, of which a server forgets to announce some', () => {
  const shell = (id: string): Item => ({ type: 'shell_call', id, call_id: `call_${id}`, action: { commands: [id] } });

  it('a call with another call id does not take the place of one that is open', async () => {
    const { calls } = await readEvents([
      created,
      added(undefined, shell('a')),
      done(undefined, { type: 'mcp_list_tools', id: 'mcpl_1', tools: [] }),
      done(undefined, shell('b')),
      done(undefined, shell('a')),
      completed(),
    ]);
    expect(calls.map(({ callId, itemId }) => [callId, itemId])).toEqual([
      ['call_b', 'b'],
      ['call_a', 'a'],
    ]);
  });

  it('two of one type without any id are two where they say different things, one where they say the same', async () => {
    const program = (code: string): Item => ({ type: 'code_interpreter_call', code });
    const { parts } = await readEvents([
      created,
      done(undefined, program('1')),
      done(undefined, { type: 'mcp_list_tools', tools: [] }),
      done(undefined, program('2')),
      done(undefined, program('2')),
      completed(),
    ]);
    expect(partsOf(parts, 'hosted-call').map(({ input }) => input)).toEqual(['{"code":"1"}', '{"code":"2"}']);
  });
});

describe('an output in a response that does not hold its call', () => {
  const loose: readonly Item[] = [
    { type: 'function_call_output', id: 'o_1' },
    { type: 'function_call_output', id: 'o_1', call_id: 'call_other', output: 'x' },
    { type: 'shell_call_output', id: 'o_1', call_id: 'call_other', output: [] },
    { type: 'tool_search_output', id: 'o_1', call_id: null, tools: [] },
  ];

  it.each(loose)('is left out of what goes back, with a warning: %j', async (item) => {
    const made = call('{}');
    const { content, result } = await readEvents([created, done(0, item), done(1, made), completed()]);
    expect(content).toMatchObject([{ type: 'tool-call', name: 'add' }]);
    expect(result.warnings).toEqual([expect.stringContaining('output of a call that is not in its response')]);
  });

  it('is left out where only a call of another kind has its call id, which stays answered', async () => {
    const custom: Item = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_1', name: 'sql', input: 'x' };
    const output: Item = { type: 'function_call_output', id: 'o_1', call_id: 'call_1', output: 'x' };
    const { content, result } = await readEvents([created, done(0, custom), done(1, output), completed()]);
    expect(content).toMatchObject([{ type: 'tool-call', name: 'sql' }]);
    expect(result.answeredCallIds).toEqual(['call_1']);
    expect(result.warnings).toEqual([expect.stringContaining('output of a call that is not in its response')]);
  });

  it('stays where its call is there, or may be in an earlier response', async () => {
    const pair: readonly Item[] = [
      { type: 'tool_search_call', id: 'ts_1', call_id: null, execution: 'server', arguments: {} },
      { type: 'tool_search_output', id: 'o_1', call_id: null, tools: [] },
      { type: 'program_output', id: 'o_2', call_id: 'call_other', result: '5' },
    ];
    const { content, result } = await readEvents([created, ...pair.map((item, at) => done(at, item)), completed()]);
    expect(content).toEqual(pair.map((item) => ({ type: 'item', item })));
    expect(result.warnings).toEqual([]);
  });
});

describe('a generated image', () => {
  const { item } = HOSTED_ROWS['image_generation_call'] as HostedRow;
  const begun = { ...item, result: null, status: 'in_progress' };
  const partial = (image: unknown, place: JsonObject = { output_index: 0, item_id: 'ig_1' }): ScriptedEvent => ({
    type: 'response.image_generation_call.partial_image',
    ...place,
    partial_image_b64: image as JsonValue,
  });
  const previewsOf = (parts: readonly RoundPart[]) => partsOf(parts, 'hosted-preview').map(({ result }) => result);

  it('is a file part, and its bytes are nowhere else among the parts that are shown', async () => {
    const { parts } = await readEvents([created, added(0, begun), done(0, item), completed()]);
    expect(partsOf(parts, 'file')).toEqual([{ type: 'file', mediaType: 'image/webp', base64: 'QUJD' }]);
    expect(JSON.stringify(partsOf(parts, 'hosted-result'))).not.toContain('QUJD');
  });

  it('is announced when its item is added, and previewed in the form of the result that takes the place of previews', async () => {
    const { parts } = await readEvents([
      created,
      added(0, begun),
      partial('WFla'),
      partial('WVla'),
      done(0, item),
      completed(),
    ]);
    expect(previewsOf(parts)).toEqual([undefined, { result: 'WFla' }, { result: 'WVla' }]);
    expect(new Set(partsOf(parts, 'hosted-preview').map(({ callId }) => callId))).toEqual(new Set(['ig_1']));
    expect(partsOf(parts, 'hosted-result')).toMatchObject([
      { callId: 'ig_1', afterPreviews: { status: 'completed', result: 'QUJD' } },
    ]);
  });

  it('has each preview at its own item where several are made at once, also without an index', async () => {
    for (const at of [(index: number) => ({ output_index: index }), () => ({})]) {
      const second = { ...item, id: 'ig_2' };
      const place = (index: number, id: string): JsonObject => ({ ...at(index), item_id: id });
      const index = (of: number): number | undefined => (at(of) as { output_index?: number }).output_index;
      const { parts } = await readEvents([
        created,
        added(index(0), begun),
        added(index(1), { ...begun, id: 'ig_2' }),
        partial('Mg==', place(1, 'ig_2')),
        partial('MQ==', place(0, 'ig_1')),
        done(index(1), second),
        done(index(0), item),
        completed(),
      ]);
      const shown = partsOf(parts, 'hosted-preview').flatMap(({ callId, result }) =>
        result === undefined ? [] : [[callId, result]],
      );
      expect(shown).toEqual([
        ['ig_2', { result: 'Mg==' }],
        ['ig_1', { result: 'MQ==' }],
      ]);
    }
  });

  it('is previewed where the server forgot to add its item, and is one item with what is done', async () => {
    const { parts, content } = await readEvents([created, partial('WFla'), done(0, item), completed()]);
    expect(previewsOf(parts)).toEqual([{ result: 'WFla' }]);
    expect(partsOf(parts, 'hosted-call').map(({ callId }) => callId)).toEqual(['ig_1']);
    expect(content).toEqual([{ type: 'item', item }]);
  });

  it('is not touched by previews that hold no picture, come too late, or belong to nothing', async () => {
    const plain = await readEvents([created, added(0, begun), done(0, item), completed()]);
    const garbled = [null, 7, '', {}, ['WFla']].map((image) => partial(image));
    const { parts, content, result } = await readEvents([
      created,
      partial('WFla', {}),
      added(0, begun),
      ...garbled,
      partial('WFla', { output_index: 'x' as JsonValue, item_id: 5 }),
      done(0, item),
      partial('WFla'),
      partial('WFla', { output_index: 0, item_id: 'other' }),
      completed(),
    ]);
    expect(previewsOf(parts).filter((one) => one !== undefined)).toEqual([{ result: 'WFla' }]);
    expect(partsOf(parts, 'hosted-call')).toEqual(partsOf(plain.parts, 'hosted-call'));
    expect(content).toEqual(plain.content);
    expect(result.outcome).toBe('completed');
  });

  it('is a PNG where the server does not say', async () => {
    const { parts } = await readEvents([
      created,
      done(0, { type: 'image_generation_call', id: 'ig_1', result: 'QUJD' }),
      completed(),
    ]);
    expect(partsOf(parts, 'file')[0]?.mediaType).toBe('image/png');
  });
});
