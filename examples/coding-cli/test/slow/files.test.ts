import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import {
  eventsIn,
  linesOf,
  processesWith,
  rolloutsOf,
  runCoder,
  startCoder,
  startWorld,
  until,
} from '../support/run-coder.js';

const idIn = (home: string): string => String(linesOf(rolloutsOf(home)[0] ?? '')[0]?.['id']);

test('two calls edit one file in a round: in order, the second sees what the first did', async () => {
  const { at, flags, server } = await startWorld([
    { output: [call('read', { path: 'a.txt' }, 'c1')] },
    {
      output: [
        call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'c2'),
        call('edit', { path: 'a.txt', old_string: 'two', new_string: 'three' }, 'c3'),
      ],
    },
    'Edited.',
  ]);
  writeFileSync(join(at.cwd, 'a.txt'), 'one\n');
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Edit'], at);
  expect(code, JSON.stringify(server.requests.at(-1)?.input.slice(-2))).toBe(0);
  expect(readFileSync(join(at.cwd, 'a.txt'), 'utf8')).toBe('three\n');
  const ends = eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'tool_execution_end' ? [msg.data] : []));
  expect(ends.map(({ call_id, success }) => [call_id, success])).toEqual([
    ['c1', true],
    ['c2', true],
    ['c3', true],
  ]);
});

test('a file that an editor changed since it was read: the edit is refused, the file untouched', async () => {
  const { at, all } = await startWorld([
    { output: [call('read', { path: 'a.txt' }, 'c1')] },
    { output: [call('bash', { command: 'echo by the editor > a.txt' }, 'c2')] },
    { output: [call('edit', { path: 'a.txt', old_string: 'one', new_string: 'two' }, 'c3')] },
    'Refused.',
  ]);
  writeFileSync(join(at.cwd, 'a.txt'), 'one\n');
  const { stdout } = await runCoder([...all, 'exec', '--json', 'Edit'], at);
  expect(readFileSync(join(at.cwd, 'a.txt'), 'utf8')).toBe('by the editor\n');
  const end = eventsIn(stdout).findLast(({ msg }) => msg.type === 'tool_execution_end');
  expect(end?.msg.data).toMatchObject({ call_id: 'c3', success: false, error: expect.stringContaining('changed') });
});

test('undo puts back the files of the last turn, then of the one before, and names what it leaves', async () => {
  const { at, flags } = await startWorld([
    { output: [call('write', { path: 'a.txt', content: 'first' })] },
    'One.',
    {
      output: [
        call('read', { path: 'a.txt' }),
        call('write', { path: 'a.txt', content: 'second' }),
        call('write', { path: 'b.txt', content: 'new' }),
      ],
    },
    'Two.',
  ]);
  await runCoder([...flags, 'exec', 'First'], at);
  await runCoder([...flags, 'exec', '--last', 'Second'], at);
  const [a, b] = [join(at.cwd, 'a.txt'), join(at.cwd, 'b.txt')];
  expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['second', 'new']);
  writeFileSync(b, 'by an editor');
  const id = idIn(at.home);
  const second = await runCoder(['undo', id.slice(0, 8)], at);
  expect(second).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Changes made by shell commands are not undone'),
  });
  expect(second.stderr).toContain(b);
  expect([readFileSync(a, 'utf8'), readFileSync(b, 'utf8')]).toEqual(['first', 'by an editor']);
  const first = await runCoder(['undo', id, '--turn', '1'], at);
  expect(first.code, first.stderr).toBe(0);
  expect(existsSync(a)).toBe(false);
  expect((await runCoder(['undo', 'ffffffff-none'], at)).code).toBe(3);
});

test('output without an end: memory stays bounded, the file too, and it stops when it is told to', async () => {
  const word = `word${Math.random().toString(36).slice(2)}`;
  const { at, all } = await startWorld([{ output: [call('bash', { command: `yes ${word}` }, 'c1')] }, 'Enough.']);
  const coder = startCoder([...all, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Go on' });
  await coder.seen('tool_execution_progress');
  const file = join(dirname(rolloutsOf(at.home)[0] ?? ''), idIn(at.home), 'outputs', 'c1.txt');
  // As much as is ever kept of it, so that a program that kept all of it would have it all by then.
  await until(() => (statSync(file, { throwIfNoEntry: false })?.size ?? 0) >= 50_000_000, 120_000);
  const status = readFileSync(`/proc/${coder.child.pid}/status`, 'utf8');
  const residentKb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]);
  expect(residentKb).toBeLessThan(400_000);
  coder.send('s2', { type: 'interrupt' });
  await coder.seen('turn_aborted');
  await until(() => processesWith(word).length === 0, 10_000);
  expect(statSync(file).size).toBeLessThanOrEqual(50_000_000 + 1_000);
  coder.send('s3', { type: 'user_input', text: 'Enough?' });
  await coder.seen('task_complete');
});

test('100 MB of output: the model reads its ends, the file has at most 50 MB', async () => {
  const command = 'echo the beginning; yes | head -c 100000000; echo the end';
  const { at, all, server } = await startWorld([{ output: [call('bash', { command }, 'c1')] }, 'Read.']);
  const { code } = await runCoder([...all, 'exec', '--json', 'Read'], at);
  expect(code).toBe(0);
  const output = server.requests.at(-1)?.input.at(-1)?.['output'] as string;
  expect(output).toMatch(/^exit code 0\nthe beginning/);
  expect(output.trimEnd()).toMatch(/the end$/);
  expect(output.length).toBeLessThan(31_000);
  expect(statSync(rolloutsOf(at.home)[0] ?? '').size).toBeLessThan(200_000);
});

test('show prints what was said and done, sessions lists it', async () => {
  const { at, flags } = await startWorld([{ output: [call('bash', { command: 'echo hi' })] }, 'It said hi.']);
  await runCoder([...flags, 'exec', 'Say hi'], at);
  const id = idIn(at.home);
  const shown = await runCoder(['show', id.slice(0, 8)], at);
  expect(shown).toMatchObject({ code: 0, stdout: expect.stringMatching(/> Say hi[^]*echo hi[^]*It said hi\./) });
  const json = JSON.parse((await runCoder(['show', id, '--json'], at)).stdout) as { session: { id: string } };
  expect(json.session.id).toBe(id);
  const listed = JSON.parse((await runCoder(['sessions', '--json'], at)).stdout) as unknown[];
  expect(listed).toEqual([
    {
      id,
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      cwd: at.cwd,
      model: 'any',
      turns: 1,
      title: 'Say hi',
      last_message: 'It said hi.',
      path: rolloutsOf(at.home)[0],
    },
  ]);
  const elsewhere = { cwd: at.home, home: at.home };
  expect(JSON.parse((await runCoder(['sessions', '--json'], elsewhere)).stdout)).toEqual([]);
  expect(JSON.parse((await runCoder(['sessions', '--json', '--all'], elsewhere)).stdout)).toHaveLength(1);
});
