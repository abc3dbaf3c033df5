import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorReply } from 'responses-loop/testing';
import { expect, test } from 'vitest';

import { call } from '../support/engine-rig.js';
import { newFolder } from '../support/folders.js';
import { eventsIn, lastTwo, linesOf, locksOf, rolloutsOf, runCoder, startWorld } from '../support/run-coder.js';

const ECHO = { output: [call('bash', { command: 'echo from the tool' }, 'c1')] };

test('without --json stdout holds the answer and nothing else', async () => {
  const { at, flags } = await startWorld([ECHO, 'It said so.']);
  const { code, stdout, stderr } = await runCoder([...flags, 'exec', 'Try'], at);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'It said so.\n' });
  expect(stderr).toContain('echo from the tool');
  expect(stderr).not.toContain('test-key-1234');
});

test('-q keeps stderr empty where nothing is wrong', async () => {
  const { at, flags } = await startWorld([ECHO, 'Fine.']);
  expect(await runCoder([...flags, '-q', 'exec', 'Try'], at)).toMatchObject({ code: 0, stdout: 'Fine.\n', stderr: '' });
  const failing = await startWorld([errorReply({ status: 400, message: 'No such model.' })]);
  const { stderr } = await runCoder([...failing.flags, '-q', 'exec', 'Try'], failing.at);
  expect(stderr).toMatch(/^coder: [^\n]*No such model\.[^\n]*\n$/);
});

test('- reads the prompt from stdin; an empty one is a mistake of usage', async () => {
  const { at, flags, server } = await startWorld(['Read.']);
  expect(await runCoder([...flags, 'exec', '-'], { ...at, input: 'From stdin\n' })).toMatchObject({ code: 0 });
  expect(JSON.stringify(server.requests[0]?.input)).toContain('From stdin');
  expect(await runCoder([...flags, 'exec', '-'], { ...at, input: ' \n' })).toMatchObject({ code: 2, stdout: '' });
});

test('a command of your own is expanded, and a text that only begins like one is not', async () => {
  const { at, flags, server } = await startWorld(['Reviewed.', 'Listed.']);
  mkdirSync(join(at.home, 'commands'), { recursive: true });
  writeFileSync(join(at.home, 'commands', 'review.md'), 'Review $ARGUMENTS with care.');
  expect(await runCoder([...flags, 'exec', '/review src and\ntest'], at)).toMatchObject({
    code: 0,
    stdout: 'Reviewed.\n',
  });
  expect(JSON.stringify(server.requests[0]?.input)).toContain(String.raw`Review src and\ntest with care.`);
  expect(await runCoder([...flags, 'exec', '/reviews of this'], at)).toMatchObject({ code: 0, stdout: 'Listed.\n' });
  expect(JSON.stringify(server.requests[1]?.input)).toContain('/reviews of this');
});

test('with --json stdout holds events and nothing else, and the last two say how it ended', async () => {
  const { at, flags } = await startWorld([ECHO, 'Done.']);
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Try'], at);
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(eventsIn(stdout).length);
  expect(eventsIn(stdout)[0]?.msg.type).toBe('session_configured');
  expect(lastTwo(stdout)).toEqual(['task_complete', 'shutdown_complete']);
  expect(locksOf(at.home)).toEqual([]);
});

test('a call that was denied because nobody could be asked: exit code 4', async () => {
  const { at, flags } = await startWorld([{ output: [call('bash', { command: 'touch made' })] }, 'I may not.']);
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Make it'], at);
  expect(code).toBe(4);
  expect(eventsIn(stdout).at(-2)?.msg).toMatchObject({ type: 'task_complete', data: { denials: 1 } });
  expect(existsSync(join(at.cwd, 'made'))).toBe(false);
});

