import { readFileSync } from 'node:fs';

import { createGate, errorReply, responseEvents } from 'responses-loop/testing';
import { expect, test } from 'vitest';

import { CODER_EVENT } from '../../../src/protocol/events.js';
import { call, startEngine } from '../../support/engine-rig.js';

const types = (rig: Awaited<ReturnType<typeof startEngine>>) =>
  rig.events.map(({ msg }) => msg.type).filter((type) => !type.endsWith('_delta'));

test('a task is told from its start to its end, numbered without a gap', async () => {
  const rig = await startEngine([{ output: [call('bash', { command: 'echo hi' })] }, 'It said hi.']);
  expect(await rig.say('Say hi')).toEqual({
    type: 'task_complete',
    data: { last_agent_message: 'It said hi.', denials: 0 },
  });
  await rig.close();
  await rig.seen('shutdown_complete');
  expect(types(rig).filter((type) => type !== 'tool_execution_progress')).toEqual([
    'session_configured',
    'task_started',
    'user_message',
    'approval_decision',
    'tool_execution_begin',
    'tool_execution_end',
    'round_usage',
    'round_usage',
    'agent_message',
    'token_count',
    'task_complete',
    'shutdown_complete',
  ]);
  expect(rig.events.map(({ seq }) => seq)).toEqual(rig.events.map((_, index) => index + 1));
  for (const event of rig.events) expect(CODER_EVENT.parse(event)).toEqual(event);
});

test('tokens are counted for each round, the task and the session', async () => {
  const usage = { input_tokens: 10, output_tokens: 2, total_tokens: 12, input_tokens_details: { cached_tokens: 4 } };
  const rig = await startEngine([
    { output: [call('bash', { command: 'echo hi' })], usage },
    { output: [{ type: 'text', text: 'Hi.' }], usage },
    { output: [{ type: 'text', text: 'Again.' }], usage },
  ]);
  await rig.say('one');
  await rig.say('two');
  const round = { input: 10, output: 2, cached_input: 4, reasoning: 0, total: 12 };
  // While the task runs, round by round.
  const told = { round, session: { total: 24 }, is_aside: false };
  expect(rig.data('round_usage')[1]).toMatchObject({ ...told, turn: { input: 20, output: 4, total: 24 } });
  expect(rig.data('round_usage')[2]).toMatchObject({ turn: round, session: { total: 36 } });
  const [first, second] = rig.data('token_count');
  expect(first).toMatchObject({ input: 20, output: 4, total: 24, rounds: [round, round] });
  expect(second).toMatchObject({ ...round, rounds: [round], session: { input: 30, output: 6, total: 36 } });
});

test('inputs wait for the task that runs, in order, twenty at most', async () => {
  const gate = createGate();
  const rig = await startEngine([async () => (await gate.released, 'first')], { otherwise: 'later' });
  const running = rig.say('0');
  const waiting = Array.from({ length: 20 }, (_, index) => rig.say(`${index + 1}`));
  const refused = rig.submit({ type: 'user_input', text: 'one too many' });
  await rig.seen('error', (_data, { id }) => id === refused);
  expect(rig.data('error')).toMatchObject([{ code: 'bad_submission', message: expect.stringContaining('20') }]);
  gate.release();
  await Promise.all([running, ...waiting]);
  expect(rig.data('user_message').map(({ text }) => text)).toEqual(
    Array.from({ length: 21 }, (_, index) => `${index}`),
  );
});

test('an interrupt overtakes: the task ends, what came of it stays, the next one runs', async () => {
  const gate = createGate();
  const events = responseEvents({ output: [{ type: 'text', text: ['Half ', 'of it'] }] });
  const at = events.findIndex(({ delta }) => delta === 'of it');
  const rig = await startEngine([[...events.slice(0, at), gate.released, ...events.slice(at)], 'Here.']);
  const first = rig.say('Talk');
  const next = rig.say('Next');
  await rig.seen('agent_message_delta');
  rig.submit({ type: 'interrupt' });
  expect(await first).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
  expect(await next).toMatchObject({ type: 'task_complete' });
  gate.release();
  expect(rig.requests.at(-1)?.input).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { role: 'assistant', content: [{ text: 'Half ' }] },
    { role: 'user', content: [{ text: 'Next' }] },
  ]);
  expect(rig.data('agent_message')[0]).toEqual({ text: 'Half ' });
});

