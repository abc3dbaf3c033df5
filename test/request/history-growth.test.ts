import { describe, expect, it } from 'vitest';
import { readApprovals } from '../../src/loop/read-approvals.js';
import { fromPrompt } from '../../src/sdk/prompt/from-prompt.js';
import { shortHash } from '../../src/util/hash.js';
import { growthOf } from '../growth/count-steps.js';
import { inputOf, user } from './support/build.js';

type Prompt = readonly unknown[];

const times = <T>(n: number, make: (i: number) => T): T[] => Array.from({ length: n }, (_, i) => make(i));
const call = (toolCallId: string, i: number): object => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'add',
  input: { i },
});
const result = (toolCallId: string, i: number): object => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'add',
  output: { type: 'text', value: String(i) },
});
const carried = (entries: object): object => ({
  role: 'assistant',
  content: [{ type: 'text', text: 'A', providerOptions: { 'responses-loop': { carrier: { v: 1, ...entries } } } }],
});

const round = (id: string, entries: object): object => ({
  ...call(id, 0),
  providerOptions: { 'responses-loop': { carrier: { v: 1, ...entries } } },
});
const hidden = (callId: string): object => ({ callId, name: 't', arguments: '{}' });

const HISTORIES: Readonly<Record<string, (n: number) => Prompt>> = {
  'turns that all use one call id': (n) =>
    times(n, (i) => [
      { role: 'assistant', content: [call('call_0', i)] },
      { role: 'tool', content: [result('call_0', i)] },
    ]).flat(),
  'calls with one id in one message': (n) => [{ role: 'assistant', content: times(n, (i) => call('a', i)) }],
  'outputs with one id behind one call': (n) => [
    { role: 'assistant', content: [call('a', 0), ...times(n, (i) => result('a', i))] },
  ],
  'hidden calls that share an id': (n) => [
    carried({ calls: times(n, (i) => ({ callId: 'a', name: 't', arguments: JSON.stringify({ i }) })) }),
  ],
  'a call that carries a round': (n) => [
    {
      role: 'assistant',
      content: [
        ...times(n, (i) => call(`shown${i}`, i)),
        round('a', {
          calls: times(n, (i) => hidden(`h${i}`)),
          order: times(n, (i) => [`h${n - i}`, `shown${n - i}`, 'a', `h${i}`]).flat(),
        }),
      ],
    },
  ],
  'calls that each carry a round': (n) => [
    {
      role: 'assistant',
      content: times(n, (i) => round(`a${i}`, { calls: [hidden('h')], order: ['h', `a${n - i}`, 'nobody'] })),
    },
  ],
  'texts that each carry a round with places': (n) => [
    {
      role: 'assistant',
      content: [
        ...times(n, (i) => call(`shown${i}`, i)),
        ...times(n, (i) => ({
          type: 'text',
          text: 'A',
          providerOptions: {
            'responses-loop': {
              place: { round: `r${i % 2}`, at: n - i },
              carrier: {
                v: 2,
                round: `r${i}`,
                entries: [
                  { at: n, ...hidden(`h${i}`) },
                  { at: i, callId: `shown${n - i}` },
                ],
              },
            },
          },
        })),
      ],
    },
  ],
  'parts that stand behind calls': (n) => [
    carried({ behind: times(n, () => 'a') }),
    {
      role: 'assistant',
      content: [
        ...times(n, () => ({
          type: 'text',
          text: 'A',
          providerOptions: { 'responses-loop': { carrier: { v: 1, behind: ['a'], callsBefore: [hidden('a')] } } },
        })),
        round('a', { order: ['a'] }),
      ],
    },
  ],
  'items of one type with one call id': (n) => [
    carried({
      before: times(n, () => [
        { type: 'shell_call', call_id: 'a' },
        { type: 'shell_call_output', call_id: 'a', output: [] },
      ]).flat(),
    }),
  ],
  'the same words in every answer': (n) =>
    times(n, () => ({ role: 'assistant', content: [{ type: 'text', text: 'A' }] })),
  'denials of calls': (n) =>
    times(n, (i) => [
      { role: 'assistant', content: [call(`c${i}`, i)] },
      {
        role: 'tool',
        content: [{ type: 'tool-approval-response', approvalId: `responses-loop::c${i}`, approved: false }],
      },
    ]).flat(),
  'repeated calls that were denied': (n) =>
    times(n, () => [
      { role: 'assistant', content: [call('a', 0)] },
      { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'responses-loop::a', approved: false }] },
      { role: 'tool', content: [result('a', 0)] },
    ]).flat(),
};

describe('the work for a posted history grows no faster than the history', () => {
  it.each(Object.entries(HISTORIES))('%s', async (_name, history) => {
    const convert = (n: number): void => {
      const prompt = [user('Hi'), ...history(n), user('Go on.')];
      const { messages } = fromPrompt(prompt);
      readApprovals(messages);
      inputOf(prompt, { backend: 'vllm' });
    };
    expect(await growthOf(convert, 400)).toBeLessThan(1.1);
  });

  it('every item gets its own call id, one that nothing later in the prompt uses', () => {
    const planted = `call_${shortHash('a:2')}`;
    const ids = inputOf([
      { role: 'assistant', content: [call('a', 0), call('a', 1), call(planted, 2)] },
      carried({ before: [{ type: 'shell_call', call_id: 'x', environment: { type: 'container_reference' } }] }),
      { role: 'assistant', content: [call('x', 3)] },
    ]).flatMap((item) => (item['output'] === undefined ? (item['call_id'] ?? []) : []));
    expect(new Set(ids).size).toBe(5);
    expect(ids.slice(0, 3)).toEqual(['a', `call_${shortHash('a:3')}`, planted]);
    expect(ids[3]).toBe('x');
  });
});
