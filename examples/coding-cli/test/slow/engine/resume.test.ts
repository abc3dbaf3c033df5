import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { pastOf } from '../../../src/rollout/past.js';
import { readRollout } from '../../../src/rollout/read.js';
import { call, type Rig, startEngine, type Steps } from '../../support/engine-rig.js';
import { newFolder } from '../../support/folders.js';

const linesOf = (rig: Rig) =>
  readFileSync(rig.engine.session.rollout_path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const FIRST: Steps = [
  {
    output: [
      { type: 'reasoning', text: 'I think.', encrypted: 'sealed-thoughts' },
      { type: 'text', text: 'I look.' },
      call('bash', { command: 'echo one' }, 'c1'),
      call('read', { path: 'missing' }, 'c2'),
      call('nothing', { a: [1, { b: null }] }, 'c3'),
    ],
  },
  { output: [call('bash', { command: 'echo two' }, 'c4')] },
  { output: [{ type: 'text', text: ['Done ', 'and ', 'done.'] }] },
];

test('a resumed conversation sends what one that was never left would send', async () => {
  const left = await startEngine(FIRST);
  await left.say('First');
  await left.close();
  const resumed = await left.reopen(['Second answer.']);
  await resumed.say('Second');
  const stayed = await startEngine([...FIRST, 'Second answer.'], { workspace: left.workspace });
  await stayed.say('First');
  await stayed.say('Second');
  expect(resumed.requests.at(-1)?.input).toEqual(stayed.requests.at(-1)?.input);
  expect(resumed.requests.at(-1)?.input.length).toBeGreaterThan(9);
});

test('a resumed session appends to the same file and counts on', async () => {
  const rig = await startEngine(FIRST);
  await rig.say('First');
  await rig.close();
  const before = readFileSync(rig.engine.session.rollout_path, 'utf8');
  const again = await rig.reopen(['Second.']);
  expect(again.engine.session).toMatchObject({ resumed: true, rollout_path: rig.engine.session.rollout_path });
  await again.say('Second');
  expect(readFileSync(rig.engine.session.rollout_path, 'utf8').startsWith(before)).toBe(true);
  expect(linesOf(again).filter(({ type }) => type === 'user')).toMatchObject([{ turn: 1 }, { turn: 2 }]);
  expect(again.data('token_count')[0]?.session.total).toBeGreaterThan(again.data('token_count')[0]?.total ?? 0);
});

test('a part is written before the next one comes, a turn ends with its line', async () => {
  const rig = await startEngine(FIRST);
  await rig.say('First');
  const kinds = linesOf(rig).map(({ type, part }) => (part === undefined ? type : (part as { type: string }).type));
  expect(kinds.filter((kind) => kind !== 'event')).toEqual([
    'session_meta',
    'user',
    ...['reasoning', 'text', 'tool-call', 'tool-call', 'tool-call', 'tool-result', 'tool-result', 'tool-result'],
    ...['tool-call', 'tool-result', 'text'],
    'turn_end',
  ]);
});

test('a torn line is cut, a broken one is skipped with its number, and the session goes on', async () => {
  const rig = await startEngine(FIRST);
  await rig.say('First');
  await rig.close();
  const path = rig.engine.session.rollout_path;
  const lines = readFileSync(path, 'utf8').split('\n');
  const at = lines.findIndex((line) => line.includes('"tool-result"'));
  lines[at] = '{"type":"part","turn":1,"part":{"ty';
  writeFileSync(path, lines.join('\n'));
  appendFileSync(path, '{"type":"user","turn":2,"te');
  const again = await rig.reopen(['Second.']);
  expect(await again.say('Second')).toMatchObject({ type: 'task_complete' });
  expect(again.data('warning').map(({ message }) => message)).toEqual([
    expect.stringContaining(`line ${at + 1} is not JSON`),
    expect.stringContaining('cut off'),
  ]);
  const outputs = again.requests.at(-1)?.input.filter(({ type }) => type === 'function_call_output') ?? [];
  expect(outputs.map(({ call_id }) => call_id)).toEqual(['c1', 'c2', 'c3', 'c4']);
  expect(outputs[0]?.['output']).toContain('interrupted');
  expect(readRollout(path).problems).toHaveLength(1);
});

test('wherever a rollout is cut, what was whole before is there, and every call has one output', async () => {
  const rig = await startEngine(FIRST);
  await rig.say('First');
  await rig.close();
  const bytes = readFileSync(rig.engine.session.rollout_path);
  const whole = readRollout(rig.engine.session.rollout_path).lines;
  const path = `${newFolder()}/cut.jsonl`;
  const { toMessages } = await import('../../../src/engine/history.js');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: bytes.length }), async (length) => {
      writeFileSync(path, bytes.subarray(0, length));
      const { lines } = readRollout(path);
      expect(lines).toEqual(whole.slice(0, lines.length));
      expect(lines.length).toBe(bytes.subarray(0, length).toString().split('\n').length - 1);
      const { turns } = pastOf(lines);
      const content = (await toMessages(turns)).flatMap((message) =>
        typeof message.content === 'string' ? [] : (message.content as { type: string; toolCallId?: string }[]),
      );
      const idsOf = (kind: string) =>
        content.filter(({ type }) => type === kind).map(({ toolCallId = '' }) => toolCallId);
      expect(new Set(idsOf('tool-result'))).toEqual(new Set(idsOf('tool-call')));
      expect(idsOf('tool-result')).toHaveLength(idsOf('tool-call').length);
    }),
    { numRuns: 60 },
  );
});

