import { generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import { responseEvents, type ScriptedEvent } from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { reply, rig, says } from '../acceptance/support/rig.js';
import { fullPartsOf, sdk, showsAll } from './support/sdk.js';
import { ROADS } from './support/turns.js';

const IMAGE = { type: 'image_generation_call', status: 'completed', result: 'd2hvbGU=', revised_prompt: 'a duck' };

/** The call begins, grows twice and is whole. */
const growing: ScriptedEvent[] = responseEvents({
  id: 'resp_1',
  output: [
    { type: 'item', item: { id: 'ig_1', ...IMAGE } },
    { type: 'text', text: 'There it is.' },
  ],
}).flatMap((event) => {
  if (event.type !== 'response.output_item.added' || event['output_index'] !== 0) return [event];
  const partial = (base64: string): ScriptedEvent => ({
    type: 'response.image_generation_call.partial_image',
    output_index: 0,
    item_id: 'ig_1',
    partial_image_b64: base64,
  });
  const begun = { ...(event['item'] as JsonObject), status: 'in_progress', result: null };
  return [{ ...event, item: begun }, partial('MQ=='), partial('Mg==')];
});
const whole = reply({ id: 'resp_1', output: [{ type: 'item', item: { id: 'ig_1', ...IMAGE } }] });

const tools = {
  draw: {
    type: sdk === 5 ? 'provider-defined' : 'provider',
    id: 'openai.image_generation',
    name: 'image_generation',
    args: { partialImages: 2 },
    inputSchema: jsonSchema({ type: 'object' }),
  },
} as unknown as ToolSet;

describe('an image that grows', () => {
  it.each(Object.entries(ROADS))('goes back whole by %s, and nothing of its previews', async (name, road) => {
    const first = name.includes('generateText') ? whole : growing;
    for (const settings of [{}, { historySecret: 'a secret of sixteen' }]) {
      const played = await rig([first, reply(says('resp_2', 'Bye.'))], { backend: 'openai', ...settings });
      const messages = await road(played, { tools });
      await generateText({ model: played.model, tools, messages: [...messages, { role: 'user', content: 'Thanks.' }] });
      const input = played.requests.at(-1)?.body['input'] as JsonObject[];
      expect(input.filter(({ type }) => type !== 'message')).toEqual([IMAGE]);
    }
  });

  it('is shown to a reader of the stream before it is whole, where the models have a part for that', async () => {
    const { model } = await rig([growing]);
    const parts = await fullPartsOf(streamText({ model, tools, prompt: 'Draw.' }));
    const shown = parts.flatMap(({ type, output }) =>
      type === 'tool-result' ? [(output as JsonObject)['result']] : [],
    );
    expect(shown).toEqual(showsAll ? ['MQ==', 'Mg==', 'd2hvbGU='] : [undefined]);
  });
});
