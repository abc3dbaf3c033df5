import { describe, expect, it } from 'vitest';
import { AskedCalls } from '../../src/approval/asked-calls.js';
import type { ChatChunk } from '../../src/types.js';

const question = (toolCallId: string): ChatChunk => ({ type: 'tool-approval-request', approvalId: 'ap_1', toolCallId });

describe('a question in the stream', () => {
  it('says why it is asked, and what "Always in this chat" would allow', () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', {
      verdict: {
        decision: 'ask',
        reason: 'it commits',
        grant: { kind: 'command', rule: 'git commit -m <text> <paths>' },
      },
    });
    expect(asked.describe('chat_1', question('call_1'))).toEqual({
      ...question('call_1'),
      approvalDescriptor: {
        class: 'ask',
        reason: 'it commits',
        always: true,
        rule: 'shell: git commit -m <text> <paths>',
      },
    });
  });

  it('offers no "always" for what is dangerous', () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', { verdict: { decision: 'ask', reason: 'it deletes', isDangerous: true } });
    expect(asked.describe('chat_1', question('call_1'))).toMatchObject({
      approvalDescriptor: { class: 'danger', always: false },
    });
  });

  it('says nothing of a call of another chat, or of a turn that is over', () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', { verdict: { decision: 'ask', reason: 'it writes' } });
    expect(asked.describe('chat_2', question('call_1'))).toEqual(question('call_1'));
    asked.endTurn('chat_1');
    expect(asked.describe('chat_1', question('call_1'))).toEqual(question('call_1'));
  });

  it('is the only chunk that is changed', () => {
    const chunk: ChatChunk = { type: 'text-delta', id: 't', delta: 'quack' };
    expect(new AskedCalls().describe('chat_1', chunk)).toBe(chunk);
  });
});
