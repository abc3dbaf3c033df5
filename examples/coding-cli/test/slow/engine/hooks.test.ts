import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const WRITES = { output: [call('write', { path: 'src/a.ts', content: 'let  a\n' }, 'w1')] };

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output as string);

/** A user whose config file has these commands. */
function homeWith(afterEdit: unknown): string {
  const home = newFolder();
  writeFileSync(join(home, 'config.json'), JSON.stringify({ afterEdit }));
  return home;
}

test('a formatter changes the file behind the edit: the model reads how, may edit on, and undo puts back what was there', async () => {
  const home = homeWith([
    { files: '*.ts', run: 'sed -i \'s/  / /\' "$FILE"' },
    { files: '*.md', run: 'touch never' },
  ]);
  const edits = {
    output: [call('edit', { path: 'src/a.ts', old_string: 'let a', new_string: 'let  b' }, 'e1')],
  };
  const rig = await startEngine([WRITES, edits, 'Done.'], { home });
  await rig.say('Write it');
  const [written, edited] = outputs(rig.requests.at(-1)?.input);
  expect(written).toMatch(/passed\]\nIt changed the file:[^]*-let {2}a\n\+let a/);
  expect(edited).toContain('+let b');
  expect(readFileSync(join(rig.workspace, 'src/a.ts'), 'utf8')).toBe('let b\n');
  expect(existsSync(join(rig.workspace, 'never'))).toBe(false);
  const id = rig.submit({ type: 'undo' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  expect(existsSync(join(rig.workspace, 'src/a.ts'))).toBe(false);
});

test('a command that fails is told to the model with its output, and to the person; the edit stays', async () => {
  const home = homeWith([{ files: 'src/**', run: 'echo "no semicolon"; exit 3' }]);
  const rig = await startEngine([WRITES, 'Done.'], { home });
  await rig.say('Write it');
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringMatching(/failed: exit code 3\]\nno semicolon/)]);
  expect(rig.data('warning')).toEqual([
    { code: 'hook_failed', message: 'echo "no semicolon"; exit 3: src/a.ts: exit code 3' },
  ]);
  expect(rig.data('tool_execution_end')).toMatchObject([{ success: true }]);
  expect(existsSync(join(rig.workspace, 'src/a.ts'))).toBe(true);
});

test('one that does not end is ended by its time, and by an interrupt', async () => {
  const slow = homeWith([{ files: '*', run: 'sleep 60', timeoutMs: 50 }]);
  const rig = await startEngine([WRITES, 'Done.'], { home: slow });
  await rig.say('Write it');
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('failed: ended after 50 ms')]);
  const other = await startEngine([WRITES, 'Done.'], {
    home: homeWith([{ files: '*', run: 'touch begun; sleep 60' }]),
  });
  const done = other.say('Write it');
  await expect.poll(() => existsSync(join(other.workspace, 'begun'))).toBe(true);
  other.submit({ type: 'interrupt' });
  expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
});

test('a workspace cannot name commands, and calls that change no file start none', async () => {
  const workspace = newFolder();
  mkdirSync(join(workspace, '.coder'));
  const afterEdit = [{ files: '*', run: 'touch hooked' }];
  writeFileSync(join(workspace, '.coder/config.json'), JSON.stringify({ afterEdit }));
  const rig = await startEngine([WRITES, 'Done.'], { workspace });
  await rig.say('Write it');
  const reads = {
    output: [call('list', {}, 'l1'), call('edit', { path: 'none', old_string: 'a', new_string: 'b' }, 'e1')],
  };
  const other = await startEngine([reads, 'Done.'], { workspace, home: homeWith(afterEdit) });
  await other.say('Look');
  expect(existsSync(join(workspace, 'hooked'))).toBe(false);
});

test('a command in the config file that is no command is refused with its place', async () => {
  await expect(startEngine([], { home: homeWith([{ files: '*.ts' }]) })).rejects.toThrow(
    /config\.json: "afterEdit\.0\.run"/,
  );
});
