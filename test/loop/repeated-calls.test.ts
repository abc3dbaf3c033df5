import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Message, textOutput, type ToolCallContent } from '../../src/core/message.js';
import { readApprovals } from '../../src/loop/read-approvals.js';

const call = (text: string): ToolCallContent => ({ type: 'tool-call', callId: 'c', name: 't', arguments: text });

/** Characters that are parsed to read a history in which one long call comes back n times in short. */
function parsedFor(n: number): number {
  const parse = vi.spyOn(JSON, 'parse');
  const content = [call(`{"a":1${' '.repeat(100 * n)}}`), ...Array.from({ length: n }, () => call('{"a":1}'))];
  readApprovals([{ role: 'assistant', content }]);
  const parsed = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);
  parse.mockRestore();
  return parsed;
}

describe('a history that repeats a call', () => {
  afterEach(() => vi.restoreAllMocks());

  it('is read in time with its length, however long the call is that it repeats', () => {
    expect(parsedFor(400) / parsedFor(100)).toBeLessThanOrEqual(4.2);
  });
});

describe('a call that the user denied', () => {
  const denied = { type: 'approval', approvalId: 'responses-loop::c', approved: false } as const;
  const outputOf = (...answers: Extract<Message, { role: 'tool' }>['content'][number][]): unknown => {
    const { turns } = readApprovals([
      { role: 'assistant', content: [call('{}')] },
      { role: 'tool', content: answers },
    ]);
    const [turn] = turns;
    const entry = turn?.role === 'assistant' ? turn.entries[0] : undefined;
    return entry?.type === 'call' ? entry.output : undefined;
  };

  it('has an output that says so', () => {
    expect(outputOf(denied)).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('was denied') }],
    });
  });

  it('keeps the output that the history has', () => {
    const output = textOutput('Mine.');
    expect(outputOf(denied, { type: 'tool-result', callId: 'c', output })).toEqual(output);
  });
});
