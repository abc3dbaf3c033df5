import { describe, expect, it } from 'vitest';

import {
  added,
  argsDelta,
  argsDone,
  call,
  completed,
  created,
  done,
  message,
  reasoning,
  textDelta,
  textDone,
  thinkDelta,
} from './support/events.js';
import { partsOf, readEvents } from './support/read-events.js';

describe('ids that change with every event', () => {
  it('tell one text and one call, under the ids that came first', async () => {
    const { texts, calls, content } = await readEvents([
      created,
      added(0, message('', { id: 'msg_a' })),
      {
        type: 'response.content_part.added',
        output_index: 0,
        item_id: 'msg_b',
        content_index: 0,
        part: { type: 'output_text', text: '' },
      },
      textDelta(0, 'Hel', 'msg_c'),
      textDelta(0, 'lo', 'msg_d'),
      textDone(0, 'Hello', 'msg_e'),
      done(0, message('Hello', { id: 'msg_f' })),
      added(1, call('', { id: 'fc_a' })),
      argsDelta(1, '{"a"', 'fc_b'),
      argsDelta(1, ':1}', 'fc_c'),
      argsDone(1, '{"a":1}', 'fc_d'),
      done(1, call('{"a":1}', { id: 'fc_e' })),
      completed({ output: [message('Hello', { id: 'msg_z' }), call('{"a":1}', { id: 'fc_z' })] }),
    ]);
    expect(texts).toEqual(['Hello']);
    expect(calls).toEqual([{ type: 'tool-call', callId: 'call_1', name: 'add', arguments: '{"a":1}', itemId: 'fc_a' }]);
    expect(content.map((item) => item.type)).toEqual(['text', 'tool-call']);
  });

  it('tell each of two messages and two reasoning items once', async () => {
    const { texts, reasoning: thoughts } = await readEvents([
      created,
      added(0, reasoning({ id: 'rs_a' })),
      thinkDelta(0, 'one', 'rs_b'),
      added(1, message('', { id: 'msg_a' })),
      textDelta(1, 'First', 'msg_b'),
      added(2, reasoning({ id: 'rs_c' })),
      thinkDelta(2, 'two', 'rs_d'),
      added(3, message('', { id: 'msg_c' })),
      textDelta(3, 'Second', 'msg_d'),
      completed({
        output: [
          reasoning({ id: 'rs_e', content: [{ type: 'reasoning_text', text: 'one' }] }),
          message('First', { id: 'msg_e' }),
          reasoning({ id: 'rs_f', content: [{ type: 'reasoning_text', text: 'two' }] }),
          message('Second', { id: 'msg_f' }),
        ],
      }),
    ]);
    expect(texts).toEqual(['First', 'Second']);
    expect(thoughts).toEqual(['one', 'two']);
  });

  it('the first call id of a call stays, also when later events name another or none', async () => {
    const { calls } = await readEvents([
      created,
      added(0, call('', { id: null, call_id: 'call_first' })),
      argsDelta(0, '{}'),
      done(0, call('{}', { id: 'fc_x', call_id: 'call_second' })),
      completed({ output: [call('{}', { id: null, call_id: 'call_third' })] }),
    ]);
    expect(calls.map((made) => made.callId)).toEqual(['call_first']);
  });
});

describe('events without an index', () => {
  it('deltas that name the call id instead of an item id reach their calls, also when they interleave', async () => {
    const first = call('', { id: undefined, call_id: 'call_a', name: 'one' });
    const second = call('', { id: undefined, call_id: 'call_b', name: 'two' });
    const { calls } = await readEvents([
      created,
      added(undefined, first),
      argsDelta(undefined, '{"n":', 'call_a'),
      added(undefined, second),
      argsDelta(undefined, '{"m":', 'call_b'),
      argsDelta(undefined, '1}', 'call_a'),
      argsDelta(undefined, '2}', 'call_b'),
      done(undefined, { ...first, arguments: '{"n":1}' }),
      done(undefined, { ...second, arguments: '{"m":2}' }),
      completed({
        output: [
          { ...first, arguments: '{"n":1}' },
          { ...second, arguments: '{"m":2}' },
        ],
      }),
    ]);
    expect(calls.map((made) => [made.callId, made.name, made.arguments])).toEqual([
      ['call_a', 'one', '{"n":1}'],
      ['call_b', 'two', '{"m":2}'],
    ]);
  });

  it('the call id leads to the right one of two calls that were announced before any delta', async () => {
    const { calls } = await readEvents([
      created,
      added(undefined, call('', { id: undefined, call_id: 'call_a' })),
      added(undefined, call('', { id: undefined, call_id: 'call_b' })),
      argsDelta(undefined, '{"n":1}', 'call_a'),
      argsDelta(undefined, '{"n":2}', 'call_b'),
      completed(),
    ]);
    expect(calls.map((made) => [made.callId, made.arguments])).toEqual([
      ['call_a', '{"n":1}'],
      ['call_b', '{"n":2}'],
    ]);
  });

  it('a delta without any address goes to the only open item of its kind, else to the one opened last', async () => {
    const { texts, calls } = await readEvents([
      created,
      added(undefined, message('')),
      textDelta(undefined, 'Hi'),
      added(undefined, call('', { id: 'fc_1', call_id: 'call_1' })),
      argsDelta(undefined, '{"a":1}'),
      added(undefined, call('', { id: 'fc_2', call_id: 'call_2' })),
      argsDelta(undefined, '{"a":2}'),
      textDelta(undefined, ' there'),
      completed(),
    ]);
    expect(texts).toEqual(['Hi there']);
    expect(calls.map((made) => made.arguments)).toEqual(['{"a":1}', '{"a":2}']);
  });
});

