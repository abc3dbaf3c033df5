import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createGate, responseEvents } from 'responses-loop/testing';
import { brokenRules, readAll, reasoningOf, streamParts, textOf, userPrompt } from '../acceptance/support/parts.js';
import { reply, rig, says, splitBefore } from '../acceptance/support/rig.js';
import { adder } from '../acceptance/support/tools.js';
import { outline } from '../acceptance/support/wire.js';

const first = {
  id: 'resp_1',
  output: [
    { type: 'text', text: 'Let me add.' },
    { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
  ],
} as const;

describe('preamble: text that leads up to a tool call', () => {
  it.each([
    ['text', 'Let me add.Two.', ''],
    ['reasoning', 'Two.', 'Let me add.'],
    ['drop', 'Two.', ''],
  ] as const)(
    '%s: the caller sees it as said, the server gets it back as the message it was',
    async (preamble, text, reasoning) => {
      const { add } = adder();
      const { model, requests } = await rig([reply(first), reply(says('resp_2', 'Two.'))], {
        tools: { add },
        preamble,
      });
      const parts = await streamParts(model);
      expect([textOf(parts), reasoningOf(parts)]).toEqual([text, reasoning]);
      expect(brokenRules(parts)).toEqual([]);
      expect(outline(requests[1])).toEqual(['user Hello', 'says Let me add.', 'call add', 'output 2']);
    },
  );

  it('the whole text is the answer when no call follows', async () => {
    const { add } = adder();
    const { model } = await rig([reply(says('resp_1', 'No need to add.'))], { tools: { add }, preamble: 'reasoning' });
    const { text, reasoningText } = await generateText({ model, prompt: 'Hello' });
    expect([text, reasoningText]).toEqual(['No need to add.', undefined]);
  });

  it('text that the server labels as commentary is told at once, as reasoning', async () => {
    const { add } = adder();
    const gate = createGate();
    const events = responseEvents({
      id: 'resp_1',
      output: [
        { type: 'text', text: 'Let me add.', phase: 'commentary' },
        { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
      ],
    });
    const [begin, rest] = splitBefore(events, 'response.function_call_arguments.delta');
    const { model } = await rig(
      [
        [...begin, gate.released, ...rest],
        reply({ id: 'resp_2', output: [{ type: 'text', text: 'Two.', phase: 'final_answer' }] }),
      ],
      {
        tools: { add },
        preamble: 'reasoning',
      },
    );
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reader = stream.getReader();
    let told = '';
    while (told !== 'Let me add.') {
      const { value } = await reader.read();
      if (value?.type === 'reasoning-delta') told += value.delta;
    }
    gate.release();
    reader.releaseLock();
    expect(textOf(await readAll(stream))).toBe('Two.');
  });

  it('without any tools on offer nothing is held back', async () => {
    const gate = createGate();
    const [begin, rest] = splitBefore(responseEvents(says('resp_1', 'Just talking.')), 'response.output_text.done');
    const { model } = await rig([[...begin, gate.released, ...rest]], { preamble: 'reasoning' });
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reader = stream.getReader();
    let told = '';
    while (told !== 'Just talking.') {
      const { value } = await reader.read();
      if (value?.type === 'text-delta') told += value.delta;
    }
    gate.release();
    await reader.cancel();
  });
});
