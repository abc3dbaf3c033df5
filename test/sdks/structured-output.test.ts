import { generateObject, generateText, streamObject, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { reply, type Rig, rig, says } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';
import { objectOf, partialObjectsOf, readAll, wantsObject } from './support/sdk.js';

const schema = z.object({ sum: z.number() });
const answer = says('resp_2', '{"sum": 5}');

/** The model talks, calls, and then answers with the object. */
const talkative = (phase?: string): Promise<Rig> =>
  rig(
    [
      reply({
        id: 'resp_1',
        output: [
          { type: 'text', text: 'Let me add first.', ...(phase === undefined ? {} : { phase }) },
          { type: 'call', name: 'add', arguments: { a: 2, b: 3 } },
        ],
      }),
      reply(answer),
    ],
    { tools: { add: adder().add } },
  );

describe('structured output with a tool round and text before it', () => {
  it.each([undefined, 'commentary'])('streamText with Output.object streams the object (phase %s)', async (phase) => {
    const { model, requests } = await talkative(phase);
    const result = streamText<ToolSet>({ model, prompt: 'Add.', ...wantsObject(schema) });
    const partials = await readAll(partialObjectsOf(result));
    expect(partials.at(-1)).toEqual({ sum: 5 });
    expect(await result.text).toBe('{"sum": 5}');
    expect(await result.reasoningText).toBe('Let me add first.');
    expect(await result.finishReason).toBe('stop');
    expect(requests.map(({ body }) => body['text'])).toMatchObject([
      { format: { type: 'json_schema' } },
      { format: { type: 'json_schema' } },
    ]);
  });

  it('generateText with Output.object gets it', async () => {
    const { model } = await talkative();
    const result = await generateText<ToolSet>({ model, prompt: 'Add.', ...wantsObject(schema) });
    expect(objectOf(result)).toEqual({ sum: 5 });
  });

  it('generateObject gets it', async () => {
    const { model } = await talkative();
    expect((await generateObject({ model, schema, prompt: 'Add.' })).object).toEqual({ sum: 5 });
  });

  it('streamObject streams it', async () => {
    const { model, requests } = await talkative();
    const result = streamObject({ model, schema, prompt: 'Add.' });
    expect((await readAll(result.partialObjectStream)).at(-1)).toEqual({ sum: 5 });
    expect(await result.object).toEqual({ sum: 5 });
    expect(outline(requests[1])).toContain('says Let me add first.');
  });

  it('an array of objects is streamed too', async () => {
    const { model } = await rig([reply(says('resp_1', '{"elements":[{"sum":1},{"sum":2}]}'))]);
    const result = streamObject({ model, output: 'array', schema, prompt: 'Add.' });
    expect(await readAll(result.elementStream)).toEqual([{ sum: 1 }, { sum: 2 }]);
  });
});
