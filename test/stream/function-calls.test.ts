import { describe, expect, it } from 'vitest';

import type { ScriptedEvent } from '../../src/testing.js';
import { added, argsDelta, argsDone, call, completed, created, done, message } from './support/events.js';
import { readEvents, streamedInput } from './support/read-events.js';

const ARGS = '{"a":1}';

const DONE_ONLY: Readonly<Record<string, readonly ScriptedEvent[]>> = {
  'arguments.done': [added(0, call('')), argsDone(0, ARGS, 'fc_1'), completed()],
  'output_item.done': [added(0, call('')), done(0, call(ARGS)), completed()],
  'output_item.done without output_item.added': [done(0, call(ARGS)), completed()],
  'output_item.added (OpenClaw)': [added(0, call(ARGS)), done(0, call(ARGS)), completed()],
  'output_item.added and nothing after it': [added(0, call(ARGS)), completed()],
  'the terminal event': [added(0, call('')), completed({ output: [call(ARGS)] })],
  'the terminal event, unannounced': [completed({ output: [call(ARGS)] })],
};

describe('arguments that were never streamed', () => {
  it.each(Object.entries(DONE_ONLY))('are taken whole from %s', async (_, events) => {
    const { parts, calls, result } = await readEvents([created, ...events]);
    expect(calls.map((made) => [made.callId, made.name, made.arguments])).toEqual([['call_1', 'add', ARGS]]);
    expect(streamedInput(parts, 'call_1')).toBe(ARGS);
    expect(result.finishReason).toBe('tool-calls');
  });

  it('may be an object instead of a text', async () => {
    const { calls } = await readEvents([created, done(0, call('', { arguments: { a: 1 } })), completed()]);
    expect(calls[0]?.arguments).toBe(ARGS);
  });
});

const UNFINISHED: Readonly<Record<string, readonly ScriptedEvent[]>> = {
  'output_item.done is missing': [added(0, call('')), argsDelta(0, ARGS, 'fc_1'), argsDone(0, ARGS, 'fc_1')],
  'arguments.done is missing': [added(0, call('')), argsDelta(0, ARGS, 'fc_1'), done(0, call(ARGS))],
  'both are missing': [added(0, call('')), argsDelta(0, ARGS, 'fc_1')],
  'output_item.added is missing': [argsDelta(0, '{"a"', 'fc_1'), argsDelta(0, ':1}', 'fc_1'), done(0, call(ARGS))],
};

