import { describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import { runsAtServer } from '../../src/items/kinds.js';
import { InputTrimmer } from '../../src/request/trim-input.js';
import type { InputItem } from '../../src/wire/input-item.js';
import { stream } from '../provider/support/talk.js';
import { build } from '../request/support/build.js';
import { added, completed, created, done } from '../stream/support/events.js';
import { partsOf, readEvents } from '../stream/support/read-events.js';
import { rig, waysOf } from '../transport/sockets/rig.js';

// What CONTRIBUTING asks for: a file, and a line in the list.
vi.mock('../../src/items/list.js', async (original) => {
  const { KINDS } = await original<typeof import('../../src/items/list.js')>();
  const { parcel, program, scan } = await import('./made-up-families.js');
  return { KINDS: [...KINDS, parcel, program, scan] };
});

const user = (words: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text: words }] });
const tools = [{ type: 'provider-defined' as const, id: 'openai.parcel' as const, name: 'post', args: {} }];
const CALL = { type: 'parcel_call', id: 'pc_1', call_id: 'call_1', status: 'completed', address: 'Ada "1"' };
const SCANNED = { type: 'scan_call', id: 'sc_1', status: 'completed', code: '42' };

describe('a family that is one file and one line', () => {
  it('is streamed: the input piece by piece, then the call', async () => {
    const begun = { ...CALL, status: 'in_progress', address: '' };
    const delta = (piece: string) => ({
      type: 'response.parcel_call_address.delta',
      output_index: 0,
      item_id: 'pc_1',
      delta: piece,
    });
    const { parts, calls } = await readEvents([
      created,
      added(0, begun),
      delta('Ada '),
      delta('"1'),
      done(0, CALL),
      completed({ output: [CALL] }),
    ]);
    const pieces = partsOf(parts, 'tool-input-delta').map((part) => part.delta);
    expect(pieces).toEqual(['{"address":"', 'Ada ', '\\"1', '\\""}']);
    expect(calls.map(({ name, arguments: input, item }) => [name, input, item])).toEqual([
      ['parcel', '{"address":"Ada \\"1\\""}', CALL],
    ]);
  });

  it('is streamed if the server runs it: a preview, the call and its result', async () => {
    const line = { type: 'response.scan_call.line', output_index: 0, item_id: 'sc_1', line: '4' };
    const { parts, content } = await readEvents([
      created,
      added(0, { ...SCANNED, status: 'in_progress' }),
      line,
      done(0, SCANNED),
      completed({ output: [SCANNED] }),
    ]);
    expect(partsOf(parts, 'hosted-preview').map(({ tool, result }) => [tool, result])).toEqual([
      ['scan', undefined],
      ['scan', { line: '4' }],
    ]);
    expect(partsOf(parts, 'hosted-result')).toMatchObject([
      { tool: 'scan', result: { code: '42' }, afterPreviews: { code: '42', line: '42' } },
    ]);
    expect(content).toEqual([{ type: 'item', item: SCANNED }]);
  });

  it('is declared, shown, answered, sent back and continued over a socket that is kept for it', async () => {
    await using talk = await rig({
      model: (context) =>
        context.length === 1 && JSON.stringify(context).includes('One')
          ? [{ type: 'item', item: CALL }]
          : [{ type: 'text', text: 'Hi.' }],
    });
    const parts = await stream(talk, { prompt: [user('One')], tools });
    expect(talk.server.requests[0]?.body).toMatchObject({
      tools: [{ type: 'function' }, { type: 'parcel', unit: 'kg' }],
      include: expect.arrayContaining(['parcel_call.route']) as unknown,
    });
    const [call] = parts.filter((part) => part.type === 'tool-call');
    expect(call).toMatchObject({ toolName: 'post', input: '{"address":"Ada \\"1\\""}' });
    await stream(talk, { prompt: [user('Other')], tools });
    const { input, providerMetadata, ...shown } = call ?? { input: '', toolName: '' };
    const content = [{ ...shown, input: JSON.parse(input) as JsonObject, providerOptions: providerMetadata }];
    const output = { type: 'text' as const, value: 'R-1' };
    const result = { type: 'tool-result' as const, toolCallId: 'call_1', toolName: 'post', output };
    const prompt = [user('One'), { role: 'assistant', content }, { role: 'tool', content: [result] }];
    await stream(talk, { prompt: prompt as never, tools });
    expect(waysOf(talk)).toEqual(['socket whole', 'socket whole', 'socket +1']);
    expect(talk.server.requests[2]?.context.slice(1)).toEqual([
      CALL,
      { type: 'parcel_call_output', call_id: 'call_1', output: 'R-1' },
    ]);
  });

  it('is read back from parts that another provider wrote', () => {
    const hosted = { type: 'provider-defined', id: 'openai.scan', name: 'scan', args: {} };
    const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'post', input: { address: 'Ada' } };
    const scanned = { type: 'tool-call', toolCallId: 's1', toolName: 'scan', input: {}, providerExecuted: true };
    const found = {
      type: 'tool-result',
      toolCallId: 's1',
      toolName: 'scan',
      output: { type: 'json', value: { code: '42' } },
    };
    const output = {
      type: 'tool-result',
      toolCallId: 'call_1',
      toolName: 'post',
      output: { type: 'text', value: 'R-1' },
    };
    const { input, warnings } = build({
      prompt: [
        user('One'),
        { role: 'assistant', content: [scanned, found, call] },
        { role: 'tool', content: [output] },
      ],
      tools: [...tools, hosted],
    });
    expect(warnings).toEqual([]);
    expect(input.slice(1)).toEqual([
      { type: 'scan_call', status: 'completed', code: '42' },
      { type: 'parcel_call', call_id: 'call_1', status: 'completed', address: 'Ada' },
      { type: 'parcel_call_output', call_id: 'call_1', output: 'R-1' },
    ]);
  });

  it('is trimmed: a note takes the place of an old output', () => {
    const round = (n: number): JsonObject[] => [
      { ...CALL, call_id: `call_${n}` },
      { type: 'parcel_call_output', call_id: `call_${n}`, output: 'x'.repeat(1_000) },
    ];
    // Items are JSON objects.
    const items = [1, 2, 3, 4].flatMap(round) as unknown as InputItem[];
    const trimmer = new InputTrimmer({ maxChars: 4_000, onTrim: () => {}, onStuck: () => {} });
    const [, first] = trimmer.shorten(items, [], 1) as unknown as JsonObject[];
    expect(first).toMatchObject({ type: 'parcel_call_output', call_id: 'call_1' });
    expect(first?.['output']).toContain('left out: 1000 characters');
  });

  it('is not taken for the tool of another family with which its name begins', () => {
    const declared = { id: 'openai.parcel' as const, type: 'programmatic_tool_calling_parcel', name: 'post', args: {} };
    expect(runsAtServer(declared)).toBe(false);
    expect(runsAtServer({ ...declared, type: 'programmatic_tool_calling_2026_01_01' })).toBe(true);
  });

  it('has the shapes of its arguments checked', () => {
    const wrong = [{ ...tools[0], args: { express: 'yes' } }];
    expect(() => build({ prompt: [user('One')], tools: wrong })).toThrow('express');
  });
});
