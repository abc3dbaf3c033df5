import {
  convertToModelMessages,
  generateText,
  type ModelMessage,
  readUIMessageStream,
  streamText,
  type UIMessage,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { type ResponseDescription, type ScriptedRequest } from 'responses-loop/testing';
import type { ResponsesProviderSettings } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';

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
const thought = (summary: readonly string[], encrypted: string) => ({ type: 'reasoning', summary, encrypted }) as const;

/** Rounds whose calls nobody sees, before an answer. */
const CONVERSATIONS: Record<string, readonly ResponseDescription[]> = {
  'a call without a word': [calls('resp_1', ['add', { a: 1, b: 1 }])],
  'text before a call': [{ id: 'resp_1', output: [text('Let me add.'), add(1, 'call_1')] }],
  'several calls in several rounds': [
    { id: 'resp_1', output: [text('First two.'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [add(3, 'call_3')] },
    { id: 'resp_3', output: [add(4, 'call_4')] },
    { id: 'resp_4', output: [text('And one more.'), add(5, 'call_5')] },
  ],
  'calls that fail': [
    calls('resp_1', ['broken', {}], ['nobody', { x: 1 }], ['add', '{"a": 1,']),
    calls('resp_2', ['add', '{ "a" : 1,\n "b": 2 }']),
  ],
  'values and pictures': [calls('resp_1', ['find', {}], ['photo', {}])],
  'sealed reasoning before calls': [
    { id: 'resp_1', output: [thought(['I have to add.', 'Twice.'], 'sealed 1'), add(1, 'call_1'), add(2, 'call_2')] },
    { id: 'resp_2', output: [thought(['Once more.'], 'sealed 2'), text('Hm.'), add(3, 'call_3')] },
    { id: 'resp_3', output: [thought([], 'sealed 3'), add(4, 'call_4')] },
  ],
  'text behind a call': [{ id: 'resp_1', output: [add(1, 'call_1'), text('Meanwhile.')] }],
  'text between calls': [{ id: 'resp_1', output: [add(1, 'call_1'), text('Meanwhile.'), add(2, 'call_2')] }],
  'reasoning between calls': [
    {
      id: 'resp_1',
      output: [thought(['One.'], 'sealed 1'), add(1, 'call_1'), thought(['Two.'], 'sealed 2'), add(2, 'call_2')],
    },
  ],
  'labelled commentary': [
    { id: 'resp_1', output: [{ ...text('Let me add.'), phase: 'commentary' }, add(1, 'call_1')] },
  ],
  'repeated response and call ids': [
    { id: 'resp_0', output: [text('One.'), add(1, 'call_0')] },
    { id: 'resp_0', output: [text('Two.'), add(2, 'call_0')] },
  ],
};

/** As frameworks do that keep only the words of a text. */
function withoutMetadataOfTexts(content: ModelMessage['content']): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : part));
}

type Road = (rig: Rig) => Promise<ModelMessage[]>;

/** What an app keeps of a turn, in the three ways it can keep it; stored as JSON, like apps do. */
const ROADS: Record<string, Road> = {
  'response.messages of streamText': async ({ model }) => {
    const result = streamText({ model, prompt: question });
    await result.consumeStream();
    return stored([{ role: 'user', content: question }, ...(await result.response).messages]);
  },
  'response.messages of generateText': async ({ model }) => {
    const result = await generateText({ model, prompt: question });
    return stored([{ role: 'user', content: question }, ...result.response.messages]);
  },
  'UI messages': async ({ model }) => {
    const result = streamText({ model, prompt: question });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) answer = message;
    if (answer === undefined) throw new Error('no UI message');
    return convertToModelMessages(
      stored([{ id: '1', role: 'user', parts: [{ type: 'text', text: question }] }, answer]),
    );
  },
};

function stored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** The turn's last request and the first one of the next turn. */
async function twoTurns(
  rounds: readonly ResponseDescription[],
  road: Road,
  settings: ResponsesProviderSettings = {},
): Promise<{ live: ScriptedRequest | undefined; next: ScriptedRequest | undefined }> {
  const steps = [...rounds, says('resp_answer', 'That is it.'), says('resp_next', 'You are welcome.')];
  const played = await rig(steps.map(reply), { tools, backend: 'openai', ...settings });
  const messages = await road(played);
  await generateText({ model: played.model, messages: [...messages, { role: 'user', content: 'Thanks.' }] });
  return { live: played.requests.at(-2), next: played.requests.at(-1) };
}