describe('a call of which something is missing', () => {
  it.each(Object.entries(UNFINISHED))('is told once when %s', async (_, events) => {
    const { parts, calls } = await readEvents([created, ...events, completed()]);
    expect(calls.map((made) => [made.callId, made.name, made.arguments])).toEqual([['call_1', 'add', ARGS]]);
    expect(streamedInput(parts, 'call_1')).toBe(ARGS);
  });

  it.each([
    ['an empty text', ''],
    ['null', null],
  ])('is told with no arguments where the server sends %s', async (_, empty) => {
    const { calls } = await readEvents([
      created,
      added(0, call('', { arguments: empty })),
      done(0, call('', { arguments: empty })),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual(['']);
  });

  it('is told with an empty name where none ever came, so that it is answered', async () => {
    const { calls } = await readEvents([created, done(0, call(ARGS, { name: undefined })), completed()]);
    expect(calls.map((made) => [made.name, made.arguments])).toEqual([['', ARGS]]);
  });
});

describe('deltas that are not the arguments', () => {
  it('ciphertext gives way to the text of output_item.done', async () => {
    const { calls, content } = await readEvents([
      created,
      added(0, call('')),
      argsDelta(0, 'Zm9vYmFy', 'fc_1'),
      argsDone(0, 'Zm9vYmFy', 'fc_1'),
      done(0, call(ARGS)),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual([ARGS]);
    expect(content).toMatchObject([{ type: 'tool-call', arguments: ARGS }]);
  });

  it('ciphertext gives way to the text of arguments.done', async () => {
    const { calls } = await readEvents([
      created,
      added(0, call('')),
      argsDelta(0, 'Zm9v', 'fc_1'),
      argsDone(0, ARGS, 'fc_1'),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual([ARGS]);
  });

  it('a tail that is missing (vLLM) is filled in from the item', async () => {
    const { parts, calls } = await readEvents([
      created,
      added(0, call('')),
      argsDelta(0, '{"a":', 'fc_1'),
      done(0, call(ARGS)),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual([ARGS]);
    expect(streamedInput(parts, 'call_1')).toBe(ARGS);
  });

  it('good deltas stand where the item repeats them cut short', async () => {
    const { calls } = await readEvents([
      created,
      added(0, call('')),
      argsDelta(0, ARGS, 'fc_1'),
      done(0, call('{"a')),
      completed(),
    ]);
    expect(calls.map((made) => made.arguments)).toEqual([ARGS]);
  });
});

describe('call ids', () => {
  it('two calls with one id get ids of their own, the same for the same bytes, and keep the one on the wire', async () => {
    const events = [
      created,
      done(0, call('{"n":1}', { id: 'fc_a', call_id: 'add' })),
      done(1, call('{"n":2}', { id: 'fc_b', call_id: 'add' })),
      completed(),
    ];
    const { calls } = await readEvents(events);
    expect(calls.map((made) => made.arguments)).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(calls.map((made) => made.callId)).size).toBe(2);
    expect(calls.map((made) => made.wireCallId ?? made.callId)).toEqual(['add', 'add']);
    expect((await readEvents(events)).calls).toEqual(calls);
  });

  it.each([
    ['empty', ''],
    ['null', null],
    ['missing', undefined],
  ])('an id that is %s is made up, one per call', async (_, callId) => {
    const { calls } = await readEvents([
      created,
      done(0, call('{"n":1}', { id: 'fc_a', call_id: callId })),
      done(1, call('{"n":2}', { id: 'fc_b', call_id: callId })),
      completed(),
    ]);
    const ids = calls.map((made) => made.callId);
    expect(new Set(ids).size).toBe(2);
    expect(ids).not.toContain('');
  });
});

describe('two calls with one id, nowhere but in the finished items', () => {
  const first = call('{"n":1}', { id: undefined, call_id: 'add' });
  const second = call('{"n":2}', { id: undefined, call_id: 'add' });

  it.each([
    ['output_item.done without an index', [done(undefined, first), done(undefined, second), completed()]],
    ['the terminal event', [completed({ output: [first, second] })]],
    ['both', [done(0, first), done(1, second), completed({ output: [first, second] })]],
  ])('are both told from %s', async (_, events) => {
    const { calls } = await readEvents([created, ...events]);
    expect(calls.map((made) => made.arguments)).toEqual(['{"n":1}', '{"n":2}']);
    expect(new Set(calls.map((made) => made.callId)).size).toBe(2);
  });
});

describe('a call the response itself answers (Mastra)', () => {
  it('is marked as answered, and its output stands in the conversation', async () => {
    const { result, content } = await readEvents([
      created,
      done(0, call(ARGS)),
      done(1, { type: 'function_call_output', id: 'fco_1', call_id: 'call_1', output: '7' }),
      done(2, message('It is 7.')),
      completed(),
    ]);
    expect(result.answeredCallIds).toEqual(['call_1']);
    expect(content).toMatchObject([
      { type: 'tool-call', callId: 'call_1' },
      { type: 'tool-result', callId: 'call_1', output: { isError: false, content: [{ type: 'text', text: '7' }] } },
      { type: 'text', text: 'It is 7.' },
    ]);
  });

  it('also where call and output stand in the terminal event only, and the output is no text', async () => {
    const output = {
      type: 'function_call_output',
      call_id: 'call_1',
      output: [{ type: 'output_text', text: 'seven' }],
    };
    const { result } = await readEvents([created, completed({ output: [call(ARGS), output] })]);
    expect(result.answeredCallIds).toEqual(['call_1']);
  });
});
