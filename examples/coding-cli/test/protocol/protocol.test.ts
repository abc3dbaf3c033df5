import { expect, test } from 'vitest';

import { parseSubmission } from '../../src/cli/proto.js';
import { CODER_EVENT } from '../../src/protocol/events.js';
import { protocolSchema } from '../../src/protocol/json-schema.js';
import { SUBMISSION } from '../../src/protocol/submissions.js';

const OPS = [
  { type: 'user_input', text: 'hello' },
  { type: 'interrupt' },
  { type: 'exec_approval', call_id: 'c1', decision: 'denied', reason: 'no' },
  { type: 'exec_approval', call_id: 'c1', decision: 'approved_always' },
  { type: 'plan_approval', call_id: 'p1', decision: 'approved', plan: 'changed', approval: 'on_request' },
  { type: 'set_mode', mode: 'plan' },
  { type: 'run_command', name: 'review', arguments: 'src' },
  { type: 'elicitation_answer', question_id: 'q1', action: 'accept', content: { name: 'Ada', age: 3 } },
  { type: 'compact' },
  { type: 'undo' },
  { type: 'shutdown' },
];

test.each(OPS)('$type is a submission', (op) => {
  expect(SUBMISSION.parse({ id: 's1', op })).toEqual({ id: 's1', op });
});

test('the events of the documentation are events', () => {
  const lines = [
    '{"id":"s1","seq":4,"timestamp":"2026-01-01T10:00:00.120Z","msg":{"type":"exec_approval_request","data":{"call_id":"call_1_2","tool_name":"bash","command":"npm test","arguments":{"command":"npm test"},"cwd":"/repo","class":"ask","reason":"not on the list of commands that only read","rule":"bash: npm test *"}}}',
    '{"id":"s2","seq":5,"timestamp":"2026-01-01T10:00:00.120Z","msg":{"type":"approval_decision","data":{"call_id":"call_1_2","decision":"approved_for_session","by":"user"}}}',
  ];
  for (const line of lines) expect(CODER_EVENT.parse(JSON.parse(line))).toEqual(JSON.parse(line));
  expect(CODER_EVENT.safeParse({ ...JSON.parse(lines[1] ?? ''), seq: 0 }).success).toBe(false);
});

test('a line that is no submission says why, with the id if it has one', () => {
  expect(parseSubmission('{"id":"x","op":{"type":"exec_approval","call_id":"c","decision":"yes"}}')).toMatchObject({
    id: 'x',
    problem: expect.stringContaining('approved_for_session'),
  });
  expect(parseSubmission('"text"')).toMatchObject({ id: '', problem: expect.any(String) });
});

test('the JSON schema names every event and every submission', () => {
  const text = JSON.stringify(protocolSchema());
  for (const { type } of OPS) expect(text).toContain(`"${type}"`);
  for (const type of ['session_configured', 'tool_execution_end', 'task_complete', 'shutdown_complete']) {
    expect(text).toContain(`"const":"${type}"`);
  }
});
