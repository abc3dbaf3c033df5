import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { call, startEngine } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const ASKS = { output: [call('explore', { task: 'What does a.txt hold?' }, 'e1')] };

const outputs = (input: readonly Record<string, unknown>[] | undefined) =>
  (input ?? []).filter(({ type }) => type === 'function_call_output').map(({ output }) => output as string);

const toolsOf = (request: { readonly body: Readonly<Record<string, unknown>> } | undefined) =>
  ((request?.body['tools'] ?? []) as { name: string }[]).map(({ name }) => name);

function workspaceWith(text: string): string {
  const workspace = newFolder();
  writeFileSync(join(workspace, 'a.txt'), text);
  return workspace;
}

test('a second agent reads in a conversation of its own, and only its answer comes back', async () => {
  const reads = { output: [{ type: 'text' as const, text: 'Let me look.' }, call('read', { path: 'a.txt' }, 'r1')] };
  const rig = await startEngine([ASKS, reads, 'It holds 42.', 'So: 42.'], { workspace: workspaceWith('42') });
  expect(await rig.say('Find it')).toMatchObject({ type: 'task_complete', data: { last_agent_message: 'So: 42.' } });
  const [, first, , last] = rig.requests;
  expect(JSON.stringify(first?.input)).not.toContain('Find it');
  expect(
    toolsOf(first)
      .filter((name) => name !== 'read_output')
      .toSorted(),
  ).toEqual(['bash', 'glob', 'grep', 'list', 'read']);
  expect(outputs(last?.input)).toEqual(['It holds 42.']);
  expect(JSON.stringify(last?.input)).not.toContain('r1');
  expect(rig.data('tool_execution_begin').map(({ call_id }) => call_id)).toEqual(['e1']);
  expect(rig.data('tool_execution_progress')).toEqual([{ call_id: 'e1', message: 'Read a.txt' }]);
  expect(rig.data('agent_message').map(({ text }) => text)).toEqual(['So: 42.']);
});

test('what it asks costs tokens of the session, and is no part of the size of the conversation', async () => {
  const answer = (text: string, tokens: number) => ({
    output: [{ type: 'text' as const, text }],
    usage: { input_tokens: tokens, output_tokens: 0, total_tokens: tokens },
  });
  const rig = await startEngine([
    { ...ASKS, usage: answer('', 10).usage },
    answer('Nothing.', 1000),
    answer('So.', 20),
  ]);
  await rig.say('Find it');
  expect(rig.engine.view.usage.input).toBe(1030);
  expect(rig.engine.view.contextTokens).toBe(20);
  expect(rig.data('token_count').at(-1)).toMatchObject({ input: 1030, rounds: [{ input: 10 }, { input: 20 }] });
});

test('it can only read, whatever the session allows, and has no agents of its own', async () => {
  const tries = {
    output: [
      call('bash', { command: 'touch made' }, 't1'),
      call('write', { path: 'made', content: 'x' }, 't2'),
      call('explore', { task: 'deeper' }, 't3'),
      call('todo_write', { todos: [] }, 't4'),
    ],
  };
  const rig = await startEngine([ASKS, tries, 'I could not.', 'So.'], {
    flags: { approval: 'never', sandbox: 'danger_full_access', allow: ['bash: touch *', 'write: in workspace'] },
  });
  await rig.say('Find it');
  expect(outputs(rig.requests[2]?.input)).toEqual([
    expect.stringContaining('only calls that read'),
    ...['write', 'explore', 'todo_write'].map((name) => expect.stringContaining(name)),
  ]);
  expect(rig.requests).toHaveLength(4);
  expect(existsSync(join(rig.workspace, 'made'))).toBe(false);
});

test('what it would read outside is asked about, as of any other call', async () => {
  const outside = workspaceWith('secret');
  const reads = { output: [call('read', { path: join(outside, 'a.txt') }, 'r1')] };
  const rig = await startEngine([ASKS, reads, 'Not allowed.', 'So.']);
  const done = rig.say('Find it');
  expect(await rig.seen('exec_approval_request')).toMatchObject({ call_id: 'r1', tool_name: 'read' });
  rig.submit({ type: 'exec_approval', call_id: 'r1', decision: 'denied' });
  await done;
  expect(outputs(rig.requests.at(-1)?.input)).toEqual(['Not allowed.']);
});

test('an interrupt reaches it', async () => {
  const rig = await startEngine([ASKS, { output: [call('bash', { command: 'tail -f a.txt' }, 'b1')] }, 'never said'], {
    workspace: workspaceWith('x'),
  });
  const done = rig.say('Find it');
  await rig.seen('tool_execution_progress');
  rig.submit({ type: 'interrupt' });
  expect(await done).toEqual({ type: 'turn_aborted', data: { reason: 'user' } });
  expect(rig.requests).toHaveLength(2);
  expect(rig.data('tool_execution_end')).toMatchObject([{ call_id: 'e1', error: 'interrupted' }]);
});

test('after its rounds it has to answer', async () => {
  const workspace = workspaceWith('x');
  mkdirSync(join(workspace, 'src'));
  const rig = await startEngine([ASKS], {
    workspace,
    otherwise: ({ body, input }) => {
      const isSub = !JSON.stringify(input).includes('Find it');
      if (!isSub) return 'So.';
      const rounds = outputs(input).length;
      return Array.isArray(body['tools']) && body['tool_choice'] !== 'none'
        ? { output: [call('read', { path: 'a.txt', offset: 1, limit: rounds + 1 }, `r${rounds}`)] }
        : `Read ${rounds} times.`;
    },
  });
  await rig.say('Find it');
  expect(outputs(rig.requests.at(-1)?.input)).toEqual(['Read 15 times.']);
});

test('a failure of the model is told to the one who asked', async () => {
  const { errorReply } = await import('responses-loop/testing');
  const rig = await startEngine([ASKS, errorReply({ status: 400 }), 'Then not.']);
  expect(await rig.say('Find it')).toMatchObject({ type: 'task_complete' });
  expect(outputs(rig.requests.at(-1)?.input)).toEqual([expect.stringContaining('It failed')]);
  expect(rig.data('warning')).toEqual([]);
});
