import type { JsonObject, JsonValue } from '../../../src/core/json.js';
import { user } from './histories.js';
import type { Crowd } from './scenario.js';

const assistant = (content: readonly JsonObject[]): JsonObject => ({ role: 'assistant', content: [...content] });
const times = <T>(count: number, make: (at: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));

const toolCall = (toolCallId: string, at: number): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: { m: `posted ${at}` },
  providerExecuted: true,
});
const toolTurn = (id: string, at: number): JsonObject[] => [
  assistant([toolCall(id, at)]),
  {
    role: 'tool',
    content: [{ type: 'tool-result', toolCallId: id, toolName: 'look', output: { type: 'text', value: 'w' } }],
  },
];

const CROWDS: { readonly [K in Crowd['of']]: (count: number) => JsonObject[] } = {
  turns: (count) => times(count, (at) => (at % 2 === 0 ? user('w') : assistant([{ type: 'text', text: 'w' }]))),
  'turns-one-id': (count) => times(count, (at) => toolTurn('c1', at)).flat(),
  'carried-one-id': (count) => [
    assistant([
      {
        type: 'text',
        text: 'w',
        providerOptions: {
          'responses-loop': {
            carrier: {
              v: 1,
              calls: times(count, (at) => ({ callId: 'a', name: 'look', arguments: JSON.stringify({ at }) })),
            },
          },
        },
      },
    ]),
  ],
  denials: (count) => [
    assistant(times(count, (at) => toolCall(`c${at}`, at))),
    {
      role: 'tool',
      content: times(count, (at) => ({
        type: 'tool-approval-response',
        approvalId: `responses-loop::c${at}`,
        approved: false,
      })),
    },
  ],
  reason: (count) => [
    assistant([toolCall('c1', 0)]),
    {
      role: 'tool',
      content: [
        {
          type: 'tool-approval-response',
          approvalId: 'responses-loop::c1',
          approved: false,
          reason: `${' '.repeat(count)}x`,
        },
      ],
    },
  ],
  'same-words': (count) => [assistant(times(count, () => ({ type: 'text', text: 'w' })))],
  'deep-metadata': (count) => [
    assistant([{ type: 'text', text: 'w', providerOptions: { 'responses-loop': { carrier: nested(count) } } }]),
  ],
};

function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { v: 1, before: value };
  return { v: 1, before: [{ type: 'web_search_call', x: value }] };
}

export function crowdOf({ of, count }: Crowd): JsonObject[] {
  return CROWDS[of](count);
}
