import { describe, expect, it } from 'vitest';
import type { Call } from '../../src/core/call.js';
import type { Message } from '../../src/core/message.js';
import { withInstructions } from '../../src/provider/check-choice.js';

const user: Message = { role: 'user', content: [{ type: 'text', text: 'Hello' }] };
const system = (text: string): Message => ({ role: 'system', text });
const said = '# Instructions of the tool server "docs"\nQuote pages.';
// Only the messages matter here.
const messagesOf = (messages: readonly Message[], instructions = [{ source: 'docs', text: 'Quote pages.' }]) =>
  withInstructions({ messages } as Call, instructions).messages;

describe('instructions of tool servers', () => {
  it('join the last system message, so that there is still one', () => {
    expect(messagesOf([system('One.'), system('Two.'), user])).toEqual([
      system('One.'),
      system(`Two.\n\n${said}`),
      user,
    ]);
  });

  it('become a system message where there is none', () => {
    expect(messagesOf([user])).toEqual([system(said), user]);
    expect(messagesOf([])).toEqual([system(said)]);
  });

  it('stay away from a system message that is only a change of effort, and from later ones', () => {
    const change: Message = { role: 'system', text: '', reasoningEffort: 'high' };
    expect(messagesOf([change, user, system('Late.')])).toEqual([system(said), change, user, system('Late.')]);
  });

  it('leave the very call alone when there are none', () => {
    const call = { messages: [user] } as unknown as Call;
    expect(withInstructions(call, [])).toBe(call);
  });
});
