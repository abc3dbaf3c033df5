import { generateObject, generateText, Output, streamObject, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGate, responseEvents } from 'responses-loop/testing';
import { brokenRules, readAll, reasoningOf, streamParts, textOf, userPrompt } from './support/parts.js';
import { reply, rig, says, splitBefore } from './support/rig.js';
import { adder } from './support/tools.js';
import { outline } from './support/wire.js';

const schema = z.object({ sum: z.number() });
const preamble = (phase?: string) =>
  ({
    id: 'resp_1',
    output: [
      { type: 'text', text: 'Let me add first.', ...(phase === undefined ? {} : { phase }) },
      { type: 'call', name: 'add', arguments: { a: 2, b: 3 } },
    ],
  }) as const;
const answer = says('resp_2', '{"sum": 5}');

describe('structured output beside tools', () => {
  it.each([undefined, 'commentary'])(
    'streamText with Output.object gets the object and its partials, though the model talks before it calls (phase %s)',
    async (phase) => {
      const { add } = adder();
      const { model, requests } = await rig([reply(preamble(phase)), reply(answer)], { tools: { add } });
      const result = streamText({ model, prompt: 'Add.', experimental_output: Output.object({ schema }) });
      const partials: unknown[] = [];
      for await (const partial of result.experimental_partialOutputStream) partials.push(partial);
      expect(partials.at(-1)).toEqual({ sum: 5 });
      expect(await result.text).toBe('{"sum": 5}');
      expect(await result.reasoningText).toBe('Let me add first.');
      expect(requests[0]?.body['text']).toMatchObject({ format: { type: 'json_schema' } });
      expect(requests[1]?.body['text']).toEqual(requests[0]?.body['text']);
    },
  );

  it('generateText with Output.object gets it too', async () => {
    const { add } = adder();
    const { model } = await rig([reply(preamble()), reply(answer)], { tools: { add } });
    const result = await generateText({ model, prompt: 'Add.', experimental_output: Output.object({ schema }) });
    expect(result.experimental_output).toEqual({ sum: 5 });
  });

  it('generateObject and streamObject get it, and the preamble goes back to the model as the text it was', async () => {
    const { add } = adder();
    const { model, requests } = await rig([reply(preamble()), reply(answer), reply(preamble()), reply(answer)], {
      tools: { add },
    });
    expect((await generateObject({ model, schema, prompt: 'Add.' })).object).toEqual({ sum: 5 });
    const result = streamObject({ model, schema, prompt: 'Add.' });
    for await (const _partial of result.partialObjectStream);
    expect(await result.object).toEqual({ sum: 5 });
    expect(outline(requests[3])).toContain('says Let me add first.');
  });

  it('text that the server labels as commentary is emitted at once, as reasoning', async () => {
    const gate = createGate();
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'text', text: 'Let me add.', phase: 'commentary' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
      ],
    });
    const [begin, rest] = splitBefore(events, 'response.function_call_arguments.delta');
    const { add } = adder();
    const { model } = await rig([[...begin, gate.released, ...rest], reply(answer)], { tools: { add } });
    const { stream } = await model.doStream({ prompt: userPrompt(), responseFormat: { type: 'json' } });
    const reader = stream.getReader();
    let emitted = '';
    while (emitted !== 'Let me add.') {
      const { value } = await reader.read();
      if (value?.type === 'reasoning-delta') emitted += value.delta;
    }
    gate.release();
    reader.releaseLock();
    expect(textOf(await readAll(stream))).toBe('{"sum": 5}');
  });

  it('text before a call is reasoning for the caller, and the server gets it back as the message it was', async () => {
    const { add } = adder();
    const { model, requests } = await rig([reply(preamble()), reply(answer)], { tools: { add } });
    const parts = await streamParts(model, { responseFormat: { type: 'json' } });
    expect([textOf(parts), reasoningOf(parts)]).toEqual(['{"sum": 5}', 'Let me add first.']);
    expect(brokenRules(parts)).toEqual([]);
    expect(outline(requests[1])).toEqual(['user Hello', 'says Let me add first.', 'call add', 'output 5']);
  });

  it('a JSON text is streamed as it comes, whatever white space it begins with', async () => {
    const { model } = await rig([
      reply({ id: 'resp_1', output: [{ type: 'text', text: ['\n', '  ', '[1,', ' 2]'] }] }),
    ]);
    const parts = await streamParts(model, { responseFormat: { type: 'json' } });
    // Until something is not blank it may still become prose.
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))).toEqual(['\n  [1,', ' 2]']);
  });
});

describe('an answer that is no JSON', () => {
  it.each([
    ['prose', 'I am sorry, I cannot.'],
    ['JSON in a fence', '```json\n{"v":1}\n```'],
    ['JSON behind a word', 'Here: {"v":1}'],
  ])('comes out as text, so that the caller sees it and can repair it: %s', async (_name, said) => {
    const { model } = await rig([reply(says('resp_1', said))]);
    const repaired: string[] = [];
    const { object } = await generateObject({
      model,
      schema: z.object({ v: z.number() }),
      prompt: 'v?',
      experimental_repairText: async ({ text }) => {
        repaired.push(text);
        return '{"v":2}';
      },
    });
    expect(repaired).toEqual([said]);
    expect(object).toEqual({ v: 2 });
  });

  it('but prose before JSON, in the same round, is reasoning', async () => {
    const output = [
      { type: 'text', text: 'Let me think.' },
      { type: 'text', text: '{"v":1}' },
      { type: 'text', text: 'There you are.' },
    ] as const;
    const { model } = await rig([reply({ id: 'resp_1', output })]);
    const { object } = await generateObject({ model, schema: z.object({ v: z.number() }), prompt: 'v?' });
    expect(object).toEqual({ v: 1 });
  });
});
