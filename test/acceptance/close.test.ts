import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { createGate, responseEvents } from 'responses-loop/testing';
import { brokenRules, readAll, streamParts, userPrompt } from './support/parts.js';
import { calls, reply, rig, says, splitBefore } from './support/rig.js';

describe('I12 close() in the middle of a call', () => {
  it('ends a stream that hangs, with an error that says why', async () => {
    const [begun] = splitBefore(responseEvents(says('resp_1', 'Half a')), 'response.output_text.done');
    const { model, provider } = await rig([{ events: begun, ending: 'stall' }]);
    const { stream } = await model.doStream({ prompt: userPrompt() });
    const reading = readAll(stream);
    await provider.close();
    const parts = await reading;
    expect(parts).toContainEqual({ type: 'error', error: expect.objectContaining({ code: 'closed' }) as unknown });
    expect(parts.at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(brokenRules(parts)).toEqual([]);
  });

  it('lets no further request out, even when a tool was running', async () => {
    const gate = createGate();
    const started = createGate();
    const slow = {
      inputSchema: { type: 'object' },
      execute: async () => {
        started.release();
        await gate.released;
        return 'late';
      },
    };
    const { model, provider, requests } = await rig([reply(calls('resp_1', ['slow', {}]))], { tools: { slow } });
    const reading = streamParts(model);
    await started.released;
    await provider.close();
    gate.release();
    expect((await reading).at(-1)).toMatchObject({ type: 'finish', finishReason: 'error' });
    expect(requests).toHaveLength(1);
  });

  it('refuses a call that comes later, with tools or without', async () => {
    const { model, provider } = await rig([]);
    await provider.close();
    await expect(generateText({ model, prompt: 'Hello', maxRetries: 0 })).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('a model id that is none', () => {
  it.each([undefined, '', ' ', 7])('%j is refused when the model is made', (modelId) => {
    const provider = createResponsesProvider({ apiKey: 'test' });
    expect(() => provider(modelId as string)).toThrow(/model id must be a text/);
  });
});