test('a rollout of a newer program is not written on', async () => {
  const rig = await startEngine(['Hi.']);
  await rig.say('First');
  await rig.close();
  const path = rig.engine.session.rollout_path;
  writeFileSync(path, readFileSync(path, 'utf8').replace('"version":1', '"version":2'));
  await expect(rig.reopen([])).rejects.toThrow('newer version');
});

test('a session that is open is refused with the pid', async () => {
  const rig = await startEngine(['Hi.']);
  await rig.say('First');
  await expect(rig.reopen([])).rejects.toThrow(`process ${process.pid}`);
});

test('a session goes on in the mode it was left in, in none that is laxer than the settings, and in the one that is named', async () => {
  const rig = await startEngine(['One.', 'Two.']);
  await rig.say('First');
  rig.submit({ type: 'set_mode', mode: 'plan', approval: 'unless_trusted' });
  await rig.seen('mode_changed');
  await rig.close();
  const strict = await rig.reopen([]);
  expect(strict.data('session_configured')).toMatchObject([{ mode: 'plan', approval: 'unless_trusted' }]);
  expect(strict.engine.view.history.map(({ type }) => type)).not.toContain('mode_changed');
  await strict.close();
  const named = await rig.reopen([], { named: ['approval'], flags: { approval: 'on_failure' } });
  expect(named.engine.session).toMatchObject({ mode: 'plan', approval: 'on_failure' });
  named.submit({ type: 'set_mode', mode: 'work', approval: 'on_failure' });
  await named.seen('mode_changed');
  await named.close();
  const again = await rig.reopen([], { flags: { mode: 'plan' } });
  expect(again.engine.session).toMatchObject({ mode: 'plan', approval: 'on_request' });
});

test('a session that was planning goes on planning, also behind a command of the person', async () => {
  const rig = await startEngine(['One.'], { flags: { mode: 'plan' } });
  await rig.say('First');
  const id = rig.submit({ type: 'user_command', command: 'true' });
  await rig.seen('task_complete', (_data, event) => event.id === id);
  await rig.close();
  const again = await rig.reopen(['Two.']);
  expect(again.engine.session).toMatchObject({ mode: 'plan', approval: 'on_request' });
});
