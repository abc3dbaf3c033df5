import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, startEngine } from '../support/engine-rig.js';
import { newFolder } from '../support/folders.js';

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output);

test.each([
  ['bash', { cmd: 'touch made' }],
  ['bash', { command: 'touch made' }],
])('%s %j is asked about, and does not run when it is denied', async (name, input) => {
  const rig = await startEngine([{ output: [call(name, input, 'c1')] }, 'Then not.']);
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'denied' });
  expect(await done).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test.each([
  ['bash', { cmd: 'rm -rf /' }],
  ['bash', { command: 'ls', cmd: 'rm -rf /' }],
  ['bash', { cmd: 'git push' }],
])('%s %j is judged by what would run', async (name, input) => {
  const rig = await startEngine([{ output: [call(name, input, 'c1')] }, 'So.'], {
    flags: { approval: 'on_failure' },
    isHeadless: true,
  });
  await rig.say('Do it');
  const [begun] = rig.data('tool_execution_begin');
  expect([begun, rig.data('approval_decision')[0]?.decision]).toEqual(
    'command' in input ? [expect.anything(), 'approved'] : [undefined, 'denied'],
  );
});

test('parameters by the names of other programs do what ours do, and no more', async () => {
  const secret = join(newFolder(), 'secret');
  writeFileSync(secret, 'key');
  const rig = await startEngine(
    [
      { output: [call('write', { filepath: 'a', content: 'one\n' }, 'c1')] },
      { output: [call('read', { file_path: 'a' }, 'c2')] },
      { output: [call('read', { file_path: secret }, 'c3')] },
      { output: [call('read', { filepath: secret }, 'c4')] },
      { output: [call('edit', { filepath: '.git/config', old_string: '', new_string: 'x' }, 'c5')] },
      'Done.',
    ],
    { isHeadless: true },
  );
  await rig.say('Go');
  const said = outputs(rig.requests.at(-1)?.input).map(String);
  expect(said).toEqual([
    expect.stringContaining('Made a'),
    expect.stringContaining('1\tone'),
    expect.stringContaining('outside'),
    expect.stringContaining('outside'),
    expect.stringContaining('never written'),
  ]);
  expect(said.join('')).not.toContain('key\n');
});
