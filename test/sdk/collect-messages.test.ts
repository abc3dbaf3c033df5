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
