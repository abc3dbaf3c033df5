import { errorReply, responseEvents } from 'responses-loop/testing';
import { expect, test } from 'vitest';

import { collect, textOf, typesOf } from '../support/collect.js';
import { openAgent } from '../support/failing-model.js';

const soon = { 'retry-after-ms': '1' };
const note = (callId: string) => ({ type: 'call' as const, name: 'note', arguments: { callId }, callId });

test.each([429, 503])('%i and then good: the turn succeeds', async (status) => {
  const { session } = await openAgent([errorReply({ status, headers: soon }), 'Yes.']);
  const events = await collect(session.send('Hello'));
  expect([textOf(events), events.at(-1)?.data]).toEqual(['Yes.', { stopReason: 'end_turn', rounds: 1 }]);
});

test('retries that are spent end the turn with an error, and the session goes on', async () => {
  const busy = errorReply({ status: 503, headers: soon });
  const { session, server } = await openAgent([busy, busy, busy, 'Yes.']);
  const events = await collect(session.send('Hello'));
  expect(typesOf(events)).toEqual(['message_start', 'error', 'message_stop']);
  expect(events[1]?.data).toMatchObject({ isRetryable: true });
  expect(session.state).toBe('idle');
  expect(textOf(await collect(session.send('Again')))).toBe('Yes.');
  expect(session.getMessages().map(({ content }) => content)).toEqual(['Hello', 'Again', 'Yes.']);
  server.assertDone();
});

test('a stream that breaks after a tool ran: no tool runs again, and what was said is kept', async () => {
  const broken = {
    events: responseEvents({ id: 'resp_2', output: [{ type: 'text', text: 'It is done' }], status: 'none' }).slice(
      0,
      4,
    ),
    ending: 'reset' as const,
  };
  const { session, server, ran } = await openAgent([
    { output: [{ type: 'text', text: 'I note it.' }, note('c1')] },
    broken,
    broken,
    broken,
    'Yes.',
  ]);
  const events = await collect(session.send('Note it'));
  expect(typesOf(events).slice(-2)).toEqual(['error', 'message_stop']);
  expect(ran).toEqual([{ callId: 'c1' }]);
  const kept = session.getMessages().map(({ type, content }) => `${type} ${content}`);
  expect(kept.slice(0, 4)).toEqual(['user Note it', 'agent I note it.', 'tool note {"callId":"c1"}', 'tool noted']);
  expect(kept.slice(4).join('')).toBe(
    textOf(events)
      .replace('I note it.', 'agent ')
      .replace(/^agent $/, ''),
  );
  await session.send('Go on');
  expect(ran).toHaveLength(1);
  const input = server.requests.at(-1)?.input ?? [];
  expect(input.filter(({ type }) => type === 'function_call_output')).toMatchObject([
    { call_id: 'c1', output: 'noted' },
  ]);
  expect(input.filter(({ role }) => role === 'user')).toHaveLength(2);
});

test('a stream that breaks in a text keeps the text so far', async () => {
  const { session } = await openAgent([
    {
      events: responseEvents({ output: [{ type: 'text', text: ['One ', 'two ', 'three'] }] }).slice(0, 5),
      ending: 'reset',
    },
    'Yes.',
  ]);
  const said = textOf(await collect(session.send('Count')));
  expect(said).toMatch(/^One /);
  expect(session.getMessages().map(({ content }) => content)).toEqual(['Count', said]);
});

test('an interrupted turn keeps its text and its calls, and the next request holds an output for each', async () => {
  const { session, server } = await openAgent([
    {
      events: responseEvents({ output: [{ type: 'text', text: 'Let me' }, note('c1')] }).slice(0, -1),
      ending: 'stall',
    },
    'Yes.',
  ]);
  const turn = session.send('Hello');
  for await (const event of turn) if (event.type === 'tool_use_stop') void session.interrupt();
  expect((await collect(turn)).at(-1)).toMatchObject({ type: 'interrupted', data: { reason: 'user' } });
  expect(session.getMessages().map(({ type }) => type)).toEqual(['user', 'agent', 'tool', 'tool']);
  expect(textOf(await collect(session.send('Go on')))).toBe('Yes.');
  const input = server.requests.at(-1)?.input ?? [];
  expect(input.filter(({ call_id: id }) => id === 'c1').map(({ type }) => type)).toEqual([
    'function_call',
    'function_call_output',
  ]);
  expect(JSON.stringify(input)).toContain('interrupted');
});