describe('an index that two items share', () => {
  it('keeps a message and the call after it apart, although the message is never closed (Ollama)', async () => {
    const { parts, texts, calls, content } = await readEvents([
      created,
      added(0, message('')),
      textDelta(0, 'Let me see.', 'msg_1'),
      added(0, call('')),
      argsDelta(0, '{"a":1}', 'fc_1'),
      argsDone(0, '{"a":1}', 'fc_1'),
      done(0, call('{"a":1}')),
      completed({ output: [call('{"a":1}'), message('Let me see.')] }),
    ]);
    expect(texts).toEqual(['Let me see.']);
    expect(calls.map((made) => made.arguments)).toEqual(['{"a":1}']);
    expect(content.map((item) => item.type)).toEqual(['text', 'tool-call']);
    expect(parts.findIndex((part) => part.type === 'text-end')).toBeLessThan(parts.length - 1);
  });

  it('keeps two calls and two messages apart where a converter numbers every item 0', async () => {
    const { texts, calls } = await readEvents([
      created,
      added(0, message('', { id: 'msg_a' })),
      textDelta(0, 'One', 'msg_a'),
      done(0, message('One', { id: 'msg_a' })),
      added(0, message('', { id: 'msg_b' })),
      textDelta(0, 'Two', 'msg_b'),
      done(0, message('Two', { id: 'msg_b' })),
      added(0, call('', { id: 'fc_a', call_id: 'call_a' })),
      added(0, call('', { id: 'fc_b', call_id: 'call_b' })),
      argsDelta(0, '{"b":1}', 'fc_b'),
      argsDelta(0, '{"a":1}', 'fc_a'),
      completed(),
    ]);
    expect(texts).toEqual(['One', 'Two']);
    expect(calls.map((made) => [made.callId, made.arguments])).toEqual([
      ['call_a', '{"a":1}'],
      ['call_b', '{"b":1}'],
    ]);
  });
});

