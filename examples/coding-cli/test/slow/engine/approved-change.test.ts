import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { call, type Rig, startEngine, type Steps } from '../../support/engine-rig.js';

const READ = { output: [call('read', { path: 'a.txt' }, 'r1')] };

/** An engine that asks about every change, in a folder with `a.txt`. */
async function startAsking(...steps: Steps & readonly unknown[]): Promise<Rig> {
  const rig = await startEngine(steps, { flags: { approval: 'unless_trusted' } });
  writeFileSync(join(rig.workspace, 'a.txt'), 'one\n\ttwo\nthree\n');
  return rig;
}

const text = (rig: Rig, name: string): string | undefined =>
  existsSync(join(rig.workspace, name)) ? readFileSync(join(rig.workspace, name), 'utf8') : undefined;

const patchOf = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n');

test('the question about an edit has the difference that the edit makes, also where blanks differ', async () => {
  const edits = [
    { old_string: 'one', new_string: '1' },
    { old_string: '  two\n', new_string: '  2\n' },
  ];
  const rig = await startAsking(READ, { output: [call('edit', { path: 'a.txt', edits }, 'c1')] }, 'Done.');
  const done = rig.say('Count');
  const { diff, question } = await rig.seen('exec_approval_request');
  expect(diff).toContain('-one\n-\ttwo\n+1\n+\t2\n three\n');
  expect(question).toContain('a.txt\n@\n- one\n- ⇥two\n+ 1\n+ ⇥2\n  three');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  expect(await done).toMatchObject({ type: 'task_complete' });
  expect(rig.data('tool_execution_end').at(-1)).toMatchObject({ success: true, diff });
  expect(text(rig, 'a.txt')).toBe('1\n\t2\nthree\n');
});

test('the question about a patch has the difference of each of its files, and so has its end', async () => {
  const patch = patchOf(
    '*** Add File: new.txt',
    '+hello',
    '*** Update File: a.txt',
    ' one',
    '-\ttwo',
    '+2',
    '*** Delete File: b.txt',
  );
  const rig = await startAsking(
    { output: [call('read', { path: 'a.txt' }, 'r1'), call('read', { path: 'b.txt' }, 'r2')] },
    { output: [call('apply_patch', { patch }, 'c1')] },
    'Done.',
  );
  writeFileSync(join(rig.workspace, 'b.txt'), 'gone\n');
  const done = rig.say('Patch');
  const asked = await rig.seen('exec_approval_request');
  expect(asked.files).toEqual([
    { path: 'new.txt', fate: 'added', hunks: 1 },
    { path: 'a.txt', fate: 'changed', hunks: 1 },
    { path: 'b.txt', fate: 'deleted', hunks: 1 },
  ]);
  expect(asked.question).toMatch(
    /new file new\.txt\n@\n\+ hello\n.*file a\.txt\n@\n.*- .*two\n\+ 2\n.*deleted file b\.txt\n@\n- gone$/s,
  );
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  expect(await done).toMatchObject({ type: 'task_complete' });
  const { diff, hunks, files } = asked;
  expect(rig.data('tool_execution_end').at(-1)).toMatchObject({ success: true, diff, hunks, files });
  expect([text(rig, 'new.txt'), text(rig, 'a.txt'), text(rig, 'b.txt')]).toEqual([
    'hello\n',
    'one\n2\nthree\n',
    undefined,
  ]);
});

test('what would now change something else than the person has seen does not run', async () => {
  const edit = { path: 'a.txt', old_string: 'one', new_string: '1' };
  const rig = await startAsking(READ, { output: [call('edit', edit, 'c1')] }, 'Oh.');
  const done = rig.say('Count');
  await rig.seen('exec_approval_request');
  writeFileSync(join(rig.workspace, 'a.txt'), 'one\nother\n');
  // The model has seen it meanwhile, by another call.
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await done;
  expect(rig.data('tool_execution_end').at(-1)).toMatchObject({ success: false });
  expect(text(rig, 'a.txt')).toBe('one\nother\n');
});

test('what could not be shown as a change changes nothing, though it could by then', async () => {
  const patch = patchOf('*** Add File: a.txt', '+mine');
  const rig = await startAsking({ output: [call('apply_patch', { patch }, 'c1')] }, 'Oh.');
  const done = rig.say('Make it');
  expect(await rig.seen('exec_approval_request')).not.toHaveProperty('diff');
  rmSync(join(rig.workspace, 'a.txt'));
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await done;
  expect(rig.data('tool_execution_end').at(-1)).toMatchObject({
    success: false,
    error: expect.stringContaining('a different change than the approved one. Nothing was changed.') as string,
  });
  expect(text(rig, 'a.txt')).toBeUndefined();
});

test('a new file that appears while the question is open is not written over', async () => {
  const rig = await startAsking({ output: [call('write', { path: 'b.txt', content: 'mine\n' }, 'c1')] }, 'Oh.');
  const done = rig.say('Make it');
  await rig.seen('exec_approval_request');
  writeFileSync(join(rig.workspace, 'b.txt'), 'theirs\n');
  rig.submit({ type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await done;
  expect(text(rig, 'b.txt')).toBe('theirs\n');
});
