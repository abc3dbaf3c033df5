import { generateText, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { outline, outputs } from './support/wire.js';
import { calls, reply, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';

describe('one call, one tool, one follow-up', () => {
  it('a call is run here and answered in one follow-up, whose text is the answer', async () => {
    const { add, runs } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 2, b: 3 }, 'call_1'])), reply(says('resp_2', 'It is 5.'))],
      {
        tools: { add },
      },
    );
    const result = streamText({ model, prompt: 'What is 2 + 3?' });
    expect(await result.text).toBe('It is 5.');
    expect(runs).toEqual([{ a: 2, b: 3 }]);
    expect(outline(requests[1])).toEqual(['user What is 2 + 3?', 'call add', 'output 5']);
    expect(outputs(requests[1])).toEqual([['call_1', '5']]);
    expect(await result.finishReason).toBe('stop');
    expect(await result.steps).toHaveLength(1);
  });

  it('generateText gives the same answer from the JSON road', async () => {
    const { add } = adder();
    const { model, requests } = await rig(
      [reply(calls('resp_1', ['add', { a: 2, b: 3 }])), reply(says('resp_2', 'It is 5.'))],
      {
        tools: { add },
      },
    );
    const result = await generateText({ model, prompt: 'What is 2 + 3?' });
    expect(result.text).toBe('It is 5.');
    expect(requests.map((request) => request.body['stream'])).toEqual([false, false]);
    expect(outline(requests[1])).toEqual(['user What is 2 + 3?', 'call add', 'output 5']);
  });
});
