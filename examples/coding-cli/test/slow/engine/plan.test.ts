import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const PLAN = { output: [call('present_plan', { plan: '# Do it\n1. touch made' }, 'p1')] };
const WRITES = { output: [call('write', { path: 'made', content: 'x' }, 'w1')] };
const flags = { mode: 'plan' };

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output as string);

test('while a plan is made nothing is written, whatever the approval and the rules; what reads runs', async () => {
  const workspace = newFolder();
  writeFileSync(join(workspace, 'a.txt'), 'hello');
  const rig = await startEngine(
    [
      {
        output: [
          call('read', { path: 'a.txt' }, 'r1'),
          call('bash', { command: 'cat a.txt' }, 'b1'),
          call('write', { path: 'made', content: 'x' }, 'w1'),
          call('bash', { command: 'touch made' }, 'b2'),
        ],
      },
      'Read.',
    ],
    {
      workspace,
      flags: {
        ...flags,
        approval: 'never',
        sandbox: 'danger_full_access',
        allow: ['write: in workspace', 'bash: touch *'],
      },
    },
  );
  expect(rig.engine.session.mode).toBe('plan');
  await rig.say('How would you make it?');
  const [read, cat, write, touch] = outputs(rig.requests.at(-1)?.input);
  expect([read, cat]).toEqual([expect.stringContaining('hello'), expect.stringContaining('hello')]);
  expect([write, touch]).toEqual([
    expect.stringContaining('only calls that read'),
    expect.stringContaining('present_plan'),
  ]);
  expect(existsSync(join(workspace, 'made'))).toBe(false);
});

test('an approved plan is followed by work, in the approval that the person chose with it', async () => {
  const rig = await startEngine([PLAN, WRITES, 'Made.'], { flags });
  const done = rig.say('Make it');
  expect(await rig.seen('plan_approval_request')).toEqual({ call_id: 'p1', plan: '# Do it\n1. touch made' });
  const id = rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'approved', approval: 'unless_trusted' });
  await rig.seen('exec_approval_request', ({ call_id }) => call_id === 'w1');
  rig.submit({ type: 'exec_approval', call_id: 'w1', decision: 'approved' });
  expect(await done).toMatchObject({ type: 'task_complete', data: { denials: 0 } });
  expect(rig.events.filter((event) => event.id === id).map(({ msg }) => msg)).toEqual([
    { type: 'plan_decision', data: { call_id: 'p1', decision: 'approved', by: 'user' } },
    { type: 'mode_changed', data: { mode: 'work', approval: 'unless_trusted', by: 'plan' } },
  ]);
  expect(readFileSync(join(rig.workspace, 'made'), 'utf8')).toBe('x');
});

test('a plan that the person changed is the one that the model reads', async () => {
  const rig = await startEngine([PLAN, 'Done.'], { flags });
  const done = rig.say('Make it');
  await rig.seen('plan_approval_request');
  rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'approved', plan: '1. touch other' });
  await done;
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringMatching(/with changes.*1\. touch other$/s)]);
  expect(rig.data('plan_decision')).toEqual([
    { call_id: 'p1', decision: 'approved', by: 'user', plan: '1. touch other' },
  ]);
});

test('a plan that is rejected leaves only reading, and the model reads why', async () => {
  const rig = await startEngine([PLAN, WRITES, 'Not made.'], { flags });
  const done = rig.say('Make it');
  await rig.seen('plan_approval_request');
  rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'rejected', reason: 'too short' });
  await done;
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([
    expect.stringContaining('too short'),
    expect.stringContaining('only calls that read'),
  ]);
  expect(rig.data('mode_changed')).toEqual([]);
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test('abort ends the task with the plan, and an answer to no plan is refused', async () => {
  const rig = await startEngine([PLAN], { flags });
  const done = rig.say('Make it');
  await rig.seen('plan_approval_request');
  rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'abort' });
  expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
  const late = rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'approved' });
  await rig.seen('error', (data, { id }) => id === late && data.code === 'bad_submission');
  expect(rig.data('mode_changed')).toEqual([]);
});

test('where nobody can be asked the plan is the answer, and nothing is written', async () => {
  const rig = await startEngine([PLAN, WRITES, 'The plan: touch made.'], { flags, isHeadless: true });
  expect(await rig.say('Make it')).toMatchObject({ type: 'task_complete' });
  expect(outputs(rig.requests[1]?.input)).toEqual([expect.stringContaining('final answer')]);
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test('a silence is a no, and so is an end of the input', async () => {
  const rig = await startEngine([PLAN, 'Waiting.', PLAN, 'Waiting.'], { flags, approvalTimeoutMs: 1 });
  await rig.say('Make it');
  expect(rig.data('plan_decision')).toMatchObject([{ decision: 'rejected', by: 'timeout' }]);
  rig.engine.noMoreAnswers();
  await rig.say('Make it');
  expect(rig.data('plan_decision').at(-1)).toMatchObject({ decision: 'rejected', by: 'timeout' });
});

test('the mode changes at once, also while a task runs, and what was said in it is sent again as it was', async () => {
  const rig = await startEngine(['Read.', PLAN, WRITES, 'Made.', 'And on.']);
  const id = rig.submit({ type: 'set_mode', mode: 'plan', approval: 'on_request' });
  expect(await rig.seen('mode_changed', (_data, event) => event.id === id)).toEqual({
    mode: 'plan',
    approval: 'on_request',
    by: 'user',
  });
  await rig.say('Plan it');
  const done = rig.say('Now');
  await rig.seen('plan_approval_request');
  rig.submit({ type: 'set_mode', mode: 'work' });
  rig.submit({ type: 'plan_approval', call_id: 'p1', decision: 'approved' });
  await done;
  expect(existsSync(join(rig.workspace, 'made'))).toBe(true);
  const first = JSON.stringify(rig.requests.at(-1)?.input.slice(0, 4));
  expect(first).toContain('The person wants a plan');
  await rig.close();
  const again = await rig.reopen(['Again.']);
  await again.say('Go on');
  expect(JSON.stringify(again.requests[0]?.input.slice(0, 4))).toBe(first);
});
