import {
  jsonSchema,
  lastAssistantMessageIsCompleteWithToolCalls,
  safeValidateUIMessages,
  stepCountIs,
  streamText,
  tool,
  type ToolSet,
  uiMessageChunkSchema,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { errorEvent, responseEvents } from 'responses-loop/testing';
import { calls, reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import { adder, toolOf } from '../acceptance/support/tools.js';
import { type Loose, showsAll, type Streamed, uiChunksOf, uiMessageOf } from './support/sdk.js';

const talk = [
  reply({
    id: 'resp_1',
    output: [
      { type: 'reasoning', summary: ['I add.'], encrypted: 'sealed' },
      { type: 'text', text: 'Adding.' },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 }, callId: 'call_1' },
    ],
  }),
  reply({
    id: 'resp_2',
    output: [
      {
        type: 'text',
        text: 'Five.',
        annotations: [
          { type: 'url_citation', url: 'https://example.com/sums', title: 'Sums', start_index: 0, end_index: 4 },
        ],
      },
    ],
  }),
];

const stream = (options: Parameters<typeof streamText<ToolSet>>[0]): Streamed =>
  streamText<ToolSet>({ onError: () => {}, ...options });

/** A schema of the SDK: a value in `ai` 5, a lazy one later. */
async function problemOf(chunk: unknown): Promise<unknown> {
  const given = uiMessageChunkSchema as unknown;
  const schema = (typeof given === 'function' ? (given as () => unknown)() : given) as {
    validate?: (value: unknown) => PromiseLike<{ success: boolean; error?: unknown }>;
    safeParse?: (value: unknown) => { success: boolean; error?: unknown };
  };
  const result = await (schema.validate ?? schema.safeParse)?.(chunk);
  return result?.success === true ? undefined : { chunk, error: result?.error };
}

describe('UI messages', () => {
  it('are made of chunks that the SDK’s own schema takes', async () => {
    const { model } = await rig(talk, { tools: { add: adder().add } });
    const chunks = await uiChunksOf(stream({ model, prompt: 'Add.' }));
    expect(chunks.length).toBeGreaterThan(5);
    const problems = await Promise.all(chunks.map(problemOf));
    expect(problems.filter((problem) => problem !== undefined)).toEqual([]);
    expect(chunks.filter(({ type }) => type === 'error')).toEqual([]);
  });

  it('hold reasoning, texts and calls in order, in one step, every part done', async () => {
    const { model } = await rig(talk, { tools: { add: adder().add } });
    const { parts } = await uiMessageOf(stream({ model, prompt: 'Add.' }));
    const call = {
      type: 'dynamic-tool',
      toolName: 'add',
      toolCallId: 'call_1',
      state: 'output-available',
      input: { a: 2, b: 3 },
      output: '5',
    };
    expect(parts).toMatchObject([
      { type: 'step-start' },
      { type: 'reasoning', text: 'I add.', state: 'done' },
      { type: 'text', text: 'Adding.', state: 'done' },
      ...(showsAll ? [call] : []),
      { type: 'text', text: 'Five.', state: 'done' },
    ]);
  });

  it('pass the SDK’s own check when an app loads them from its store', async () => {
    const { model, provider } = await rig([...talk, ...talk], { tools: { add: adder().add } });
    for (const tools of [{}, await provider.tools()]) {
      const answer = await uiMessageOf(stream({ model, prompt: 'Add.', tools }));
      const messages: unknown = JSON.parse(JSON.stringify([{ ...answer, id: 'answer' }]));
      expect(await safeValidateUIMessages({ messages })).toMatchObject({ success: true });
    }
  });

  it('do not look as if the chat had to send them again, since no tool is the client’s', async () => {
    const { model, provider } = await rig([...talk, ...talk], { tools: { add: adder().add } });
    for (const tools of [{}, await provider.tools()]) {
      const answer = await uiMessageOf(stream({ model, prompt: 'Add.', tools }));
      expect(lastAssistantMessageIsCompleteWithToolCalls({ messages: [answer] })).toBe(false);
    }
  });

  it('show a call of provider.tools() with input and output', async () => {
    const { model, provider } = await rig(talk, { tools: { add: adder().add } });
    const { parts } = await uiMessageOf(stream({ model, prompt: 'Add.', tools: await provider.tools() }));
    const calledParts = (parts as unknown as Loose[]).filter(({ toolCallId }) => toolCallId === 'call_1');
    expect(calledParts).toMatchObject([{ state: 'output-available', input: { a: 2, b: 3 }, output: '5' }]);
  });

  it('show sources when asked to', async () => {
    const { model } = await rig(talk, { tools: { add: adder().add } });
    const chunks: { type: string }[] = [];
    for await (const chunk of stream({ model, prompt: 'Add.' }).toUIMessageStream({ sendSources: true }))
      chunks.push(chunk);
    expect(chunks.filter(({ type }) => type === 'source-url')).toMatchObject([{ url: 'https://example.com/sums' }]);
  });

  it('show the error of a loop tool as the tool’s, not as the answer’s', async () => {
    const broken = toolOf(() => Promise.reject(new Error('disk full')));
    const { model, provider } = await rig(
      [reply(calls('resp_1', ['broken', {}, 'call_1'])), reply(says('resp_2', 'Sorry.'))],
      { tools: { broken } },
    );
    const message = await uiMessageOf(stream({ model, prompt: 'Go.', tools: await provider.tools() }));
    const calledParts = (message.parts as unknown as Loose[]).filter(({ toolCallId }) => toolCallId === 'call_1');
    expect(calledParts).toMatchObject([{ state: 'output-error', errorText: 'disk full' }]);
  });

  it('show an error in mid answer as an error chunk with its text', async () => {
    const [begun] = splitBefore(responseEvents(says('resp_1', 'Half a')), 'response.output_text.done');
    const { model } = await rig([[...begun, errorEvent({ code: 'server_is_overloaded', message: 'Too busy.' })]]);
    const chunks = await uiChunksOf(stream({ model, prompt: 'Hello' }));
    expect(chunks.filter(({ type }) => type === 'error')).toMatchObject([
      { errorText: expect.stringContaining('Too busy.') as string },
    ]);
  });

  it('hold the caller’s own calls as static parts beside ours', async () => {
    const { model } = await rig(
      [
        reply(calls('resp_1', ['add', { a: 1, b: 1 }, 'call_1'], ['ask', { question: '?' }, 'call_2'])),
        reply(says('resp_2', 'Done.')),
      ],
      { tools: { add: adder().add } },
    );
    const ask = tool({ inputSchema: jsonSchema<object>({ type: 'object' }), execute: () => 'yes' });
    const result = stream({ model, prompt: 'Go.', tools: { ask }, stopWhen: stepCountIs(3) });
    const { parts } = await uiMessageOf(result);
    const asked = (parts as unknown as Loose[]).filter(({ type }) => type === 'tool-ask');
    expect(asked).toMatchObject([{ state: 'output-available', input: { question: '?' }, output: 'yes' }]);
    const ours = (parts as unknown as Loose[]).filter(({ type }) => type === 'dynamic-tool');
    expect(ours.map(({ toolName }) => toolName)).toEqual(showsAll ? ['add'] : []);
  });
});
