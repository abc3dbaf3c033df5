import { expect, it } from 'vitest';
import { collectMessages } from '../../src/sdk/parts/collect-messages.js';

it('messagesSoFar keeps the result of each call, also where a server counts the calls of each response from one', async () => {
  const step = (n: number): object[] => [
    { type: 'start-step' },
    { type: 'tool-call', toolCallId: 'call_1', toolName: 'add', input: { n } },
    { type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output: `sum ${n}` },
    { type: 'finish-step' },
  ];
  const messages = await collectMessages([...step(1), ...step(2), { type: 'finish' }]);
  expect(messages.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool']);
  expect(messages[3]?.content).toMatchObject([{ toolCallId: 'call_1', output: { value: 'sum 2' } }]);
});

it('messagesSoFar keeps the answer of a user to an approval, and the denial of the call', async () => {
  const toolCall = { toolCallId: 'call_1', toolName: 'add', input: { n: 1 } };
  const messages = await collectMessages([
    { type: 'start-step' },
    { type: 'tool-call', ...toolCall },
    { type: 'tool-approval-request', approvalId: 'a1', toolCall },
    { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'No.', toolCall },
    { type: 'finish-step' },
  ]);
  expect(messages[1]?.content).toEqual([
    { type: 'tool-approval-response', approvalId: 'a1', approved: false, reason: 'No.' },
    { type: 'tool-result', toolCallId: 'call_1', toolName: 'add', output: { type: 'execution-denied', reason: 'No.' } },
  ]);
});