test('a rule that is given with --allow is a yes that was said before', async () => {
  const { at, flags } = await startWorld([{ output: [call('bash', { command: 'touch made' })] }, 'Made.']);
  const { code, stdout } = await runCoder([...flags, '--allow', 'bash: touch *', 'exec', '--json', 'Make it'], at);
  expect(code).toBe(0);
  expect(eventsIn(stdout).find(({ msg }) => msg.type === 'approval_decision')?.msg.data).toMatchObject({ by: 'rule' });
  expect(existsSync(join(at.cwd, 'made'))).toBe(true);
});

test('the limit of turns: exit code 5, and the closing answer', async () => {
  const { at, flags } = await startWorld([ECHO, 'I had to stop.']);
  const { code, stdout } = await runCoder([...flags, '--max-turns', '1', 'exec', 'Go on'], at);
  expect({ code, stdout }).toEqual({ code: 5, stdout: 'I had to stop.\n' });
});

test('a task that failed: exit code 1, error and turn_aborted, no task_complete', async () => {
  const { at, flags } = await startWorld([errorReply({ status: 400, message: 'No such model.' })]);
  const { code, stdout } = await runCoder([...flags, 'exec', '--json', 'Try'], at);
  expect(code).toBe(1);
  expect(lastTwo(stdout)).toEqual(['turn_aborted', 'shutdown_complete']);
  expect(eventsIn(stdout).filter(({ msg }) => msg.type === 'error')).toHaveLength(1);
});

test('--resume and --last go on with a session; no or several such sessions: exit code 3', async () => {
  const { at, flags, server } = await startWorld(['One.', 'Two.', 'Three.', 'Other.']);
  await runCoder([...flags, 'exec', 'First'], at);
  const [path = ''] = rolloutsOf(at.home);
  const id = String(linesOf(path)[0]?.['id']);
  expect(await runCoder([...flags, 'exec', '--resume', id.slice(0, 8), 'Second'], at)).toMatchObject({ code: 0 });
  expect(await runCoder([...flags, 'exec', '--last', 'Third'], at)).toMatchObject({ stdout: 'Three.\n' });
  expect(server.requests.at(-1)?.input.filter(({ role }) => role === 'user')).toHaveLength(3);
  expect(rolloutsOf(at.home)).toHaveLength(1);
  expect(await runCoder([...flags, 'exec', '--resume', 'zzzz', 'x'], at)).toMatchObject({ code: 3, stdout: '' });
  await runCoder([...flags, 'exec', 'Another session'], at);
  const every = await runCoder([...flags, 'exec', '--resume', '', 'x'], at);
  expect(every.code).toBe(3);
  const elsewhere = { cwd: newFolder(), home: at.home };
  expect(await runCoder([...flags, 'exec', '--last', 'x'], elsewhere)).toMatchObject({ code: 3 });
});

test('a session of another folder goes on in its own', async () => {
  const { at, flags } = await startWorld(['One.', { output: [call('bash', { command: 'pwd' })] }, 'Two.']);
  await runCoder([...flags, 'exec', 'First'], at);
  const id = String(linesOf(rolloutsOf(at.home)[0] ?? '')[0]?.['id']);
  const elsewhere = { cwd: newFolder(), home: at.home };
  const { stdout } = await runCoder([...flags, 'exec', '--json', '--resume', id, 'Where?'], elsewhere);
  expect(eventsIn(stdout)[0]?.msg.data).toMatchObject({ cwd: at.cwd });
  expect(JSON.stringify(eventsIn(stdout))).toContain(`exit code 0\\n${at.cwd}`);
});

