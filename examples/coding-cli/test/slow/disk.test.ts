import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import {
  eventsIn,
  lastTwo,
  linesOf,
  locksOf,
  rolloutsOf,
  runCoder,
  startCoder,
  startWorld,
} from '../support/run-coder.js';

const errors = (stdout: string) => eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'error' ? [msg.data.code] : []));

test('nowhere to write: said once, the task goes on, exit code 1', async () => {
  const { at, flags } = await startWorld([{ output: [call('bash', { command: 'echo hi' })] }, 'Done.']);
  // Also for root, who may write into folders that are read-only.
  writeFileSync(join(at.home, 'sessions'), 'not a folder');
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Try'], at);
  expect(code).toBe(1);
  expect(errors(stdout)).toEqual(['rollout_write_failed']);
  expect(lastTwo(stdout)).toEqual(['task_complete', 'shutdown_complete']);
  const end = eventsIn(stdout).find(({ msg }) => msg.type === 'tool_execution_end');
  expect(end?.msg.data).toMatchObject({ success: true, exit_code: 0 });
});

test('a disk that is full in the middle: said once, the task goes on, no half of a line stays', async () => {
  const { at, flags } = await startWorld([
    { output: [{ type: 'text', text: 'x'.repeat(20_000) }, call('bash', { command: 'echo hi' })] },
    'Done.',
    'Here.',
  ]);
  const full = ['bash', '-c', 'ulimit -f 8; exec "$@"', 'bash'];
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Try'], { ...at, through: full });
  expect(code).toBe(1);
  expect(errors(stdout)).toEqual(['rollout_write_failed']);
  expect(lastTwo(stdout)).toEqual(['task_complete', 'shutdown_complete']);
  const [path = ''] = rolloutsOf(at.home);
  const kinds = linesOf(path).map(({ type }) => type);
  expect(kinds.slice(0, 2)).toEqual(['session_meta', 'user']);
  expect(kinds).not.toContain('part');
  expect(readFileSync(path, 'utf8').endsWith('\n')).toBe(true);
  expect(await runCoder([...flags, 'exec', '--last', 'Go on'], at)).toMatchObject({ code: 0 });
});

test('garbage in the middle and half a line at the end: two warnings, and the session goes on', async () => {
  const { at, flags, server } = await startWorld(['One.', 'Two.']);
  await runCoder([...flags, 'exec', 'First'], at);
  const [path = ''] = rolloutsOf(at.home);
  const lines = readFileSync(path, 'utf8').split('\n');
  lines.splice(2, 0, '\u0000\u0001 not json', '{"type":"unheard of"}');
  writeFileSync(path, lines.join('\n'));
  appendFileSync(path, '{"type":"user","turn":2,"text":"half a li');
  const { code, stdout } = await runCoder([...flags, 'exec', '--last', '--json', 'Second'], at);
  expect(code).toBe(0);
  const warnings = eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'warning' ? [msg.data.message] : []));
  expect(warnings).toEqual([
    expect.stringContaining('line 3 '),
    expect.stringContaining('line 4 '),
    expect.stringContaining('cut off'),
  ]);
  expect(server.requests.at(-1)?.input.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
  expect(readFileSync(path, 'utf8')).not.toContain('half a li');
});

test('two processes on one session: the second gets exit code 3 with the pid, and the first is not disturbed', async () => {
  const { at, all } = await startWorld([
    'One.',
    { output: [call('bash', { command: 'while [ ! -e go ]; do sleep 0.05; done' }, 'c1')] },
    'Two.',
  ]);
  await runCoder([...all, 'exec', 'First'], at);
  const first = startCoder([...all, 'exec', '--json', '--last', 'Wait'], at);
  await first.seen('tool_execution_begin');
  const second = await runCoder([...all, 'exec', '--last', 'Me too'], at);
  expect(second).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining(`process ${first.child.pid}`) });
  const told = await runCoder([...all, 'exec', '--json', '--last', 'Me too'], at);
  expect(told.code).toBe(3);
  expect(lastTwo(told.stdout)).toEqual(['error', 'shutdown_complete']);
  expect(errors(told.stdout)).toEqual(['session_locked']);
  expect((await runCoder(['undo', String(linesOf(rolloutsOf(at.home)[0] ?? '')[0]?.['id'])], at)).code).toBe(3);
  writeFileSync(join(at.cwd, 'go'), '');
  expect((await first.ended).code).toBe(0);
  expect(locksOf(at.home)).toEqual([]);
});

test('a folder of the data that is private to the user', async () => {
  const { at, flags } = await startWorld(['One.']);
  const home = join(at.home, 'deeper');
  mkdirSync(at.home, { recursive: true });
  await runCoder([...flags, 'exec', 'First'], { ...at, home });
  const { statSync } = await import('node:fs');
  expect(statSync(join(home, 'sessions')).mode & 0o777).toBe(0o700);
  expect(statSync(rolloutsOf(home)[0] ?? '').mode & 0o777).toBe(0o600);
});
