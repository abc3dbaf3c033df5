import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/core/json.js';
import type { RoundPart } from '../../src/core/part.js';
import { added, completed, created, done } from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

const custom = (input: string, status = 'completed') => ({
  type: 'custom_tool_call',
  id: 'i_1',
  call_id: 'call_1',
  name: 'write_sql',
  input,
  status,
});
const patch = (diff: string, status = 'completed') => ({
  type: 'apply_patch_call',
  id: 'i_1',
  call_id: 'call_1',
  status,
  operation: { type: 'update_file', path: 'a "b".txt', diff },
});

const KINDS = [
  ['custom_tool_call', custom, 'response.custom_tool_call_input.delta'],
  ['apply_patch_call', patch, 'response.apply_patch_call_operation_diff.delta'],
] as const;

const delta = (type: string, text: string) => ({ type, output_index: 0, item_id: 'i_1', delta: text });
const inputIn = (parts: readonly RoundPart[]) =>
  partsOf(parts, 'tool-input-delta')
    .map((part) => part.delta)
    .join('');
const types = (parts: readonly RoundPart[]) => parts.map(({ type }) => type).filter((type) => type.startsWith('tool-'));

/** What a call's input is, once it was streamed: that of a custom tool is a text. */
const asInput = (item: JsonObject, text: string): unknown =>
  item['type'] === 'custom_tool_call' ? text : JSON.parse(text);

describe('the input of a call that is no function call, while it comes', () => {
  it.each(KINDS)('%s: whatever the text is and wherever it is cut, its pieces are the input', async (_, item, type) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }),
        fc.nat(5),
        async (pieces, streamed) => {
          const whole = item(pieces.join(''));
          const { parts, calls } = await readEvents([
            created,
            added(0, item('', 'in_progress')),
            ...pieces.slice(0, streamed).map((text) => delta(type, text)),
            done(0, whole),
            completed(),
          ]);
          expect(asInput(whole, inputIn(parts))).toEqual(JSON.parse(calls[0]?.arguments ?? ''));
          expect(partsOf(parts, 'tool-input-start')).toMatchObject([{ callId: calls[0]?.callId, isItem: true }]);
          expect(types(parts).slice(-2)).toEqual(['tool-input-end', 'tool-call']);
        },
      ),
    );
  });

  it.each(KINDS)('%s: half a surrogate pair in a piece is whole in the input', async (_, item, type) => {
    const whole = item('🦆');
    const { parts } = await readEvents([
      created,
      added(0, item('', 'in_progress')),
      delta(type, '\ud83e'),
      delta(type, '\udd86'),
      done(0, whole),
      completed(),
    ]);
    expect(JSON.stringify(asInput(whole, inputIn(parts)))).toContain('🦆');
  });

  it.each(KINDS)('%s: one that was cut off is closed, and no call', async (_, item, type) => {
    for (const end of [[done(0, item('a', 'incomplete'))], []]) {
      const read = await readEvents([
        created,
        added(0, item('', 'in_progress')),
        delta(type, 'a'),
        ...end,
        completed(),
      ]);
      expect(types(read.parts).filter((name) => name !== 'tool-input-delta')).toEqual([
        'tool-input-start',
        'tool-input-end',
      ]);
      expect(read.calls).toEqual([]);
    }
  });

  it('of a patch that deletes a file is there at once', async () => {
    const item = { ...patch(''), operation: { type: 'delete_file', path: 'a' } };
    const { parts, calls } = await readEvents([created, added(0, item), done(0, item), completed()]);
    expect(inputIn(parts)).toBe(calls[0]?.arguments);
  });

  it('of what the server runs is not streamed', async () => {
    const item = { type: 'tool_search_call', id: 'i_1', call_id: null, execution: 'server', arguments: {} };
    const { parts } = await readEvents([created, added(0, item), done(0, item), completed()]);
    expect(types(parts)).toEqual([]);
  });

  it('for an item that was not announced opens none', async () => {
    const { parts, calls } = await readEvents([
      created,
      ...KINDS.map(([, , type]) => delta(type, 'a')),
      done(0, custom('abc')),
      completed(),
    ]);
    expect(inputIn(parts)).toBe('abc');
    expect(calls).toHaveLength(1);
  });
});
