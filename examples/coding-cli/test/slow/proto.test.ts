import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import { eventsIn, lastTwo, runCoder, startCoder, startWorld } from '../support/run-coder.js';

const ASKS = { output: [call('bash', { command: 'touch made' }, 'c1')] };

test('lines that are no submissions are answered with their id, and everything goes on', async () => {
  const { at, flags } = await startWorld(['Here.']);
  const input = [
    'not json',
    '[]',
    'null',
    '{"id":"a"}',
    '{"id":"b","op":{"type":"fly"}}',
    '{"id":"c","op":{"type":"user_input"}}',
    '{"id":"d","op":{"type":"user_input","text":"x","extra":1}}',
    '{"id":"e","op":{"type":"exec_approval","call_id":"c1","decision":"maybe"}}',
    '{"id":"","op":{"type":"interrupt"}}',
    '{"id":"f","op":{"type":"exec_approval","call_id":"none","decision":"approved"}}',
    '',
    // A line separator of Unicode is no end of a line.
    '{"id":"g","op":{"type":"user_input","text":"one\u2028two"}}',
  ];
  const { code, stdout } = await runCoder([...flags, 'proto'], { ...at, input: `${input.join('\n')}\n` });
  expect(code).toBe(0);
  const events = eventsIn(stdout);
  const refused = events.filter(({ msg }) => msg.type === 'error');
  expect(refused.map(({ id }) => id)).toEqual(['', '', '', 'a', 'b', 'c', 'd', 'e', '', 'f']);
  expect(refused.every(({ msg }) => (msg.data as { code: string }).code === 'bad_submission')).toBe(true);
  expect(events.find(({ msg }) => msg.type === 'user_message')).toMatchObject({
    id: 'g',
    msg: { data: { text: 'one\u2028two' } },
  });
  expect(lastTwo(stdout)).toEqual(['task_complete', 'shutdown_complete']);
});

test('a question is answered over stdin, and the next one is not asked', async () => {
  const again = { output: [call('bash', { command: 'touch other' }, 'c2')] };
  const { at, flags } = await startWorld([ASKS, again, 'Made.']);
  const coder = startCoder([...flags, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Make it' });
  const question = await coder.seen('exec_approval_request');
  expect(question).toMatchObject({ command: 'touch made', class: 'ask', rule: 'bash: touch *' });
  coder.send('s2', { type: 'exec_approval', call_id: question.call_id, decision: 'approved_for_session' });
  expect(await coder.seen('task_complete')).toMatchObject({ denials: 0 });
  expect(existsSync(join(at.cwd, 'made')) && existsSync(join(at.cwd, 'other'))).toBe(true);
  expect(coder.events().filter(({ msg }) => msg.type === 'exec_approval_request')).toHaveLength(1);
});

test('a question without an answer is a no after a while', async () => {
  const { at, flags } = await startWorld([ASKS, 'Not made.']);
  const coder = startCoder([...flags, 'proto'], { ...at, env: { CODER_APPROVAL_TIMEOUT_MS: '200' } });
  coder.send('s1', { type: 'user_input', text: 'Make it' });
  expect(await coder.seen('task_complete')).toMatchObject({ denials: 1 });
  expect(await coder.seen('approval_decision')).toMatchObject({ decision: 'denied', by: 'timeout' });
  expect(existsSync(join(at.cwd, 'made'))).toBe(false);
});

test('at the end of stdin what was sent is worked off, and there is nobody left to ask', async () => {
  const { at, flags } = await startWorld([ASKS, 'Not made.', 'And this.']);
  const lines = ['one', 'two'].map((text, index) =>
    JSON.stringify({ id: `s${index}`, op: { type: 'user_input', text } }),
  );
  const { code, stdout } = await runCoder([...flags, 'proto'], { ...at, input: lines.join('\n') });
  expect(code).toBe(4);
  expect(eventsIn(stdout).filter(({ msg }) => msg.type === 'task_complete')).toHaveLength(2);
  expect(existsSync(join(at.cwd, 'made'))).toBe(false);
});

test('compact and undo are tasks of their own', async () => {
  const { at, flags } = await startWorld(['One.']);
  const coder = startCoder([...flags, 'proto'], at);
  coder.send('s1', { type: 'compact' });
  expect(await coder.seen('task_complete')).toMatchObject({
    last_agent_message: expect.stringContaining('Nothing to compact'),
  });
  coder.send('s2', { type: 'undo' });
  await coder.seen('task_complete', ({ last_agent_message: said }) => said.includes('No turn'));
  coder.send('s3', { type: 'shutdown' });
  expect((await coder.ended).code).toBe(0);
});

test('--schema prints both directions as JSON schema', async () => {
  const { at } = await startWorld([]);
  const { code, stdout } = await runCoder(['proto', '--schema'], at);
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ submission: { type: 'object' }, event: { type: 'object' } });
});
