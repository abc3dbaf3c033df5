import { describe, expect, it } from 'vitest';
import { responseBody, type ScriptedStep, responseEvents, encodeEvents } from '../../src/testing.js';
import { brokenRules, finishOf, streamParts, textOf } from './support/parts.js';
import { reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { outputs } from './support/wire.js';
import {
  added,
  argsDelta,
  argsDone,
  call,
  completed,
  created,
  done,
  message,
  textDelta,
} from '../stream/support/events.js';
import { readEvents } from '../stream/support/read-events.js';

const BLANKS = `${' '.repeat(299)}\n`;
const hello = says('resp_1', 'Hello.');

describe('a body that begins with blanks', () => {
  it.each([
    ['an event stream', { bytes: [BLANKS, encodeEvents(responseEvents(hello))] }],
    ['an event stream in one piece', { bytes: BLANKS + Buffer.from(encodeEvents(responseEvents(hello))).toString() }],
    [
      'a JSON body',
      { bytes: BLANKS + JSON.stringify(responseBody(hello)), headers: { 'content-type': 'application/json' } },
    ],
    ['blanks byte by byte', { bytes: [...BLANKS, encodeEvents(responseEvents(hello))] }],
  ] satisfies [string, ScriptedStep][])('is read as %s', async (_name, step) => {
    const { model } = await rig([step]);
    const parts = await streamParts(model);
    expect(brokenRules(parts)).toEqual([]);
    expect(textOf(parts)).toBe('Hello.');
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});

describe('a call whose arguments are no JSON', () => {
  const broken = [
    created,
    added(0, call('', { status: 'in_progress' })),
    argsDelta(0, '{"a":', 'fc_1'),
    argsDone(0, '{"a":', 'fc_1'),
    completed(),
  ];

  it('is told all the same when the server says they are done and its snapshot is empty', async () => {
    const { calls, result } = await readEvents(broken);
    expect(calls).toMatchObject([{ callId: 'call_1', name: 'add', arguments: '{"a":' }]);
    expect(result).toMatchObject({ outcome: 'completed', finishReason: 'tool-calls' });
  });

  it('is answered by the loop, without running the tool', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig([broken, reply(says('resp_2', 'Sorry.'))], { tools: { add } });
    expect(textOf(await streamParts(model))).toBe('Sorry.');
    expect(runs).toEqual([]);
    expect(outputs(requests[1])).toEqual([['call_1', expect.stringContaining('not valid JSON')]]);
  });
});

describe('items that share an index', () => {
  const two = [call('{"a":1}', { id: 'fc_1', call_id: 'call_1' }), call('{"a":2}', { id: 'fc_2', call_id: 'call_2' })];
  const said = (id: string) => message(`I am ${id}.`, { id });

  it.each([
    ['only finished', ([first, second]: typeof two) => [done(0, first!), done(0, second!)]],
    [
      'announced and finished in turn',
      ([first, second]: typeof two) => [
        added(0, { ...first!, arguments: '' }),
        done(0, first!),
        added(0, { ...second!, arguments: '' }),
        done(0, second!),
      ],
    ],
    [
      'finished under one item id',
      ([first, second]: typeof two) => [done(0, first!), done(0, { ...second!, id: 'fc_1' })],
    ],
  ])('are two calls when their call ids differ: %s', async (_name, events) => {
    const { calls, content } = await readEvents([created, ...events(two), completed()]);
    expect(calls.map(({ callId, arguments: text }) => [callId, text])).toEqual([
      ['call_1', '{"a":1}'],
      ['call_2', '{"a":2}'],
    ]);
    expect(content).toHaveLength(2);
  });

  it.each([
    ['only finished', [done(0, said('msg_1')), done(0, said('msg_2'))]],
    [
      'told in deltas',
      [
        textDelta(0, 'I am msg_1.', 'msg_1'),
        done(0, said('msg_1')),
        textDelta(0, 'I am msg_2.', 'msg_2'),
        done(0, said('msg_2')),
      ],
    ],
  ])('are two messages when their ids differ: %s', async (_name, events) => {
    const { texts, content } = await readEvents([created, ...events, completed()]);
    expect(texts).toEqual(['I am msg_1.', 'I am msg_2.']);
    expect(content).toHaveLength(2);
  });

  it('are two messages when only deltas tell of the second', async () => {
    const events = [
      textDelta(0, 'One.', 'msg_1'),
      done(0, message('One.', { id: 'msg_1' })),
      textDelta(0, 'Two.', 'msg_2'),
    ];
    const { texts } = await readEvents([created, ...events, completed()]);
    expect(texts).toEqual(['One.', 'Two.']);
  });

  it('are one call when it is told twice', async () => {
    const { calls } = await readEvents([created, done(0, two[0]!), done(0, two[0]!), completed()]);
    expect(calls).toHaveLength(1);
  });
});

describe('a stream without a terminal event', () => {
  it.each([
    ['a finished message', [done(0, message('Hello.'))], 'completed'],
    ['a finished call', [done(0, call('{"a":1}'))], 'completed'],
    ['a call whose arguments are done', [added(0, call('')), argsDone(0, '{"a":1}', 'fc_1')], 'completed'],
    ['nothing at all', [], 'truncated'],
    ['a message under way', [added(0, message('')), textDelta(0, 'Hel', 'msg_1')], 'truncated'],
    ['a call under way', [added(0, call('')), argsDelta(0, '{"a":1}', 'fc_1')], 'truncated'],
    ['broken arguments', [added(0, call('')), argsDone(0, '{"a":', 'fc_1')], 'truncated'],
    ['a finished call beside a message under way', [done(0, call('{"a":1}')), textDelta(1, 'Hel', 'm')], 'truncated'],
  ])('that ends after %s is seen for what it is', async (_name, events, outcome) => {
    const { result, calls } = await readEvents([created, ...events]);
    expect(result.outcome).toBe(outcome);
    if (outcome === 'truncated') expect(result.finishReason).toBe('error');
    // Only what was complete is a call.
    for (const { arguments: text } of calls) expect(text).toBe('{"a":1}');
    const broken = await readEvents([created, ...events], 'reset');
    expect(broken.result).toMatchObject({ outcome: 'reset', finishReason: 'error' });
  });

  it('has no call in it whose arguments the server had not finished', async () => {
    const { calls } = await readEvents([created, added(0, call('')), argsDelta(0, '{"a":1}', 'fc_1')]);
    expect(calls).toEqual([]);
  });
});
