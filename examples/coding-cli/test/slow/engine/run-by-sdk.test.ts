import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, test } from 'vitest';

import { call, type RigOptions, startEngine, type Steps } from '../../support/engine-rig.js';

const WAYS = ['model', 'sdk'] as const;
const ASKS = { output: [call('bash', { command: 'touch made' }, 'c1')] };

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output);

describe.each(WAYS)('tools that run by the %s', (runTools) => {
  const start = (steps: Steps, options: RigOptions = {}) => startEngine(steps, { ...options, runTools });

  test('run once with a yes, and their events and outputs are the same', async () => {
    const rig = await start([ASKS, 'Made.']);
    const done = rig.say('Make it');
    await rig.seen('exec_approval_request');
    rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
    expect(await done).toMatchObject({ type: 'task_complete', data: { last_agent_message: 'Made.' } });
    expect(existsSync(join(rig.workspace, 'made'))).toBe(true);
    expect(rig.data('tool_execution_begin')).toMatchObject([{ call_id: 'c1', tool_name: 'bash', source: 'local' }]);
    expect(rig.data('tool_execution_end')).toMatchObject([{ call_id: 'c1', success: true, exit_code: 0 }]);
    expect(rig.data('approval_decision')).toMatchObject([{ call_id: 'c1', decision: 'approved', by: 'user' }]);
    expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('exit code 0')]);
  });

  test('do not run with a no, whose reason the model reads', async () => {
    const rig = await start([ASKS, 'Then not.']);
    const done = rig.say('Make it');
    await rig.seen('exec_approval_request');
    rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'denied', reason: 'use another name' });
    expect(await done).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
    expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('use another name')]);
    expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
  });

  test('end their question with the task that is interrupted', async () => {
    const rig = await start([ASKS, 'Here.']);
    const done = rig.say('Make it');
    await rig.seen('exec_approval_request');
    rig.submit({ type: 'interrupt' });
    expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
    expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
  });

  test('stop at --max-turns with an answer', async () => {
    const echo = (text: string) => ({ output: [call('bash', { command: `echo ${text}` }, text)] });
    const rig = await start([echo('1'), echo('2'), 'I had to stop.'], { flags: { maxTurns: 2 } });
    expect(await rig.say('Go on')).toEqual({ type: 'turn_aborted', data: { reason: 'max_turns' } });
    expect(rig.data('agent_message')).toEqual([{ text: 'I had to stop.' }]);
  });

  test('are in the session for the next turn, errors among them', async () => {
    const reads = { output: [call('read', { path: 'nothing-here' }, 'c1')] };
    const rig = await start([reads, 'Not there.', 'Still not.']);
    await rig.say('Read it');
    const [first] = outputs(rig.requests.at(-1)?.input);
    await rig.say('Again?');
    expect(outputs(rig.requests.at(-1)?.input)).toEqual([first]);
    expect(first).toContain('nothing-here');
  });
});
