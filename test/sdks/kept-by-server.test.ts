import { generateText, jsonSchema, stepCountIs, tool, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponseDescription } from 'responses-loop/testing';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { itemsOfType, outputs } from '../acceptance/support/wire.js';

const add = (callId: string) => ({ type: 'call', name: 'add', arguments: { a: 1, b: 1 }, callId }) as const;
const ask = { type: 'call', name: 'ask', arguments: {}, callId: 'call_ask' } as const;
const meanwhile = { type: 'text', text: 'Meanwhile.' } as const;
const thought = { type: 'reasoning', summary: ['Hm.'], encrypted: 'sealed' } as const;
const compaction = { type: 'item', item: { type: 'compaction', id: 'cmp_1', encrypted_content: 'sealed' } } as const;

const ROUNDS: Readonly<Record<string, NonNullable<ResponseDescription['output']>>> = {
  'nothing else': [add('call_own'), ask],
  'a text between': [add('call_own'), meanwhile, ask],
  'a text behind': [add('call_own'), ask, meanwhile],
  'a compaction between': [add('call_own'), compaction, ask],
  'reasoning between': [add('call_own'), thought, ask],
  'reasoning behind': [add('call_own'), ask, thought],
};

describe.each([false, true])('with a conversation that the server keeps (loop tools declared: %s)', (declared) => {
  it.each(Object.entries(ROUNDS))(
    'a round shared with the caller’s tools is answered whole, and nothing is sent twice: %s',
    async (_name, output) => {
      const { model, requests, provider } = await rig(
        [
          reply({ id: 'resp_0', output: [add('call_first')] }),
          reply({ id: 'resp_1', output }),
          reply(says('resp_2', 'Done.')),
          reply(says('resp_3', 'Bye.')),
        ],
        { backend: 'openai', tools: { add: adder().add } },
      );
      const tools: ToolSet = {
        ...(declared ? await provider.tools() : {}),
        ask: tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'yes' }),
      };
      const providerOptions = { openai: { conversation: 'conv_1' } };
      const options = { model, tools, stopWhen: stepCountIs(3), providerOptions };
      const first = await generateText({ ...options, prompt: 'Go.' });
      const messages = first.steps.at(-1)?.response.messages ?? [];
      await generateText({
        ...options,
        messages: [{ role: 'user', content: 'Go.' }, ...messages, { role: 'user', content: 'Thanks.' }],
      });
      const [, second, third, fourth] = requests;
      expect(outputs(second)).toEqual([['call_first', '2']]);
      expect(new Map(outputs(third))).toEqual(
        new Map([
          ['call_own', '2'],
          ['call_ask', 'yes'],
        ]),
      );
      expect(outputs(third)).toHaveLength(2);
      expect(outputs(fourth)).toEqual([]);
      expect(itemsOfType(fourth, 'message')).toHaveLength(1);
    },
  );
});
