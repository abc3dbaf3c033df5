import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { errorReply, responseEvents } from 'responses-loop/testing';
import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import { eventsIn, lastTwo, runCoder, startCoder, startWorld } from '../support/run-coder.js';

const errors = (stdout: string) => eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'error' ? [msg.data] : []));

const HALF = responseEvents({ output: [{ type: 'text', text: ['Half ', 'of it'] }] }).slice(0, 5);

test('a server that is not there: tried again, then an error', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  const { at } = await startWorld([]);
  const flags = ['--base-url', `http://127.0.0.1:${port}/v1`, '--api-key', 'k', '--model', 'any'];
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Try'], at);
  expect(code).toBe(1);
  expect(errors(stdout)).toMatchObject([{ code: 'connection_failed' }]);
  const warnings = eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'warning' ? [msg.data.code] : []));
  expect(warnings).toEqual(['retry', 'retry']);
  expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
});

test('429, then good: the task is done', async () => {
  const busy = errorReply({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after-ms': '10' } });
  const { at, flags, server } = await startWorld([
    busy,
    { output: [call('bash', { command: 'echo hi' })] },
    busy,
    'Done.',
  ]);
  expect(await runCoder([...flags, 'exec', 'Try'], at)).toMatchObject({ code: 0, stdout: 'Done.\n' });
  expect(server.requests).toHaveLength(4);
});

test('429 for good: an error, and the session stays usable', async () => {
  const busy = errorReply({ status: 429, code: 'rate_limit_exceeded', headers: { 'retry-after-ms': '1' } });
  let isBusy = true;
  const { at, flags } = await startWorld([], () => (isBusy ? busy : 'Here.'));
  const coder = startCoder([...flags, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Try' });
  expect(await coder.seen('turn_aborted')).toEqual({ reason: 'error' });
  expect(await coder.seen('error')).toMatchObject({ code: 'model_error', retryable: true });
  isBusy = false;
  coder.send('s2', { type: 'user_input', text: 'Again' });
  expect(await coder.seen('task_complete')).toMatchObject({ last_agent_message: 'Here.' });
});

test('a server that drops the line in the middle of a text: what came stays, then an error', async () => {
  const { at, flags, server } = await startWorld([{ events: HALF, ending: 'reset' }, 'Here.']);
  const first = await runCoder([...flags, 'exec', '--json', 'Try'], at);
  expect(first.code).toBe(1);
  expect(errors(first.stdout)).toMatchObject([{ code: 'connection_failed' }]);
  expect(await runCoder([...flags, 'exec', '--last', 'Again'], at)).toMatchObject({ code: 0 });
  expect(JSON.stringify(server.requests.at(-1)?.input)).toContain('Half ');
});

test('a server that breaks off after a tool ran: no tool runs again', async () => {
  const ran = { output: [call('bash', { command: 'echo ran >> log' }, 'c1')] };
  const { at, all } = await startWorld([ran, { none: 'reset' }, 'Done.']);
  const { code, stdout } = await runCoder([...all, 'exec', '--json', 'Try'], at);
  expect(code).toBe(0);
  expect(eventsIn(stdout).filter(({ msg }) => msg.type === 'tool_execution_begin')).toHaveLength(1);
});

test('a server that stalls: an error after the time that is set, and an interrupt ends the wait before', async () => {
  const { at, flags } = await startWorld([
    { events: HALF, ending: 'stall' },
    { events: HALF, ending: 'stall' },
  ]);
  const timed = await runCoder([...flags, 'exec', '--json', 'Try'], { ...at, env: { CODER_TIMEOUT_MS: '300' } });
  expect(timed.code).toBe(1);
  expect(errors(timed.stdout)).toMatchObject([{ code: 'timeout' }]);
  const coder = startCoder([...flags, 'exec', '--json', 'Try'], at);
  await coder.seen('agent_message_delta');
  coder.child.kill('SIGINT');
  expect((await coder.ended).code).toBe(130);
});
