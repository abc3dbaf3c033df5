import { describe, expect, it } from 'vitest';
import { checkChatRequest } from '../../src/chat/check-request.js';
import { plainTitle } from '../../src/chat/commands.js';
import { describeError } from '../../src/chat/describe-error.js';

// Each of these kept the server busy for minutes or for ever: nothing else runs meanwhile, so only a time limit fails here.
describe('a text that was made to keep the server busy', () => {
  it('is refused as the address of a file', () => {
    const url = `data:image/png${';a=b=c'.repeat(40)}!`;
    const file = { type: 'file', mediaType: 'image/png', url };
    const message = { id: 'u1', role: 'user', parts: [file] };
    expect(() => checkChatRequest({ id: 's', trigger: 'submit-message', message })).toThrow('base64');
  });

  it('is cut as an error of a server', () => {
    const { message } = describeError(new Error('http://'.repeat(200_000)));
    expect(message).toHaveLength(401);
    expect(describeError(new Error(' [http://'.repeat(200_000))).message).toHaveLength(401);
  });

  it('is cut as a title that a model found', () => {
    expect(plainTitle(`a${'"'.repeat(500_000)}b`)).toBe('a');
  });
});

describe('a secret', () => {
  it('is taken out of an error before it is cut', () => {
    const secret = 'the-secret-of-the-server';
    const { message } = describeError(new Error(`${'x'.repeat(390)}${secret}`), [secret]);
    expect(message).toBe(`${'x'.repeat(390)}…`);
  });

  it('is not shown in part where a long error is cut first', () => {
    const secret = 'the-secret-of-the-server';
    const { message } = describeError(new Error(secret.repeat(1_000)), [secret]);
    expect(message).not.toContain('the-');
  });
});
