import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import { eventsIn, processesWith, runCoder, startCoder, startWorld } from '../support/run-coder.js';

const require = createRequire(import.meta.url);
const folderOf = (name: string): string => dirname(require.resolve(`${name}/package.json`));
const FILES = join(folderOf('@modelcontextprotocol/server-filesystem'), 'dist/index.js');
const EVERYTHING = join(folderOf('@modelcontextprotocol/server-everything'), 'dist/index.js');
const LIVELY = fileURLToPath(new URL('../../../shared/test/helpers/lively-mcp.mjs', import.meta.url));

function writeConfig(cwd: string, more: Record<string, unknown> = {}): string {
  const path = join(cwd, 'mcp.json');
  const mcpServers = {
    files: { command: process.execPath, args: [FILES, cwd] },
    everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] },
    ...more,
  };
  writeFileSync(path, JSON.stringify({ mcpServers }));
  return path;
}

test('tools of MCP servers are asked about, run, and are told like our own; nothing of them is left', async () => {
  const { at, flags, server } = await startWorld([
    { output: [call('get-sum', { a: 2, b: 3 }, 'c1')] },
    { output: [call('list_directory', { path: '.' }, 'c2')] },
    'Five.',
  ]);
  const config = writeConfig(at.cwd, { gone: { command: '/nowhere/at/all' } });
  const coder = startCoder([...flags, '--mcp-config', config, 'proto'], at);
  expect(await coder.seen('mcp_status', ({ server: name }) => name === 'everything')).toMatchObject({ state: 'ready' });
  expect(await coder.seen('mcp_status', ({ server: name }) => name === 'gone')).toMatchObject({ state: 'failed' });
  coder.send('s1', { type: 'user_input', text: 'How much is it?' });
  const question = await coder.seen('exec_approval_request', ({ call_id }) => call_id === 'c1');
  expect(question).toMatchObject({ tool_name: 'get-sum', class: 'ask', rule: 'mcp: everything/get-sum' });
  coder.send('s2', { type: 'exec_approval', call_id: 'c1', decision: 'approved' });
  await coder.seen('exec_approval_request', ({ call_id }) => call_id === 'c2');
  coder.send('s3', { type: 'exec_approval', call_id: 'c2', decision: 'approved' });
  await coder.seen('task_complete');
  expect(await coder.seen('tool_execution_begin')).toMatchObject({ source: 'everything', title: 'everything/get-sum' });
  expect(await coder.seen('tool_execution_end')).toMatchObject({ success: true, result: expect.stringContaining('5') });
  const offered = ((server.requests[0]?.body['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
  expect(offered).toEqual(expect.arrayContaining(['bash', 'read', 'get-sum', 'list_directory']));
  coder.send('s4', { type: 'shutdown' });
  expect((await coder.ended).code).toBe(0);
  expect(processesWith(at.cwd)).toEqual([]);
});

test('a server that is trusted in the settings of the user may read without a question; the workspace cannot say so', async () => {
  const { at, flags } = await startWorld([{ output: [call('list_allowed_directories', {}, 'c1')] }, 'Listed.']);
  const config = writeConfig(at.cwd);
  writeFileSync(join(at.home, 'config.json'), JSON.stringify({ trustedMcp: ['files'] }));
  const { code, stdout } = await runCoder([...flags, '--mcp-config', config, 'exec', '--json', 'List'], at);
  expect(code).toBe(0);
  expect(eventsIn(stdout).find(({ msg }) => msg.type === 'tool_execution_end')?.msg.data).toMatchObject({
    success: true,
    result: expect.stringContaining(at.cwd),
  });
});

test('progress of a tool is told, and through the stock provider the same tools run', async () => {
  const { at, flags } = await startWorld([
    { output: [call('trigger-long-running-operation', { duration: 0.4, steps: 4 }, 'c1')] },
    'Long.',
  ]);
  const config = writeConfig(at.cwd);
  const args = ['--stock', '-a', 'never', '-s', 'danger_full_access', '--mcp-config', config];
  const { code, stdout } = await runCoder([...flags, ...args, 'exec', '--json', 'Take your time'], at);
  expect(code, stdout).toBe(0);
  const told = eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'tool_execution_progress' ? [msg.data] : []));
  expect(told[0]).toMatchObject({ call_id: 'c1', total: 4 });
});

test('a config of MCP servers that cannot be right: exit code 2, with the file', async () => {
  const { at, flags } = await startWorld([]);
  writeFileSync(join(at.cwd, 'bad.json'), '{"mcpServers": {"x": {}}}');
  const { code, stderr } = await runCoder([...flags, '--mcp-config', 'bad.json', 'exec', 'x'], at);
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('bad.json') });
});

test('a question of a server is answered in proto, and declined by exec with a word about it', async () => {
  const asks = { output: [call('trigger-elicitation-request', {}, 'c1')] };
  const { at, flags, server } = await startWorld([asks, 'Answered.', asks, 'Declined.']);
  const args = [...flags, '-a', 'never', '-s', 'danger_full_access', '--mcp-config', writeConfig(at.cwd)];
  const coder = startCoder([...args, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Ask me' });
  const question = await coder.seen('elicitation_request');
  expect(question).toMatchObject({ server: 'everything', mode: 'form', requested_schema: { type: 'object' } });
  coder.send('s0', { type: 'elicitation_answer', question_id: 'none', action: 'cancel' });
  await coder.seen('error', ({ code }) => code === 'bad_submission');
  const content = { name: 'Ada Lovelace' };
  coder.send('s2', { type: 'elicitation_answer', question_id: question.question_id, action: 'accept', content });
  await coder.seen('task_complete');
  expect(await coder.seen('elicitation_decision')).toMatchObject({ action: 'accept', by: 'user' });
  expect(JSON.stringify(server.requests[1]?.input)).toContain('Ada Lovelace');
  coder.send('s3', { type: 'shutdown' });
  await coder.ended;
  const { code, stdout } = await runCoder([...args, 'exec', '--json', 'Ask me'], at);
  expect(code).toBe(0);
  expect(eventsIn(stdout).flatMap(({ msg }) => (msg.type === 'warning' ? [msg.data] : []))).toMatchObject([
    { code: 'question_declined', message: expect.stringContaining('that nobody here can answer') },
  ]);
});

test('an answer that breaks the pattern of a field leaves the question open; behind one that fits, the input may end', async () => {
  const { at, flags, server } = await startWorld([{ output: [call('ask', { what: 'pattern' }, 'c1')] }, 'Answered.']);
  const lively = { command: process.execPath, args: [LIVELY] };
  const config = writeConfig(at.cwd, { lively });
  const coder = startCoder([...flags, '-a', 'never', '-s', 'danger_full_access', '--mcp-config', config, 'proto'], at);
  coder.send('s1', { type: 'user_input', text: 'Ask me' });
  const { question_id } = await coder.seen('elicitation_request');
  const accept = (id: string, content: Record<string, string>): void =>
    coder.send(id, { type: 'elicitation_answer', question_id, action: 'accept', content });
  accept('s2', { seat: '12G' });
  expect(await coder.seen('error')).toMatchObject({
    message: `The question ${question_id} is still open. seat: Expected a text that fits the pattern ^[0-9]+[A-F]$`,
  });
  accept('s3', { seat: '12F', word: `${'a'.repeat(60)}!` });
  await coder.seen('error', ({ message }) => message.includes('word: The pattern of this field takes too long'));
  accept('s4', { seat: '12F', word: 'aa' });
  coder.child.stdin?.end();
  await coder.ended;
  expect(JSON.stringify(server.requests[1]?.input)).toContain('12F');
});
