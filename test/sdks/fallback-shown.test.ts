import { generateText, jsonSchema, streamText, type ToolSet } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  type ResponseDescription,
  responseEvents,
  type ScriptedEvent,
  type ScriptedStep,
} from 'responses-loop/testing';
import type { JsonObject } from '../../src/core/json.js';
import { reply, says } from '../acceptance/support/rig.js';
import { fallbackRig } from './support/fallback.js';
import { fullPartsOf, messagesOf, sdk, spec } from './support/sdk.js';

const hosted = (id: string, args: JsonObject = {}): ToolSet[string] =>
  ({
    type: sdk === 5 ? 'provider-defined' : 'provider',
    id: `openai.${id}`,
    name: id,
    args,
    inputSchema: jsonSchema({ type: 'object' }),
  }) as unknown as ToolSet[string];

const IMAGE = { type: 'image_generation_call', status: 'completed', result: 'd2hvbGU=' };
const drawn: ResponseDescription = {
  id: 'resp_1',
  output: [
    { type: 'item', item: { id: 'ig_1', ...IMAGE } },
    { type: 'text', text: 'There it is.' },
  ],
};
const growing: ScriptedStep = responseEvents(drawn).flatMap((event): ScriptedEvent[] => {
  if (event.type !== 'response.output_item.added' || event['output_index'] !== 0) return [event];
  const place = { output_index: 0, item_id: 'ig_1', partial_image_index: 0 };
  const begun = { ...(event['item'] as JsonObject), status: 'in_progress', result: null };
  return [
    { ...event, item: begun },
    { type: 'response.image_generation_call.partial_image', ...place, partial_image_b64: 'MQ==' },
  ];
});
const PROGRAM = { type: 'program', id: 'prog_1', call_id: 'call_p', code: 'add()', fingerprint: 'f' };
const GAVE = { type: 'program_output', id: 'po_1', call_id: 'call_p', result: '5', status: 'completed' };
const ran: ResponseDescription = {
  id: 'resp_1',
  output: [
    { type: 'item', item: PROGRAM },
    { type: 'item', item: GAVE },
    { type: 'text', text: 'Five.' },
  ],
};

const draw = { draw: hosted('image_generation', { partialImages: 1 }) };
const run = { run: hosted('programmatic_tool_calling') };

/** What the model shows of its own tools, and what the next request holds of that, with each of the two answering first. */
async function bothWays(step: ScriptedStep, tools: ToolSet) {
  const told = [];
  for (const useStock of [false, true]) {
    const rig = await fallbackRig([step, reply(says('resp_2', 'Bye.'))]);
    rig.useStock(useStock);
    const result = streamText<ToolSet>({ model: rig.model, tools, prompt: 'x' });
    const parts = await fullPartsOf(result);
    rig.useStock(false);
    const messages = [{ role: 'user', content: 'x' } as const, ...(await messagesOf(result))];
    const { warnings } = await generateText({
      model: rig.model,
      tools,
      messages: [...messages, { role: 'user', content: 'And?' }],
    });
    const shown = parts
      .filter(({ type }) => ['tool-call', 'tool-result', 'file'].includes(type))
      .map(({ type, toolCallId, toolName, input }) => [type, toolCallId, toolName, type === 'tool-call' ? input : '']);
    const sent = rig.requests.at(-1)?.input.filter(({ type }) => type !== 'message');
    told.push({ shown, sent, warnings: warnings ?? [] });
  }
  return told;
}

describe('what the server ran while the stock provider answered', () => {
  it('an image is shown as it grows where the models have a part for that, and goes back whole', async () => {
    const [ours, stock] = await bothWays(growing, draw);
    const previews = spec === 'v2' ? [] : [['tool-result', 'ig_1', 'draw', '']];
    expect(ours?.shown).toEqual([
      ['tool-call', 'ig_1', 'draw', {}],
      ...previews,
      ['tool-result', 'ig_1', 'draw', ''],
      ['file', undefined, undefined, ''],
    ]);
    expect(stock?.shown).toEqual(ours?.shown);
    expect([stock?.sent, ours?.sent]).toEqual([[IMAGE], [IMAGE]]);
    expect(stock?.warnings).toEqual(ours?.warnings);
  });

  // Older majors do not know programs.
  it.runIf(spec === 'v4')('a program is shown with what it gave, and goes back', async () => {
    const [ours, stock] = await bothWays(reply(ran), run);
    expect(ours?.shown).toEqual([
      ['tool-call', 'call_p', 'run', { code: 'add()', fingerprint: 'f' }],
      ['tool-result', 'call_p', 'run', ''],
    ]);
    expect(stock?.shown).toEqual(ours?.shown);
    const items = [PROGRAM, GAVE].map(({ id: _id, ...item }) => item);
    expect([stock?.sent, ours?.sent]).toEqual([items, items]);
  });

  it.runIf(spec === 'v4')('a shell’s result goes to the response that made the call, whoever asks', async () => {
    const output = [{ stdout: 'ok', stderr: '', outcome: { type: 'exit', exitCode: 0 } }];
    const sent = [];
    for (const useStock of [false, true]) {
      const rig = await fallbackRig([reply(says('resp_2', 'Bye.'))], { useStock });
      await generateText({
        model: rig.model,
        tools: { sh: hosted('shell') },
        messages: [
          {
            role: 'tool',
            content: [
              { type: 'tool-result', toolCallId: 'c1', toolName: 'sh', output: { type: 'json', value: { output } } },
            ],
          },
        ],
        providerOptions: { openai: { previousResponseId: 'resp_1', store: true } },
      });
      sent.push(rig.requests[0]?.input.map(({ type, call_id: callId }) => [type, callId]));
    }
    expect(sent).toEqual([[['shell_call_output', 'c1']], [['shell_call_output', 'c1']]]);
  });

  it.runIf(spec === 'v4')('a program is shown in generated results too', async () => {
    const rig = await fallbackRig([reply(ran)], { useStock: true });
    const { content } = await generateText({ model: rig.model, tools: run, prompt: 'x' });
    expect(content.map(({ type }) => type)).toEqual(['tool-call', 'tool-result', 'text']);
  });
});