describe('calls one after the other at one index', () => {
  it('a delta that names the index only belongs to the one that is still open', async () => {
    const { calls } = await readEvents([
      created,
      added(0, call('', { id: 'fc_a', call_id: 'call_a' })),
      argsDelta(0, '{"n":1}'),
      done(0, call('{"n":1}', { id: 'fc_a', call_id: 'call_a' })),
      added(0, call('', { id: 'fc_b', call_id: 'call_b' })),
      argsDelta(0, '{"n":2}'),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual(['{"n":1}', '{"n":2}']);
  });
});

describe('items that live side by side', () => {
  it('finish in any order, each under its own id', async () => {
    const {
      parts,
      texts,
      reasoning: thoughts,
      calls,
      content,
    } = await readEvents([
      created,
      added(0, reasoning()),
      added(1, message('')),
      thinkDelta(0, 'th', 'rs_1'),
      textDelta(1, 'He', 'msg_1'),
      added(2, call('')),
      argsDelta(2, '{"a"', 'fc_1'),
      thinkDelta(0, 'ink', 'rs_1'),
      textDelta(1, 'llo', 'msg_1'),
      argsDelta(2, ':1}', 'fc_1'),
      done(2, call('{"a":1}')),
      done(1, message('Hello')),
      done(0, reasoning({ content: [{ type: 'reasoning_text', text: 'think' }] })),
      completed(),
    ]);
    expect([texts, thoughts]).toEqual([['Hello'], ['think']]);
    expect(calls).toHaveLength(1);
    expect(content.map((item) => item.type)).toEqual(['reasoning', 'text', 'tool-call']);
    const ids = [...partsOf(parts, 'text-start'), ...partsOf(parts, 'reasoning-start')].map((part) => part.id);
    expect(new Set(ids).size).toBe(2);
  });

  it('are kept in the order of their indexes, not in the order they were announced in', async () => {
    const { content } = await readEvents([
      created,
      added(1, call('', { id: 'fc_b', call_id: 'call_b' })),
      added(0, call('', { id: 'fc_a', call_id: 'call_a' })),
      done(1, call('{"n":2}', { id: 'fc_b', call_id: 'call_b' })),
      done(0, call('{"n":1}', { id: 'fc_a', call_id: 'call_a' })),
      completed(),
    ]);
    expect(content.map((item) => (item.type === 'tool-call' ? item.callId : item.type))).toEqual(['call_a', 'call_b']);
  });
});

describe('an item that is announced once more after it was done', () => {
  const whole = [
    added(0, message('', { id: 'msg' })),
    textDelta(0, 'Hello', 'msg'),
    done(0, message('Hello', { id: 'msg' })),
    added(1, call('', { id: 'fc' })),
    argsDone(1, '{"a":1}', 'fc'),
    done(1, call('{"a":1}', { id: 'fc' })),
  ];
  const snapshot = completed({ output: [message('Hello', { id: 'msg' }), call('{"a":1}', { id: 'fc' })] });

  it.each([
    ['with its index', [added(0, message('', { id: 'msg' })), added(1, call('', { id: 'fc' }))]],
    [
      'without an index',
      [
        { type: 'response.output_item.added', item: message('', { id: 'msg' }) },
        { type: 'response.output_item.added', item: call('', { id: 'fc' }) },
      ],
    ],
    ['under another id, with the call id it had', [added(1, call('', { id: 'fc_other' }))]],
  ])('is told once (%s)', async (_name, again) => {
    const { texts, calls } = await readEvents([created, ...whole, ...again, snapshot]);
    expect(texts).toEqual(['Hello']);
    expect(calls.map(({ callId }) => callId)).toEqual(['call_1']);
  });

  it.each([
    ['with one index for all', (event: object) => ({ ...event, output_index: 0 })],
    ['without an index', ({ output_index: _index, ...event }: Record<string, unknown>) => event],
  ])(
    'is another call when its arguments are others, as with relays that give all calls one id (%s)',
    async (_name, bend) => {
      const twice = [
        added(0, call('', { id: 'fc_1' })),
        argsDone(0, '{"a":1}', 'fc_1'),
        done(0, call('{"a":1}', { id: 'fc_1' })),
        added(1, call('', { id: 'fc_2' })),
        argsDelta(1, '{"a":2}', 'fc_2'),
        argsDone(1, '{"a":2}', 'fc_2'),
        done(1, call('{"a":2}', { id: 'fc_2' })),
      ];
      const { calls } = await readEvents([
        created,
        ...twice.map((event) => bend(event) as never),
        completed({ output: [] }),
      ]);
      expect(calls.map((made) => made.arguments)).toEqual(['{"a":1}', '{"a":2}']);
      expect(new Set(calls.map(({ callId }) => callId)).size).toBe(2);
    },
  );

  it('is the same call when everything is sent once more under another id', async () => {
    const again = [
      added(1, call('', { id: 'fc_9' })),
      argsDelta(1, '{"a":1}', 'fc_9'),
      argsDone(1, '{"a":1}', 'fc_9'),
      done(1, call('{"a":1}', { id: 'fc_9' })),
    ];
    const { calls } = await readEvents([created, ...whole, ...again, snapshot]);
    expect(calls).toHaveLength(1);
  });

  it('is another one when new text follows, as with converters that give every item one id', async () => {
    const { texts } = await readEvents([
      created,
      ...whole.slice(0, 3),
      added(0, message('', { id: 'msg' })),
      textDelta(0, 'Again', 'msg'),
      done(0, message('Again', { id: 'msg' })),
      completed({}),
    ]);
    expect(texts).toEqual(['Hello', 'Again']);
  });
});

it('a message that only began, without its announcement, is no finished answer', async () => {
  const { result } = await readEvents([
    created,
    added(0, reasoning({ id: 'rs' })),
    done(0, reasoning({ id: 'rs', content: [{ type: 'reasoning_text', text: 'Hm.' }] })),
    {
      type: 'response.content_part.added',
      output_index: 1,
      item_id: 'msg',
      content_index: 0,
      part: { type: 'output_text', text: '' },
    },
  ]);
  expect(result.outcome).toBe('truncated');
  expect(result.error).toBeDefined();
});

describe('items of tools without ids', () => {
  const search = { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'ducks' } };
  const summary = { type: 'compaction', encrypted_content: 'sealed' };

  it('are each kept once, though only the end names one of another type', async () => {
    const { content } = await readEvents([
      created,
      done(undefined, search),
      completed({ output: [summary, search, { ...search, action: { type: 'search', query: 'geese' } }] }),
    ]);
    expect(content).toEqual([
      { type: 'item', item: search },
      { type: 'item', item: summary },
      { type: 'item', item: { ...search, action: { type: 'search', query: 'geese' } } },
    ]);
  });
});

it('a call without an id does not get that of the next one at its place', async () => {
  const { id: _id, ...first } = call('{"a":1}');
  const { content } = await readEvents([
    created,
    done(0, first),
    done(0, call('{"a":2}', { id: 'fc_2', call_id: 'call_2' })),
    completed(),
  ]);
  expect(content).toEqual([
    { type: 'tool-call', callId: 'call_1', name: 'add', arguments: '{"a":1}' },
    { type: 'tool-call', callId: 'call_2', name: 'add', arguments: '{"a":2}', itemId: 'fc_2' },
  ]);
});
