import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, startEngine } from '../../support/engine-rig.js';

const lastInput = (requests: readonly { readonly input: readonly unknown[] }[]): string =>
  JSON.stringify(requests.at(-1)?.input);

test('a command of the person runs unasked, and the model reads it as theirs, also in a session that goes on', async () => {
  const rig = await startEngine(['I see 42.']);
  const id = rig.submit({ type: 'user_command', command: 'echo $((6 * 7)) > made; cat made' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(rig.data('exec_approval_request')).toEqual([]);
  expect(rig.data('approval_decision')).toMatchObject([
    { decision: 'approved', by: 'user', reason: expect.stringMatching(/^ask: /) },
  ]);
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: true, result: 'exit code 0\n42\n', exit_code: 0 }]);
  expect(rig.requests).toHaveLength(0);
  await rig.say('What is it?');
  expect(lastInput(rig.requests)).toContain('I ran this command in the workspace myself');
  expect(lastInput(rig.requests)).toContain(String.raw`exit code 0\n42`);
  await rig.close();
  const again = await rig.reopen(['Still.']);
  expect(again.engine.view.history.map(({ type }) => type)).toEqual([
    'user_message',
    'approval_decision',
    'tool_execution_begin',
    'tool_execution_end',
    'user_message',
    'agent_message',
    'token_count',
  ]);
  await again.say('Really?');
  expect(lastInput(again.requests)).toContain(String.raw`exit code 0\n42`);
});

test('what is forbidden does not run for the person either, and a broken-off one is told as that', async () => {
  const rig = await startEngine(['So be it.']);
  writeFileSync(join(rig.workspace, 'kept'), '');
  const id = rig.submit({ type: 'user_command', command: 'rm -rf .' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(existsSync(join(rig.workspace, 'kept'))).toBe(true);
  expect(rig.data('approval_decision')).toMatchObject([{ decision: 'denied', by: 'policy' }]);
  const slow = rig.submit({ type: 'user_command', command: 'sleep 30' });
  await rig.seen('tool_execution_begin');
  rig.submit({ type: 'interrupt' });
  await rig.seen('turn_aborted', (_data, event) => event.id === slow);
  await rig.say('And?');
  expect(lastInput(rig.requests)).toContain('It did not run: ');
  expect(lastInput(rig.requests)).toContain('(interrupted)');
});

test('a command that is a danger is asked about with the reason, whatever the mode of approval is', async () => {
  const rig = await startEngine(['I see.'], { flags: { approval: 'never' } });
  writeFileSync(join(rig.workspace, 'kept'), '');
  const first = rig.submit({ type: 'user_command', command: 'eval "rm kept"' });
  const asked = await rig.seen('exec_approval_request');
  expect(asked).toMatchObject({ tool_name: 'bash', command: 'eval "rm kept"', class: 'danger', cwd: rig.workspace });
  expect(asked).not.toHaveProperty('rule');
  expect(asked.question).toContain('$ eval "rm kept"');
  expect(existsSync(join(rig.workspace, 'kept'))).toBe(true);
  rig.submit({ type: 'exec_approval', call_id: asked.call_id, decision: 'denied' });
  await rig.seen('task_complete', (_data, event) => event.id === first);
  expect(existsSync(join(rig.workspace, 'kept'))).toBe(true);
  expect(rig.data('tool_execution_begin')).toEqual([]);
  const second = rig.submit({ type: 'user_command', command: 'eval "rm kept"' });
  const again = await rig.seen('exec_approval_request', ({ call_id: id }) => id !== asked.call_id);
  rig.submit({ type: 'exec_approval', call_id: again.call_id, decision: 'approved' });
  await rig.seen('task_complete', (_data, event) => event.id === second);
  expect(existsSync(join(rig.workspace, 'kept'))).toBe(false);
  await rig.say('And?');
  expect(lastInput(rig.requests)).toContain('It did not run: you said no');
});

test('a danger is asked about by nobody where nobody can be asked, and where all is allowed unasked', async () => {
  const silent = await startEngine(['I see.'], { isHeadless: true });
  writeFileSync(join(silent.workspace, 'kept'), '');
  const id = silent.submit({ type: 'user_command', command: 'eval "rm kept"' });
  await silent.seen('task_complete', (_data, event) => event.id === id);
  expect(existsSync(join(silent.workspace, 'kept'))).toBe(true);
  expect(silent.data('approval_decision')).toMatchObject([{ decision: 'denied', by: 'policy' }]);
  const free = await startEngine(['I see.'], { flags: { approval: 'never', sandbox: 'danger_full_access' } });
  writeFileSync(join(free.workspace, 'gone'), '');
  const other = free.submit({ type: 'user_command', command: 'eval "rm gone"' });
  await free.seen('task_complete', (_data, event) => event.id === other);
  expect(free.data('exec_approval_request')).toEqual([]);
  expect(existsSync(join(free.workspace, 'gone'))).toBe(false);
});

test('a mode that is set holds for the next call', async () => {
  const write = { output: [call('write', { path: 'a.txt', content: 'x' })] };
  const rig = await startEngine([write, 'No.', write, 'Yes.']);
  rig.submit({ type: 'set_mode', mode: 'work', approval: 'unless_trusted' });
  const first = rig.say('Write');
  const { call_id: callId } = await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: callId, decision: 'denied' });
  await first;
  expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(false);
  rig.submit({ type: 'set_mode', mode: 'work', approval: 'on_request' });
  await rig.say('Write');
  expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(true);
});

test('all turns from one on are undone together, and not once more', async () => {
  const rig = await startEngine([
    { output: [call('write', { path: 'a.txt', content: 'one' })] },
    '1',
    { output: [call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' })] },
    '2',
  ]);
  await rig.say('first');
  await rig.say('second');
  expect(rig.engine.view.changedSince(1)).toEqual([join(rig.workspace, 'a.txt')]);
  const id = rig.submit({ type: 'undo', from_turn: 1 });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(false);
  expect(rig.engine.view.changedSince(1)).toEqual([]);
  const again = rig.submit({ type: 'undo' });
  expect(await rig.seen('task_complete', (_data, event) => event.id === again)).toMatchObject({
    last_agent_message: expect.stringContaining('No turn has'),
  });
});
