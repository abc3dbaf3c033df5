import { writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { call, startEngine } from '../../support/engine-rig.js';

const SLOW = { output: [call('bash', { command: 'touch started; until [ -e go ]; do sleep 0.05; done' })] };
const FLAGS = { flags: { approval: 'never', sandbox: 'danger_full_access' } };
const textsOf = (request: { readonly input: readonly unknown[] } | undefined): string => JSON.stringify(request?.input);

test('what is said while a tool runs is heard in the next round, behind its output', async () => {
  const rig = await startEngine([SLOW, 'I use the other file.'], FLAGS);
  const done = rig.say('Begin');
  await rig.seen('tool_execution_begin');
  const id = rig.submit({ type: 'user_input', text: 'Use the other file.', steer: true });
  rig.submit({ type: 'user_command', command: 'echo later' });
  writeFileSync(`${rig.workspace}/go`, '');
  expect((await done).type).toBe('task_complete');
  expect(rig.requests).toHaveLength(2);
  const input = textsOf(rig.requests[1]);
  expect(input.indexOf('Use the other file.')).toBeGreaterThan(input.indexOf('function_call_output'));
  const heard = rig.events.find((event) => event.id === id);
  expect(heard?.msg).toEqual({ type: 'user_message', data: { text: 'Use the other file.', steered: true } });
  await rig.engine.whenIdle();
  // The next turn has it, and so has the session on disk.
  await rig.close();
  const again = await rig.reopen(['Next.'], FLAGS);
  expect(again.engine.view.history).toContainEqual(heard?.msg);
  await again.say('And now?');
  expect(textsOf(again.requests[0])).toContain('Use the other file.');
});

test('what waits can be taken back, until it has begun', async () => {
  const rig = await startEngine([SLOW, 'Done.'], FLAGS);
  const done = rig.say('Begin');
  await rig.seen('tool_execution_begin');
  const id = rig.submit({ type: 'user_input', text: 'A typo', steer: true });
  rig.submit({ type: 'withdraw', submission_id: id });
  expect(await rig.seen('input_withdrawn')).toEqual({ submission_id: id, text: 'A typo' });
  rig.submit({ type: 'withdraw', submission_id: id });
  expect(await rig.seen('error')).toMatchObject({ code: 'bad_submission' });
  writeFileSync(`${rig.workspace}/go`, '');
  await done;
  expect(textsOf(rig.requests[1])).not.toContain('A typo');
});

test('what no round hears any more is the next task', async () => {
  const rig = await startEngine(['One.', 'Two.']);
  const first = rig.say('First');
  rig.submit({ type: 'user_input', text: 'Second', steer: true });
  await first;
  await rig.seen('agent_message', ({ text }) => text === 'Two.');
  expect(rig.requests).toHaveLength(2);
});
