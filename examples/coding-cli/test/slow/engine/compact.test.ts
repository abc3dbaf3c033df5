import { expect, test } from 'vitest';

import { startEngine } from '../../support/engine-rig.js';

const said = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? [])
    .filter(({ role }) => role !== 'system')
    .map(({ content }) => (content as { text: string }[]).map(({ text }) => text).join(''));

test('the summary and the last two turns go on, without tools in the request for it, also when resumed', async () => {
  const rig = await startEngine(['A1', 'A2', 'A3', 'They counted.', 'A4']);
  for (const text of ['Q1', 'Q2', 'Q3']) await rig.say(text);
  const id = rig.submit({ type: 'compact' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(rig.data('compaction_complete')).toMatchObject([{ kept_turns: 2 }]);
  expect(rig.data('compaction_started')).toMatchObject([{ by: 'user' }]);
  expect(rig.requests.at(-1)?.body['tools']).toBeUndefined();
  expect(said(rig.requests.at(-1)?.input).slice(0, -1)).toEqual(['Q1', 'A1']);
  await rig.say('Q4');
  const expected = [expect.stringContaining('They counted.'), 'Q2', 'A2', 'Q3', 'A3', 'Q4'];
  expect(said(rig.requests.at(-1)?.input)).toEqual(expected);
  await rig.close();
  const again = await rig.reopen(['A5']);
  await again.say('Q5');
  expect(said(again.requests.at(-1)?.input)).toEqual([...expected, 'A4', 'Q5']);
});

test('at 80 % of the context window it happens by itself, behind the answer', async () => {
  const usage = (input: number) => ({ input_tokens: input, output_tokens: 0, total_tokens: input });
  const answer = (text: string, tokens: number) => ({
    output: [{ type: 'text' as const, text }],
    usage: usage(tokens),
  });
  const rig = await startEngine([answer('A1', 10), answer('A2', 50), answer('A3', 80), 'Short.', answer('A4', 20)], {
    flags: { contextWindow: 100 },
  });
  for (const text of ['Q1', 'Q2', 'Q3', 'Q4']) await rig.say(text);
  expect(rig.data('compaction_complete')).toEqual([{ before_tokens: 80, kept_turns: 2 }]);
  expect(rig.data('compaction_started')).toEqual([{ tokens: 80, by: 'limit' }]);
  const order = rig.events.map(({ msg }) => msg.type).filter((type) => type.startsWith('compaction'));
  expect(order).toEqual(['compaction_started', 'compaction_complete']);
  // The summary costs something, too, and whoever resumes knows it.
  const spent = rig.engine.view.usage;
  expect(spent.input).toBe(10 + 50 + 80 + 10 + 20);
  await rig.close();
  expect((await rig.reopen([])).engine.view.usage).toEqual(spent);
  expect(said(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('Short.'), 'Q2', 'A2', 'Q3', 'A3', 'Q4']);
});

test('a summary that fails costs nothing of the conversation', async () => {
  const { errorReply } = await import('responses-loop/testing');
  const rig = await startEngine(['A1', 'A2', 'A3', errorReply({ status: 400 }), 'A4']);
  for (const text of ['Q1', 'Q2', 'Q3']) await rig.say(text);
  const id = rig.submit({ type: 'compact' });
  await rig.seen('turn_aborted', (_data, event) => event.id === id);
  await rig.say('Q4');
  expect(said(rig.requests.at(-1)?.input)).toEqual(['Q1', 'A1', 'Q2', 'A2', 'Q3', 'A3', 'Q4']);
});

test('with two turns there is nothing to make shorter', async () => {
  const rig = await startEngine(['A1']);
  await rig.say('Q1');
  rig.submit({ type: 'compact' });
  expect(
    await rig.seen('task_complete', (data) => data.last_agent_message.includes('Nothing to compact')),
  ).toBeDefined();
  expect(rig.requests).toHaveLength(1);
});
