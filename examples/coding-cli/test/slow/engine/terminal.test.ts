import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { livingIn, until } from '../../../../shared/test/helpers/processes.js';
import { expect, test } from 'vitest';
import { call, type Rig, startEngine } from '../../support/engine-rig.js';

const outputsOf = ({ requests }: Rig): string[] =>
  (requests.at(-1)?.input ?? []).flatMap(({ type, output }) =>
    type === 'function_call_output' ? [output as string] : [],
  );

test('a command goes on between calls and turns, and each text for it is asked about whole, with the program that gets it', async () => {
  const cmd = 'read name; echo "hello $name"; read more; echo "$more" > made';
  const rig = await startEngine([
    { output: [call('exec_command', { cmd, yield_time_ms: 1 }, 'c1')] },
    { output: [call('write_stdin', { session_id: 1, chars: 'duck\n', yield_time_ms: 300_000 }, 'c2')] },
    'It waits.',
    { output: [call('write_stdin', { session_id: 1, chars: 'x\n', yield_time_ms: 300_000 }, 'c3')] },
    { output: [call('write_stdin', { session_id: 1 }, 'c4')] },
    'Done.',
  ]);
  rig.submit({ type: 'user_input', text: 'Go' });
  const [started, typed] = [await asked(rig, 'c1'), rig.seen('exec_approval_request', isOf('c2'))];
  expect(started).toMatchObject({ command: cmd, class: 'ask' });
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  expect(await typed).toMatchObject({
    reason: `it types into terminal 1, where ${JSON.stringify(cmd)} runs`,
    question: expect.stringContaining(String.raw`"chars": "duck\n"`),
  });
  expect(await typed).not.toHaveProperty('rule');
  rig.submit({ type: 'exec_approval', call_id: 'c2', decision: 'approved' });
  await rig.seen('tool_execution_progress', ({ output }) => output?.includes('hello duck') === true);
  // The wait is long; nobody who reads the test wants to wait for it.
  rig.submit({ type: 'interrupt' });
  await rig.seen('turn_aborted');
  expect(livingIn(rig.workspace)).toEqual([]);
  await rig.close();
});

test('a terminal lives until it ends, over turns, and its end is an exit code', async () => {
  const rig = await startEngine(
    [
      { output: [call('exec_command', { cmd: 'read x; echo "got $x"; exit 3', yield_time_ms: 1 }, 'c1')] },
      'It waits.',
      { output: [call('write_stdin', { session_id: 1, chars: 'duck\n', yield_time_ms: 60_000 }, 'c2')] },
      { output: [call('write_stdin', { session_id: 1 }, 'c3')] },
      'Done.',
    ],
    { flags: { approval: 'never', sandbox: 'danger_full_access' } },
  );
  await rig.say('Start it');
  expect(outputsOf(rig)).toEqual([
    expect.stringMatching(/^Wall time: [\d.]+ seconds\nProcess running with session ID 1\nOutput:\n$/),
  ]);
  await rig.say('Type');
  expect(outputsOf(rig).slice(1)).toEqual([
    expect.stringMatching(/^Wall time: .*\nProcess exited with code 3\nOutput:\nduck\ngot duck\n$/),
    expect.stringMatching(/There is no terminal 1 \(any more\)/),
  ]);
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: true }, { exit_code: 3, success: false }, {}]);
});

test('what is still running ends with the session', async () => {
  const rig = await startEngine(
    [{ output: [call('exec_command', { cmd: 'touch on; sleep 1000', yield_time_ms: 1 }, 'c1')] }, 'It runs.'],
    { flags: { approval: 'on_failure' } },
  );
  await rig.say('Start it');
  await until(() => existsSync(join(rig.workspace, 'on')));
  await rig.close();
  expect(livingIn(rig.workspace)).toEqual([]);
});

test('a command that only reads runs unasked, and is seen without escape sequences', async () => {
  const rig = await startEngine([
    { output: [call('exec_command', { cmd: String.raw`printf 'a\033]0;x\007\033[31mb\n'` }, 'c1')] },
    'So.',
  ]);
  await rig.say('Go');
  expect(outputsOf(rig)[0]).toMatch(/Output:\nab\n$/);
});

const isOf = (id: string) => (data: { readonly call_id: string }) => data.call_id === id;
const asked = (rig: Rig, id: string) => rig.seen('exec_approval_request', isOf(id));