describe.each(Object.entries(ROADS))('hidden rounds reach the next turn through %s', (_road, road) => {
  it.each(Object.entries(CONVERSATIONS))(
    '%s: the next request begins with exactly what the loop had sent',
    async (_name, rounds) => {
      const { live, next } = await twoTurns(rounds, road);
      expect(next?.input.slice(0, live?.input.length)).toEqual(live?.input);
      expect(outline(next).slice(live?.input.length)).toEqual(['says That is it.', 'user Thanks.']);
    },
  );

  it.each(Object.entries(CONVERSATIONS))(
    'carrier reasoning, %s: no text carries anything, and the next request begins with what the loop had sent',
    async (_name, rounds) => {
      const withoutTexts: Road = async (played) =>
        (await road(played)).map(
          (message) => ({ ...message, content: withoutMetadataOfTexts(message.content) }) as never,
        );
      const { live, next } = await twoTurns(rounds, withoutTexts, { carrier: 'reasoning' });
      // The server's labels of a text are metadata of it, too.
      const plain = (request: typeof live): unknown => request?.input.map(({ phase: _phase, ...item }) => item);
      expect(plain(next)).toEqual([...(plain(live) as unknown[]), expect.anything(), expect.anything()]);
    },
  );

  it('carrier none: nothing hidden travels, and what was said still does', async () => {
    const { next } = await twoTurns(CONVERSATIONS['several calls in several rounds'] ?? [], road, { carrier: 'none' });
    expect(outline(next)).toEqual([
      'user What is it?',
      'says First two.',
      'says And one more.',
      'says That is it.',
      'user Thanks.',
    ]);
  });
});

describe('the carrier', () => {
  it('sealed reasoning goes back only to the origin that made it', async () => {
    const rounds = CONVERSATIONS['sealed reasoning before calls'] ?? [];
    const messages = await ROADS['response.messages of streamText']?.(
      await rig([...rounds, says('resp_answer', 'That is it.')].map(reply), { tools, backend: 'openai' }),
    );
    const elsewhere = await rig([reply(says('resp_next', 'Hello.'))], { tools, backend: 'openai' });
    await generateText({
      model: elsewhere.model,
      messages: [...(messages ?? []), { role: 'user', content: 'Thanks.' }],
    });
    expect(outline(elsewhere.requests[0]).filter((line) => line.startsWith('thinks'))).toEqual([]);
    expect(outline(elsewhere.requests[0]).filter((line) => line.startsWith('call'))).toHaveLength(4);
  });

  it('is capped: an output of megabytes is cut with a mark, and still replayed', async () => {
    const big = toolOf(() => 'x'.repeat(190_000));
    const { live, next } = await twoTurns(
      [calls('resp_1', ['big', {}], ['big', {}])],
      ROADS['response.messages of streamText'] as Road,
      { tools: { big }, maxToolOutputChars: 200_000 },
    );
    expect(JSON.stringify(live?.input).length).toBeGreaterThan(380_000);
    expect(JSON.stringify(next?.input).length).toBeLessThan(260_000);
    expect(JSON.stringify(next?.input)).toContain('characters left out: too large to keep');
    expect(outline(next).filter((line) => line.startsWith('output'))).toHaveLength(2);
  });

  it('of an unknown version is passed over, not misread', async () => {
    const { model, requests } = await rig([reply(says('resp_1', 'Hi.'))]);
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'Hello' },
        {
          role: 'assistant',
          content: [
            {
              type: 'text',
              text: 'Hm.',
              providerOptions: { 'responses-loop': { carrier: { v: 3, calls: [{ callId: 'call_1' }] } } },
            },
          ],
        },
        { role: 'user', content: 'And?' },
      ],
    });
    expect(outline(requests[0])).toEqual(['user Hello', 'says Hm.', 'user And?']);
  });
});
