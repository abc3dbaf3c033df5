import { describe, expect, it } from 'vitest';
import { AskedCalls } from '../../src/approval/asked-calls.js';
import type { ChatChunk } from '../../src/types.js';

const question = (toolCallId: string): ChatChunk => ({ type: 'tool-approval-request', approvalId: 'ap_1', toolCallId });

async function described(asked: AskedCalls, sessionId: string, chunk: ChatChunk): Promise<ChatChunk | undefined> {
  const { readable, writable } = asked.describe(sessionId);
  const writer = writable.getWriter();
  void writer.write(chunk);
  const { value } = await readable.getReader().read();
  return value;
}

describe('a question in the stream', () => {
  it('says why it is asked, and what "Always in this chat" would allow', async () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', {
      decision: 'ask',
      reason: 'it commits',
      grant: { kind: 'command', rule: 'git commit *' },
    });
    expect(await described(asked, 'chat_1', question('call_1'))).toEqual({
      ...question('call_1'),
      approvalDescriptor: { class: 'ask', reason: 'it commits', always: true, rule: 'shell: git commit *' },
    });
  });

  it('offers no "always" for what is dangerous', async () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', { decision: 'ask', reason: 'it deletes', isDangerous: true });
    expect(await described(asked, 'chat_1', question('call_1'))).toMatchObject({
      approvalDescriptor: { class: 'danger', always: false },
    });
  });

  it('says nothing of a call of another chat, or of a turn that is over', async () => {
    const asked = new AskedCalls();
    asked.add('chat_1', 'call_1', { decision: 'ask', reason: 'it writes' });
    expect(await described(asked, 'chat_2', question('call_1'))).toEqual(question('call_1'));
    asked.endTurn('chat_1');
    expect(await described(asked, 'chat_1', question('call_1'))).toEqual(question('call_1'));
  });

  it('is the only chunk that is changed', async () => {
    const chunk: ChatChunk = { type: 'text-delta', id: 't', delta: 'quack' };
    expect(await described(new AskedCalls(), 'chat_1', chunk)).toBe(chunk);
  });
});