test('--output-last-message and --output-schema', async () => {
  const schema = {
    type: 'object',
    properties: { n: { type: 'integer' } },
    required: ['n'],
    additionalProperties: false,
  };
  const { at, flags, server } = await startWorld(['{"n":1}', 'one', '{"n":1}']);
  writeFileSync(join(at.cwd, 'schema.json'), JSON.stringify(schema));
  const args = [...flags, 'exec', '--output-schema', 'schema.json', '--output-last-message', 'out.txt', 'How many?'];
  expect(await runCoder(args, at)).toMatchObject({ code: 0, stdout: '{"n":1}\n' });
  expect(readFileSync(join(at.cwd, 'out.txt'), 'utf8')).toBe('{"n":1}');
  expect(server.requests[0]?.body['text']).toMatchObject({ format: { type: 'json_schema', schema } });
  expect(await runCoder(args, at)).toMatchObject({ code: 1, stdout: '' });
  mkdirSync(join(at.cwd, 'folder'));
  const nowhere = [...flags, 'exec', '--output-last-message', 'folder', 'How many?'];
  expect(await runCoder(nowhere, at)).toMatchObject({ code: 1, stdout: '{"n":1}\n' });
  writeFileSync(join(at.cwd, 'schema.json'), 'no json');
  expect(await runCoder(args, at)).toMatchObject({ code: 2 });
});

test('usage and settings: exit code 2, with what is wrong and where', async () => {
  const { at, flags } = await startWorld([]);
  const problem = async (args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runCoder(args, at);
    expect({ code, stdout }, stderr).toEqual({ code: 2, stdout: '' });
    return stderr;
  };
  expect(await problem([])).toContain('use `coder exec PROMPT`');
  expect(await problem(['exec'])).toContain('prompt');
  expect(await problem(['-a', 'sometimes', 'exec', 'x'])).toContain('unless_trusted');
  expect(await problem(['--offline', '--replay', 'x', 'exec', 'x'])).toContain('exclude');
  expect(await problem(['-C', 'nowhere', 'exec', 'x'])).toContain('nowhere');
  expect(await problem([...flags, '--env-file', 'nowhere', 'exec', 'x'])).toContain('nowhere');
  expect(await problem([...flags, '--allow', 'nonsense', 'exec', 'x'])).toContain('nonsense');
  writeFileSync(join(at.home, 'config.json'), '{"modle": "x"}');
  const said = await problem([...flags, 'exec', 'x']);
  expect(said).toContain(join(at.home, 'config.json'));
  expect(said).toContain('"modle"');
});

test('--stock answers through the stock provider, with the same tools; --record keeps it, --replay answers from it', async () => {
  const { at, flags, server } = await startWorld([ECHO, 'By the stock provider.', ECHO, 'Recorded.']);
  const { code, stdout } = await runCoder([...flags, '--stock', 'exec', '--json', 'Try'], at);
  expect(code).toBe(0);
  expect(eventsIn(stdout).map(({ msg }) => msg.type)).toContain('tool_execution_end');
  expect(eventsIn(stdout).at(-2)?.msg.data).toMatchObject({ last_agent_message: 'By the stock provider.' });
  expect(await runCoder([...flags, '--record', 'kept', 'exec', 'Try'], at)).toMatchObject({ code: 0 });
  expect(server.requests).toHaveLength(4);
  const replayed = await runCoder(['--replay', 'kept', 'exec', 'Try'], at);
  expect(replayed).toMatchObject({ code: 0, stdout: 'Recorded.\n' });
  expect(server.requests).toHaveLength(4);
});

test('--log writes every event of the provider, and no key', async () => {
  const { at, flags } = await startWorld([ECHO, 'Done.']);
  await runCoder([...flags, '--log', 'log.jsonl', 'exec', 'Try'], at);
  const kinds = linesOf(join(at.cwd, 'log.jsonl')).map(({ type }) => type);
  expect(kinds).toEqual(expect.arrayContaining(['call-start', 'request', 'tool-start', 'tool-end', 'call-end']));
  expect(readFileSync(join(at.cwd, 'log.jsonl'), 'utf8')).not.toContain('test-key-1234');
});

test('offline it works without any settings, and says who answers', async () => {
  const { at } = await startWorld([]);
  const { code, stdout, stderr } = await runCoder(['exec', 'hello'], at);
  expect({ code, isEmpty: stdout.trim() === '' }).toEqual({ code: 0, isEmpty: false });
  expect(stderr.split('\n')[0]).toContain('Demo model');
});
