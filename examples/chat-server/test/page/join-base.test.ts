import { describe, expect, it } from 'vitest';
import { joinBase } from '../../page/lib/join-base.js';
import type { ChatMessage, ChatPart } from '../../src/types.js';

const text = (words: string): ChatPart => ({ type: 'text', text: words });
const call = (toolCallId: string, rest: object): ChatPart =>
  ({ type: 'tool-writeFile', toolCallId, input: { path: 'a.md' }, ...rest }) as unknown as ChatPart;
const message = (id: string, role: ChatMessage['role'], ...parts: ChatPart[]): ChatMessage => ({ id, role, parts });

const asked = message('u1', 'user', text('Write a.md'));

describe('what stands there before a running turn is joined', () => {
  it('is everything, where the turn has stored nothing yet', () => {
    expect(joinBase([asked], { messageId: 'm1' })).toEqual({ messages: [asked], isContinued: false });
  });

  it('is without what the turn has stored of itself, which it plays again', () => {
    const half = message('m1', 'assistant', text('I begin'));
    expect(joinBase([asked, half], { messageId: 'm1' })).toEqual({ messages: [asked], isContinued: false });
  });

  it('is without the answer that is being made anew', () => {
    const old = message('m0', 'assistant', text('An older answer'));
    expect(joinBase([asked, old], { messageId: 'm1' })).toEqual({ messages: [asked], isContinued: false });
  });

  it('ends with the call that was approved, as it was before it ran', () => {
    const approval = { id: 'ap1', approved: true };
    const grown = message(
      'm1',
      'assistant',
      text('I write'),
      call('c1', { state: 'output-available', output: { ok: true }, approval }),
      text('and now'),
      call('c2', { state: 'output-available', output: { ok: true } }),
    );
    const before = message('m1', 'assistant', text('I write'), call('c1', { state: 'approval-responded', approval }));
    expect(joinBase([asked, grown], { messageId: 'm1' })).toEqual({ messages: [asked, before], isContinued: true });
  });

  it('is what the server says was there before sub-agents went on, without what they gave since', () => {
    const agent = (rest: object): ChatPart =>
      ({ type: 'tool-subAgent', toolCallId: 'c1', input: { task: 'Count' }, ...rest }) as unknown as ChatPart;
    const grown = message(
      'm1',
      'assistant',
      text('I hand it on'),
      agent({ state: 'output-available', output: { ok: true } }),
      text('It is done'),
    );
    const before = message('m1', 'assistant', text('I hand it on'), agent({ state: 'input-available' }));
    const joined = joinBase([asked, grown], { messageId: 'm1', partsBefore: 2 });
    expect(joined).toEqual({ messages: [asked, before], isContinued: true });
  });
});
