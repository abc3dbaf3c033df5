import { describe, expect, it } from 'vitest';

import type { JsonObject, JsonValue } from '../../src/core/json.js';
import { CLIENT_CALLS, HOSTED } from '../../src/stream/handlers/hosted-items.js';
import { added, call, completed, created, done, message } from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

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
  tool_search_call: {
    item: {
      type: 'tool_search_call',
      id: 'ts_1',
      status: 'completed',
      execution: 'server',
      arguments: { paths: ['crm'] },
    },
    tool: 'tool_search',
    input: { arguments: { paths: ['crm'] }, execution: 'server' },
    result: { status: 'completed', execution: 'server' },
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
    input: { action: { type: 'screenshot' }, pending_safety_checks: [] },
  },
};

it('every kind of hosted item and of client call has a row in these tests', () => {
  expect(Object.keys(HOSTED_ROWS).toSorted()).toEqual(Object.keys(HOSTED).toSorted());
  expect(Object.keys(CLIENT_ROWS).toSorted()).toEqual(Object.keys(CLIENT_CALLS).toSorted());
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

  it('is settled when the response holds its output (a shell at the server)', async () => {
    const { item } = CLIENT_ROWS['shell_call'] as ClientRow;
    const { result } = await readEvents([
      created,
      done(0, item),
      done(1, { type: 'shell_call_output', call_id: 'call_1', output: [] }),
      completed(),
    ]);
    expect(result.answeredCallIds).toEqual(['call_1']);
  });
});

describe('items nobody shows', () => {
  it.each<Item>([
    { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' },
    { type: 'mcp_list_tools', id: 'mcpl_1', server_label: 'docs', tools: [] },
    { type: 'mcp_approval_request', id: 'mcpr_1', server_label: 'docs', name: 'search', arguments: '{}' },
    { type: 'program', id: 'prg_1', call_id: 'call_p', code: '1+1' },
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

describe('a generated image', () => {
  it('is a file part, and its bytes are nowhere else among the parts that are shown', async () => {
    const { item } = HOSTED_ROWS['image_generation_call'] as HostedRow;
    const partial = {
      type: 'response.image_generation_call.partial_image',
      output_index: 0,
      item_id: 'ig_1',
      partial_image_b64: 'WFla',
    };
    const { parts } = await readEvents([
      created,
      added(0, { ...item, result: null }),
      partial,
      done(0, item),
      completed(),
    ]);
    expect(partsOf(parts, 'file')).toEqual([{ type: 'file', mediaType: 'image/webp', base64: 'QUJD' }]);
    expect(JSON.stringify(partsOf(parts, 'hosted-result'))).not.toContain('QUJD');
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