test('an interrupt reaches a command, and the model is told that the call was interrupted', async () => {
  const rig = await startEngine([{ output: [call('bash', { command: 'sleep 60' }, 'c1')] }, 'Here.'], {
    flags: { approval: 'never', sandbox: 'danger_full_access' },
  });
  const first = rig.say('Sleep');
  await rig.seen('tool_execution_begin');
  rig.submit({ type: 'interrupt' });
  expect(await first).toMatchObject({ type: 'turn_aborted' });
  expect(rig.data('tool_execution_end')).toMatchObject([{ call_id: 'c1', success: false, error: 'interrupted' }]);
  await rig.say('Next');
  expect(rig.requests.at(-1)?.input).toMatchObject([
    { role: 'system' },
    { role: 'user' },
    { type: 'function_call', call_id: 'c1' },
    { type: 'function_call_output', call_id: 'c1', output: expect.stringContaining('interrupted') },
    { role: 'user' },
  ]);
});

test('a server that refuses: an error, an aborted turn, and the session goes on', async () => {
  const rig = await startEngine([errorReply({ status: 400, message: 'No such model.' }), 'Here.']);
  expect(await rig.say('one')).toEqual({ type: 'turn_aborted', data: { reason: 'error' } });
  expect(rig.data('error')).toEqual([
    { code: 'model_error', message: expect.stringContaining('No such model.'), retryable: false },
  ]);
  expect(await rig.say('two')).toMatchObject({ type: 'task_complete' });
});

test('a conversation that is too long has its own code', async () => {
  const rig = await startEngine([errorReply({ status: 400, code: 'context_length_exceeded', message: 'Too long.' })]);
  await rig.say('one');
  expect(rig.data('error')).toMatchObject([{ code: 'context_too_long' }]);
});

test('the limit of turns: the closing answer, an error, an aborted turn', async () => {
  const rig = await startEngine(
    [
      { output: [call('bash', { command: 'echo 1' })] },
      { output: [call('bash', { command: 'echo 2' })] },
      'I had to stop.',
    ],
    { flags: { maxTurns: 2 } },
  );
  expect(await rig.say('Go on')).toEqual({ type: 'turn_aborted', data: { reason: 'max_turns' } });
  expect(rig.data('agent_message')).toEqual([{ text: 'I had to stop.' }]);
  expect(rig.data('error')).toMatchObject([{ code: 'max_turns' }]);
});

test('shutdown stops what runs, drops what waits, and is the last event', async () => {
  const gate = createGate();
  const rig = await startEngine([async () => (await gate.released, 'never')]);
  const running = rig.say('one');
  void rig.say('two');
  await rig.seen('task_started');
  const id = rig.submit({ type: 'shutdown' });
  expect(await running).toEqual({ type: 'turn_aborted', data: { reason: 'shutdown' } });
  await rig.seen('shutdown_complete', (_data, event) => event.id === id);
  expect(rig.data('task_started')).toHaveLength(1);
  gate.release();
});

test('an answer that has to fit a schema, and does not, is no success', async () => {
  const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
  const rig = await startEngine(['{"n":"one"}', '{"n":1}'], { outputSchema });
  expect(await rig.say('How many?')).toEqual({ type: 'turn_aborted', data: { reason: 'error' } });
  expect(rig.data('error')).toMatchObject([
    { code: 'model_error', message: expect.stringContaining('--output-schema') },
  ]);
  expect(await rig.say('How many?')).toMatchObject({ data: { last_agent_message: '{"n":1}' } });
  expect(rig.requests[0]?.body['text']).toMatchObject({ format: { type: 'json_schema' } });
});

test('nothing is on disk before something was said', async () => {
  const rig = await startEngine(['Hi.']);
  expect(() => readFileSync(rig.engine.session.rollout_path)).toThrow('ENOENT');
  await rig.say('one');
  expect(readFileSync(rig.engine.session.rollout_path, 'utf8').split('\n')[0]).toContain('"session_meta"');
});
