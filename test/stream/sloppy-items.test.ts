import { describe, expect, it } from 'vitest';

import type { JsonObject } from '../../src/core/json.js';
import type { ScriptedEvent } from '../../src/testing.js';
import { added, argsDelta, argsDone, call, completed, created, done } from './support/events.js';
import { readEvents } from './support/read-events.js';

type Item = JsonObject & { readonly type: string };

function shell(command: string, more: JsonObject = {}): Item {
  return { type: 'shell_call', action: { commands: [command] }, ...more };
}

const shellInput = (command: string): string => JSON.stringify({ action: { commands: [command] } });

async function argumentsOf(...events: readonly ScriptedEvent[]): Promise<string[]> {
  const { calls } = await readEvents([created, ...events, completed()]);
  return calls.map((made) => made.arguments);
}

describe('calls that are only finished, all at one index', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['with ids and call ids of their own', { id: 'a', call_id: 'call_a' }, { id: 'b', call_id: 'call_b' }],
    ['with ids of their own', { id: 'a' }, { id: 'b' }],
    ['with call ids of their own', { call_id: 'call_a' }, { call_id: 'call_b' }],
    ['with one id for all', { id: 'a' }, { id: 'a' }],
    ['with one call id for all', { call_id: 'call_a' }, { call_id: 'call_a' }],
    ['with one id and one call id for all', { id: 'a', call_id: 'call_a' }, { id: 'a', call_id: 'call_a' }],
    ['without ids', {}, {}],
  ])('are each kept (%s)', async (_name, a, b) => {
    const { id: _id, call_id: _callId, ...bare } = call('');
    const functions = [a, b].map((ids, n) => done(0, { ...bare, arguments: `{"n":${n}}`, ...ids }));
    const shells = [a, b].map((ids, n) => done(0, shell(String(n), ids)));
    expect(await argumentsOf(...functions)).toEqual(['{"n":0}', '{"n":1}']);
    expect(await argumentsOf(...shells)).toEqual([shellInput('0'), shellInput('1')]);
  });

  it.each(['{ "n": 0, "m": 1 }', '{"m":1,"n":0}', '', '{"n":0,'])(
    'are one call where it comes again as %j',
    async (text) => {
      const again = [call('{"n":0,"m":1}'), call(text)].map((item) => done(0, item));
      expect(await argumentsOf(...again)).toEqual(['{"n":0,"m":1}']);
    },
  );

  it('are each kept although they ask for the same, under ids of their own', async () => {
    const { call_id: _callId, ...bare } = call('{}');
    expect(await argumentsOf(done(0, { ...bare, id: 'a' }), done(0, { ...bare, id: 'b' }))).toEqual(['{}', '{}']);
    expect(await argumentsOf(done(0, shell('ls', { id: 'a' })), done(0, shell('ls', { id: 'b' })))).toHaveLength(2);
  });

  it('are one where a server says the same item twice, also under another id or with another status', async () => {
    const again = { id: 'b', call_id: 'call_1' };
    expect(await argumentsOf(done(0, call('{"a":1}')), done(0, call('{"a":1}', again)))).toHaveLength(1);
    const first = shell('ls', { id: 'a', call_id: 'call_1', status: 'in_progress' });
    expect(await argumentsOf(done(0, first), done(0, shell('ls', { ...again, status: 'completed' })))).toHaveLength(1);
  });

  it('are one where the item is said once more and cut off', async () => {
    expect(await argumentsOf(done(0, call('{"a":1}')), done(0, call('{"a":')))).toEqual(['{"a":1}']);
  });

  it('are one where the item is said twice in other words than its arguments were', async () => {
    const whole = call('{"a": 1}');
    expect(await argumentsOf(added(0, call('')), argsDone(0, '{"a":1}'), done(0, whole), done(0, whole))).toEqual([
      '{"a":1}',
    ]);
  });
});

it('a call whose arguments come without any address is made once, though its item is at the place of another', async () => {
  const args = ['{"n":0}', '{"n":1}'];
  const events = args.flatMap((text) => {
    const item = { id: 'same', call_id: undefined };
    return [added(0, call('', item)), argsDelta(undefined, text), argsDone(undefined, text), done(0, call(text, item))];
  });
  // The first is announced; the second has its name from its last event only.
  const named = { ...argsDone(undefined, '{"n":1}'), name: 'add' };
  expect(await argumentsOf(...events.with(6, named))).toEqual(args);
});

describe('calls one after the other with call ids of their own and one id for all', () => {
  const ids = (n: number): JsonObject => ({ id: 'same', call_id: `call_${n}`, name: `tool_${n}` });
  const args = ['{"n":0}', '{"n":1}'];

  it('are each made once, although their arguments come under the call id', async () => {
    const { calls } = await readEvents([
      created,
      ...args.flatMap((text, n) => [
        added(undefined, call('', ids(n))),
        { ...argsDelta(undefined, text), call_id: `call_${n}` },
        done(undefined, call(text, ids(n))),
      ]),
      completed({ output: args.map((text, n) => call(text, ids(n))) }),
    ]);
    expect(calls.map((made) => [made.name, made.arguments])).toEqual(args.map((text, n) => [`tool_${n}`, text]));
  });

  it('are each made where they come side by side', async () => {
    const { calls } = await readEvents([
      created,
      ...args.map((_text, n) => added(0, call('', ids(n)))),
      ...args.map((text, n) => ({ ...argsDelta(0, text, 'same'), call_id: `call_${n}` })),
      completed({ output: args.map((text, n) => call(text, ids(n))) }),
    ]);
    expect(calls.map((made) => [made.name, made.arguments])).toEqual(args.map((text, n) => [`tool_${n}`, text]));
  });

  it('are each made where a server only announces them whole', async () => {
    const announced = args.map((text, n) => added(0, call(text, ids(n))));
    expect(await argumentsOf(...announced)).toEqual(args);
  });
});

it('a second call that the server ran itself under a call id that came before does not run again', async () => {
  const search = (q: string): Item => ({
    type: 'tool_search_call',
    call_id: 'c',
    execution: 'client',
    arguments: { q },
  });
  const found: Item = { type: 'tool_search_output', call_id: 'c', tools: [] };
  const { result, calls } = await readEvents([
    created,
    ...[search('a'), found, search('b'), found].map((item, n) => done(0, { ...item, id: `item_${n}` })),
    completed(),
  ]);
  expect(calls.map((made) => made.arguments)).toHaveLength(2);
  expect(result.finishReason).toBe('stop');
});

describe('a snapshot with one id for all', () => {
  it.each([[[0, 1]], [[1, 0]]])('finishes each call at its place (announced in the order %j)', async (order) => {
    const custom = (n: string): Item => ({ type: 'custom_tool_call', id: 'same', name: 'sql', input: n });
    const output = [custom('0'), custom('1')];
    const announced = order.map((index) => added(index, custom('')));
    const { content } = await readEvents([created, ...announced, completed({ output })]);
    expect(content).toMatchObject([{ arguments: '"0"' }, { arguments: '"1"' }]);
  });

  it('finishes a call that is open, where another one was finished before it', async () => {
    const custom = (n: string): Item => ({ type: 'custom_tool_call', id: 'same', name: 'sql', input: n });
    const { calls } = await readEvents([
      created,
      added(1, custom('')),
      done(0, custom('0')),
      { type: 'response.custom_tool_call_input.delta', output_index: 1, item_id: 'same', delta: '1' },
      completed({ output: [custom('0'), custom('1')] }),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual(['"0"', '"1"']);
  });
});
