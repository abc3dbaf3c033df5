import { expect, it } from 'vitest';
import { checkChatRequest } from '../../src/chat/check-request.js';

const MESSAGE = { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] };
const REQUEST = { id: 's1', trigger: 'submit-message', message: MESSAGE };

it('a request may name its client and its tab', () => {
  const named = { ...REQUEST, clientId: 'browser', tabId: 'tab' };
  expect(checkChatRequest(named)).toMatchObject(REQUEST);
});

it('a request with a field that nobody knows is refused, and the field is named', () => {
  expect(() => checkChatRequest({ ...REQUEST, clientIds: 'browser' })).toThrow('clientIds');
});
