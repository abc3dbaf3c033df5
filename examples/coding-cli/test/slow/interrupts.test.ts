import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { createGate, responseEvents } from 'responses-loop/testing';
import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import {
  eventsIn,
  lastTwo,
  linesOf,
  locksOf,
  processesWith,
  rolloutsOf,
  runCoder,
  startCoder,
  startWorld,
  until,
} from '../support/run-coder.js';

/** A command that takes no notice of SIGTERM, with a child that does not either. */
const stubborn = (word: string): string =>
  `trap '' TERM; bash -c 'trap "" TERM; while true; do sleep 0.1; done; : ${word}' & while true; do sleep 0.1; done; : ${word}`;

const newWord = (): string => `word${Math.random().toString(36).slice(2)}`;

test('interrupted in a slow command: the turn ends at once, the whole group is gone soon, the next task works', async () => {
  const word = newWord();
  const { at, all } = await startWorld([{ output: [call('bash', { command: stubborn(word) }, 'c1')] }, 'Here I am.']);
  const coder = startCoder([...all, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Wait' });
  await coder.seen('tool_execution_begin');
  await until(() => processesWith(word).length >= 2);
  const before = Date.now();
  coder.send('s2', { type: 'interrupt' });
  expect(await coder.seen('turn_aborted')).toEqual({ reason: 'user' });
  // 200 ms are promised; other programs run on this machine as well.
  expect(Date.now() - before).toBeLessThan(1_500);
  coder.send('s3', { type: 'user_input', text: 'Are you there?' });
  expect(await coder.seen('task_complete')).toMatchObject({ last_agent_message: 'Here I am.' });
  await until(() => processesWith(word).length === 0, 10_000);
  coder.send('s4', { type: 'shutdown' });
  const { code, stdout } = await coder.ended;
  expect(code).toBe(0);
  expect(eventsIn(stdout).at(-1)).toMatchObject({ id: 's4', msg: { type: 'shutdown_complete' } });
});

test('shut down in a slow command: nothing is left behind when the program has ended', async () => {
  const word = newWord();
  const { at, all } = await startWorld([{ output: [call('bash', { command: stubborn(word) }, 'c1')] }]);
  const coder = startCoder([...all, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Wait' });
  await until(() => processesWith(word).length >= 2);
  coder.send('s2', { type: 'shutdown' });
  const { code, stdout } = await coder.ended;
  expect(code).toBe(0);
  expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
  expect(processesWith(word)).toEqual([]);
  expect(locksOf(at.home)).toEqual([]);
});

for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const) {
  test(`${signal} ends exec with ${expected}, tells how it ended, and leaves no process and no lock`, async () => {
    const word = newWord();
    const { at, all } = await startWorld([{ output: [call('bash', { command: stubborn(word) }, 'c1')] }]);
    const coder = startCoder([...all, 'exec', '--json', 'Wait'], at);
    await until(() => processesWith(word).length >= 2);
    coder.child.kill(signal);
    const { code, stdout } = await coder.ended;
    expect(code).toBe(expected);
    expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
    expect(processesWith(word)).toEqual([]);
    expect(locksOf(at.home)).toEqual([]);
    const path = rolloutsOf(at.home)[0] ?? '';
    expect(linesOf(path).at(-1)).toMatchObject({ type: 'turn_end', status: signal === 'SIGINT' ? 'user' : 'shutdown' });
  });
}

test('a signal while the model writes ends proto in good order', async () => {
  const gate = createGate();
  const events = responseEvents({ output: [{ type: 'text', text: ['Half ', 'of it'] }] });
  const at = events.findIndex(({ delta }) => delta === 'of it');
  const world = await startWorld([[...events.slice(0, at), gate.released, ...events.slice(at)]]);
  const coder = startCoder([...world.flags, 'proto'], world.at);
  coder.send('s1', { type: 'user_input', text: 'Talk' });
  await coder.seen('agent_message_delta');
  coder.child.kill('SIGTERM');
  const { code, stdout } = await coder.ended;
  gate.release();
  expect(code).toBe(143);
  expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
});

test('killed in a tool, then resumed: the history is whole, the call is interrupted, and no tool runs again', async () => {
  const world = await startWorld([
    { output: [{ type: 'text', text: 'I count.' }, call('bash', { command: 'echo ran >> log' }, 'c1')] },
    { output: [call('bash', { command: 'echo ran >> log; sleep 600' }, 'c2')] },
    'Still here.',
  ]);
  const { at, all, server } = world;
  const coder = startCoder([...all, 'exec', '--json', 'Count'], at);
  await coder.seen('tool_execution_begin', ({ call_id }) => call_id === 'c2');
  const log = join(at.cwd, 'log');
  await until(() => existsSync(log) && readFileSync(log, 'utf8') === 'ran\nran\n');
  await until(() => linesOf(rolloutsOf(at.home)[0] ?? '').some(({ part }) => isCall(part, 'c2')));
  coder.child.kill('SIGKILL');
  await coder.ended;
  expect(locksOf(at.home)).toHaveLength(1);
  const again = await runCoder([...all, 'exec', '--last', '--json', 'Go on'], at);
  expect(again.code).toBe(0);
  expect(readFileSync(log, 'utf8')).toBe('ran\nran\n');
  const input = server.requests.at(-1)?.input ?? [];
  expect(input.map(({ type, role }) => role ?? type)).toEqual([
    ...['system', 'user', 'assistant', 'function_call', 'function_call_output'],
    ...['function_call', 'function_call_output', 'user'],
  ]);
  // What went before is sent as it was sent in the round that was killed.
  expect(input.slice(0, 5)).toEqual(server.requests[1]?.input);
  expect(input[6]).toMatchObject({ call_id: 'c2', output: expect.stringContaining('interrupted') });
  expect(locksOf(at.home)).toEqual([]);
});

function isCall(part: unknown, id: string): boolean {
  const { type, toolCallId } = (part ?? {}) as { type?: string; toolCallId?: string };
  return type === 'tool-call' && toolCallId === id;
}

test('| head: it ends quietly, and lets go of the session', async () => {
  const word = newWord();
  const { at, all } = await startWorld([{ output: [call('bash', { command: `yes ${word}` }, 'c1')] }]);
  const coder = startCoder([...all, 'exec', '--json', 'Wait'], at);
  await coder.seen('tool_execution_begin');
  coder.child.stdout?.destroy();
  const { code, stderr } = await coder.ended;
  expect([0, 141]).toContain(code);
  expect(stderr).not.toMatch(/EPIPE|at .*\.ts:/);
  expect(processesWith(word)).toEqual([]);
  expect(locksOf(at.home)).toEqual([]);
});

for (const [signal, expected] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} ends exec with ${expected} while a file tool reads without end`, async () => {
    const { at, all } = await startWorld([{ output: [call('read', { path: 'endless' }, 'c1')] }]);
    writeFileSync(join(at.cwd, 'endless'), '');
    truncateSync(join(at.cwd, 'endless'), 2 ** 40);
    const coder = startCoder([...all, 'exec', '--json', 'Wait'], at);
    await coder.seen('tool_execution_begin');
    await sleep(1000);
    const before = Date.now();
    coder.child.kill(signal);
    const { code, stdout } = await coder.ended;
    expect(code).toBe(expected);
    expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
    expect(Date.now() - before).toBeLessThan(5000);
  });
}
