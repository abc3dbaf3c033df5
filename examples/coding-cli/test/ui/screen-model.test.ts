import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EventMessage } from '../../src/protocol/events.js';
import { liveRows } from '../../src/ui/live-rows.js';
import { textOfRow, widthOfRow } from '../../src/ui/rows.js';
import { ScreenModel } from '../../src/ui/screen-model.js';

function printed(messages: readonly EventMessage[]): string[] {
  const model = new ScreenModel();
  for (const msg of messages) model.handle({ id: 't', msg });
  return model.takeRows().map(textOfRow);
}

const begin = (callId: string): EventMessage => ({
  type: 'tool_execution_begin',
  data: {
    call_id: callId,
    tool_name: 'bash',
    source: 'local',
    arguments: { command: `run ${callId}` },
    title: `run ${callId}`,
  },
});
const end = (callId: string, result: string): EventMessage => ({
  type: 'tool_execution_end',
  data: { call_id: callId, success: true, result, title: `run ${callId}`, duration_ms: 1 },
});
const delta = (text: string): EventMessage => ({ type: 'agent_message_delta', data: { text } });
const message = (text: string): EventMessage => ({ type: 'agent_message', data: { text } });

describe('the transcript', () => {
  it('has a text once, though a tool begins before it is said to have ended', () => {
    expect(
      printed([delta('I look.'), begin('a'), message('I look.'), end('a', 'exit code 0\nx'), message('Done.')]),
    ).toEqual(['● I look.', '', '✓ run a', '  │ x', '', '● Done.']);
  });

  it('has an empty row above an answer from its first word on', () => {
    const model = new ScreenModel();
    for (const msg of [begin('a'), end('a', 'exit code 0'), delta('Done ')]) model.handle({ id: 't', msg });
    model.takeRows();
    expect(model.openRows.map(textOfRow)).toEqual(['', '● Done']);
    model.handle({ id: 't', msg: message('Done ') });
    expect(model.takeRows().map(textOfRow)).toEqual(['', '● Done']);
  });

  it('tells of a summary what it stands for, and what to do next', () => {
    const summary = (kept_turns: number, tokens: number): EventMessage[] => [
      { type: 'compaction_started', data: { tokens, by: 'limit' } },
      { type: 'compaction_complete', data: { before_tokens: tokens, kept_turns } },
    ];
    expect(printed(summary(0, 0))).toEqual([
      'ℹ Summarizing the conversation …',
      '',
      'ℹ Summarized the conversation. Send your message again.',
    ]);
    expect(printed(summary(2, 7000)).join(' ')).toContain('(7,000 tokens before); the last 2 turns are kept');
  });

  it('has a text whole, though a tool ends while it still comes', () => {
    const rest = [begin('a'), end('a', 'exit code 0'), delta('for it.'), message('I look for it.')];
    expect(printed([delta('I look '), ...rest])).toEqual(['● I look for it.', '', '✓ run a']);
  });

  it('shows the end of what a command printed, and how much more there was', () => {
    const result = `exit code 0\n${Array.from({ length: 9 }, (_, index) => `line ${index}`).join('\n')}`;
    expect(printed([begin('a'), end('a', result)]).slice(1)).toEqual([
      '  │ … 4 more lines (Ctrl-O)',
      ...[4, 5, 6, 7, 8].map((index) => `  │ line ${index}`),
    ]);
  });

  it('says of a call that was denied why, and by whom', () => {
    const denied: EventMessage = {
      type: 'approval_decision',
      data: { call_id: 'a', decision: 'denied', by: 'policy', tool_name: 'bash', reason: 'it would delete everything' },
    };
    expect(printed([denied])).toEqual(['✗ bash', '  not allowed: it would delete everything']);
  });

  it('says what undo did, which is no conversation', () => {
    const done: EventMessage = { type: 'task_complete', data: { last_agent_message: 'Put back: a.txt', denials: 0 } };
    expect(printed([{ type: 'task_started', data: {} }, done])).toEqual(['ℹ Put back: a.txt']);
  });
});

describe('a plan', () => {
  const lines = (status: 'completed' | 'pending'): string[] =>
    printed([
      { type: 'task_started', data: {} },
      { type: 'todo_update', data: { todos: [{ content: 'Mend it', status }] } },
      { type: 'task_complete', data: { last_agent_message: '', denials: 0 } },
    ]);

  it('is printed with its open steps when the task ends, and not once more if all are done', () => {
    expect(lines('pending')).toEqual(['  ☐ Mend it']);
    expect(lines('completed')).toEqual([]);
  });
});

describe('what is still changing', () => {
  const EVENTS = fc.constantFrom<EventMessage>(
    delta('some words '),
    delta('a line\n'),
    message('all of it'),
    begin('a'),
    begin('b'),
    end('a', 'x\n'.repeat(50)),
    {
      type: 'tool_execution_progress',
      data: { call_id: 'a', output: 'out\n'.repeat(9), progress: 1, total: 2, message: '漢'.repeat(90) },
    },
    { type: 'agent_reasoning_delta', data: { text: 'thinking about it '.repeat(30) } },
    {
      type: 'todo_update',
      data: { todos: Array.from({ length: 9 }, (_, index) => ({ content: `${index}`.repeat(60), status: 'pending' })) },
    },
    { type: 'task_started', data: {} },
    { type: 'task_complete', data: { last_agent_message: '', denials: 0 } },
  );

  it('is never more than twelve rows, nor wider than the terminal, whatever happens', () => {
    fc.assert(
      fc.property(
        fc.array(EVENTS),
        fc.integer({ min: 20, max: 100 }),
        fc.integer({ min: 0, max: 30 }),
        (events, columns, budget) => {
          const model = new ScreenModel();
          model.columns = columns;
          for (const msg of events) {
            model.handle({ id: 't', msg });
            const rows = liveRows(model, { budget, now: Date.now() });
            expect(rows.length).toBeLessThanOrEqual(Math.min(12, budget));
            for (const live of [...rows, ...model.takeRows()]) expect(widthOfRow(live)).toBeLessThanOrEqual(columns);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
