import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import type { ResponseDescription, ScriptedRequest } from 'responses-loop/testing';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { itemsOfType, outline, outputs } from '../acceptance/support/wire.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const question = 'What is it?';
const tools = {
  add: adder().add,
  broken: toolOf(() => Promise.reject(new Error('disk full'))),
  find: toolOf(() => ({ ducks: 3, where: ['pond'] })),
  photo: toolOf(() => ({
    content: [
      { type: 'text', text: 'A duck:' },
      { type: 'image', data: PIXEL, mimeType: 'image/png' },
    ],
  })),
};

const add = (a: number, callId: string) => ({ type: 'call', name: 'add', arguments: { a, b: 1 }, callId }) as const;
const text = (said: string) => ({ type: 'text', text: said }) as const;

const CONVERSATIONS: Record<string, readonly ResponseDescription[]> = {
  'text and calls in turns': [
    { id: 'resp_1', output: [text('First two.'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [text('One more.'), add(3, 'call_3')] },
  ],
  'a call that fails': [calls('resp_1', ['broken', {}])],
  'arguments in the model’s own spelling': [calls('resp_1', ['add', '{ "a" : 1,\n "b": 2 }'])],
  'values and pictures': [calls('resp_1', ['find', {}], ['photo', {}])],
  'sealed reasoning': [
    { id: 'resp_1', output: [{ type: 'reasoning', summary: ['I add.'], encrypted: 'sealed' }, add(1, 'call_1')] },
  ],
};

type Road = (rig: Rig, stubs: ToolSet) => Promise<ModelMessage[]>;

const ROADS: Record<string, Road> = {
  'response.messages of streamText': async ({ model }, stubs) => {
    const result = streamText({ model, prompt: question, tools: stubs });
    await result.consumeStream();
    return [{ role: 'user', content: question }, ...(await result.response).messages];
  },
  'response.messages of generateText': async ({ model }, stubs) => {
    const result = await generateText({ model, prompt: question, tools: stubs });
    return [{ role: 'user', content: question }, ...result.response.messages];
  },
  'UI messages': async ({ model }, stubs) => {
    const result = streamText({ model, prompt: question, tools: stubs });
    let answer: UIMessage | undefined;
    // The SDK masks error texts unless it is told what to show.
    const stream = result.toUIMessageStream({ onError: (error) => String(error) });
    for await (const message of readUIMessageStream({ stream })) answer = message;
    if (answer === undefined) throw new Error('no UI message');
    return convertToModelMessages([{ role: 'user', parts: [{ type: 'text', text: question }] }, answer]);
  },
};

async function twoTurns(
  rounds: readonly ResponseDescription[],
  road: Road,
): Promise<{ live: ScriptedRequest | undefined; next: ScriptedRequest | undefined }> {
  const steps = [...rounds, says('resp_answer', 'That is it.'), says('resp_next', 'You are welcome.')];
  const played = await rig(steps.map(reply), { tools, backend: 'openai' });
  const stubs = await played.provider.tools();
  const messages = JSON.parse(JSON.stringify(await road(played, stubs))) as ModelMessage[];
  await generateText({
    model: played.model,
    tools: stubs,
    messages: [...messages, { role: 'user', content: 'Thanks.' }],
  });
  return { live: played.requests.at(-2), next: played.requests.at(-1) };
}

describe.each(Object.entries(ROADS))('I19 I20 visible rounds reach the next turn through %s', (_road, road) => {
  it.each(Object.entries(CONVERSATIONS))(
    'I20 %s: the next request begins with what the loop had sent',
    async (_name, rounds) => {
      const { live, next } = await twoTurns(rounds, road);
      expect(next?.input.slice(0, live?.input.length)).toEqual(live?.input);
      expect(outline(next).slice(live?.input.length)).toEqual(['says That is it.', 'user Thanks.']);
    },
  );

  it('I16 rounds with nothing but calls: each call and each output once, in order', async () => {
    const { live, next } = await twoTurns(
      [calls('resp_1', ['add', { a: 1, b: 1 }]), calls('resp_2', ['add', { a: 2, b: 2 }], ['find', {}])],
      road,
    );
    expect(itemsOfType(next, 'function_call')).toEqual(itemsOfType(live, 'function_call'));
    expect(outputs(next)).toEqual(outputs(live));
    expect(outline(next).slice(-2)).toEqual(['says That is it.', 'user Thanks.']);
  });
});
