import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const ASKS = { output: [call('bash', { command: 'touch made' }, 'c1')] };

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output);

test('a call is asked about and runs with a yes; the decision carries the id of the submission', async () => {
  const rig = await startEngine([ASKS, 'Made.']);
  const done = rig.say('Make it');
  const request = await rig.seen('exec_approval_request');
  expect(request).toMatchObject({
    call_id: 'c1',
    tool_name: 'bash',
    command: 'touch made',
    cwd: rig.workspace,
    class: 'ask',
  });
  const id = rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  expect(await done).toMatchObject({ type: 'task_complete', data: { denials: 0 } });
  const decision = rig.events.find(({ msg }) => msg.type === 'approval_decision');
  expect(decision).toMatchObject({ id, msg: { data: { call_id: 'c1', decision: 'approved', by: 'user' } } });
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: true, exit_code: 0 }]);
});

test('a no with a reason is read by the model, and the call does not run', async () => {
  const rig = await startEngine([ASKS, 'Then not.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'denied', reason: 'use another name' });
  expect(await done).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('use another name')]);
  expect(rig.data('tool_execution_begin')).toEqual([]);
});

test('abort ends the task', async () => {
  const rig = await startEngine([ASKS, 'Here.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'abort' });
  expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
  expect(rig.requests).toHaveLength(1);
});

test('an interrupt ends the question with the task', async () => {
  const rig = await startEngine([ASKS, 'Here.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'interrupt' });
  expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
  const late = rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await rig.seen('error', (data, { id }) => id === late && data.code === 'bad_submission');
  expect(rig.data('tool_execution_begin')).toEqual([]);
});

test('what was allowed for the session is not asked about again', async () => {
  const again = { output: [call('bash', { command: 'touch other' }, 'c2')] };
  const rig = await startEngine([ASKS, again, 'Made.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved_for_session' });
  await done;
  expect(rig.data('exec_approval_request')).toHaveLength(1);
  expect(rig.data('approval_decision')).toMatchObject([{ by: 'user' }, { call_id: 'c2', by: 'rule' }]);
  expect(rig.engine.view.rules()).toEqual([{ text: 'bash: touch *', scope: 'session' }]);
  expect(await rig.engine.view.removeRule('bash: touch *')).toBe(true);
  expect(rig.engine.view.rules()).toEqual([]);
});

test('what was allowed always is kept in the folder of the settings, for this workspace', async () => {
  const rig = await startEngine([ASKS, 'Made.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved_always' });
  await done;
  await rig.close();
  const same = await startEngine([ASKS, 'Made.'], { workspace: rig.workspace, home: rig.home });
  await same.say('Make it');
  expect(same.data('approval_decision')).toMatchObject([{ by: 'rule' }]);
  const other = await startEngine([ASKS, 'No.'], { home: rig.home });
  void other.say('Make it');
  expect(await other.seen('exec_approval_request')).toMatchObject({ call_id: 'c1' });
});

test('a rule of an earlier version is named in one session, and then it is gone', async () => {
  const first = await startEngine(['Hello.']);
  const path = join(first.settings.configDir, 'permissions.json');
  await first.close();
  mkdirSync(first.settings.configDir, { recursive: true });
  const folders = { [realpathSync(first.workspace)]: ['bash: git grep *', 'bash: touch *'] };
  writeFileSync(path, JSON.stringify({ version: 1, folders }));
  const place = { workspace: first.workspace, home: first.home };
  const second = await startEngine(['Hello.'], place);
  expect(await second.seen('warning')).toMatchObject({
    code: 'rule_outdated',
    message: expect.stringContaining('"bash: git grep *"'),
  });
  expect(second.engine.view.rules()).toEqual([{ text: 'bash: touch *', scope: 'always' }]);
  await second.close();
  const third = await startEngine(['Hello.'], place);
  await third.say('Hello');
  expect(third.data('warning')).toEqual([]);
});

test('where nobody can be asked it is a no, which is counted', async () => {
  for (const approval of ['never', 'on_request']) {
    const rig = await startEngine([ASKS, 'No.'], { isHeadless: true, flags: { approval } });
    expect(await rig.say('Make it')).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
    expect(rig.data('exec_approval_request')).toEqual([]);
    expect(rig.data('approval_decision')).toMatchObject([{ decision: 'denied', by: 'policy' }]);
  }
});

test('a question that nobody answers in time is a no', async () => {
  const rig = await startEngine([ASKS, 'No.'], { approvalTimeoutMs: 20 });
  expect(await rig.say('Make it')).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
  expect(rig.data('approval_decision')).toMatchObject([{ decision: 'denied', by: 'timeout' }]);
});

test('a command is asked about with the folder that it would run in', async () => {
  const inFolder = { output: [call('bash', { cmd: 'touch made', workdir: 'sub/../sub' }, 'c1')] };
  const rig = await startEngine([inFolder, 'Then not.']);
  mkdirSync(join(rig.workspace, 'sub'));
  const done = rig.say('Make it');
  const request = await rig.seen('exec_approval_request');
  expect(request).toMatchObject({ command: 'touch made', cwd: join(rig.workspace, 'sub') });
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'denied' });
  await done;
});

test('an argument that another tool calls command is not shown as what would run', async () => {
  const odd = { output: [call('read', { path: '/etc/hostname', command: 'ls' }, 'c1')] };
  const rig = await startEngine([odd, 'Then not.']);
  const done = rig.say('Read it');
  const request = await rig.seen('exec_approval_request');
  expect(request).toMatchObject({ tool_name: 'read', arguments: { path: '/etc/hostname' } });
  expect(request).not.toHaveProperty('command');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'denied' });
  await done;
});

test('a call of a tool that is not there is told, and the model reads which there are', async () => {
  const rig = await startEngine([{ output: [call('fly', { to: 'the moon' }, 'c1')] }, 'Then not.']);
  await rig.say('Fly');
  expect(rig.data('tool_execution_begin')).toMatchObject([{ call_id: 'c1', tool_name: 'fly' }]);
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: false, error: expect.stringContaining('bash') }]);
});

test('a file outside of the roots is read once somebody has said yes, and only by that call', async () => {
  const outside = join(newFolder(), 'outside.txt');
  writeFileSync(outside, 'from outside');
  const rig = await startEngine([
    { output: [call('read', { path: outside }, 'c1')] },
    { output: [call('read', { path: outside }, 'c2')] },
    'Read.',
  ]);
  const done = rig.say('Read it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await rig.seen('exec_approval_request', ({ call_id }) => call_id === 'c2');
  rig.submit({ type: 'exec_approval', call_id: 'c2', decision: 'denied' });
  await done;
  const [first, second] = outputs(rig.requests.at(-1)?.input);
  expect(first).toContain('from outside');
  expect(second).toContain('denied');
});

test('a write is asked about with the difference it would make', async () => {
  const rig = await startEngine(
    [{ output: [call('write', { path: 'a.txt', content: 'new line\n' }, 'c1')] }, 'Written.'],
    {
      flags: { approval: 'unless_trusted' },
    },
  );
  const done = rig.say('Write it');
  expect(await rig.seen('exec_approval_request')).toMatchObject({ diff: expect.stringContaining('+new line') });
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await done;
  expect(rig.data('tool_execution_end')).toMatchObject([{ diff: expect.stringContaining('+new line') }]);
  expect(await rig.engine.view.differences()).toMatchObject([
    { name: 'a.txt', text: expect.stringContaining('+new line') },
  ]);
  const id = rig.submit({ type: 'undo' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(false);
  expect(await rig.engine.view.differences()).toEqual([]);
});
