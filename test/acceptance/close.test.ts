import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import { createResponsesProvider } from 'responses-loop';
import { createGate, errorReply, responseEvents } from 'responses-loop/testing';
import { brokenRules, readAll, streamParts, userPrompt } from './support/parts.js';
import { calls, reply, rig, says, splitBefore } from './support/rig.js';

describe('close() in the middle of a call', () => {
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

  it.each([
    ['a key', { apiKey: () => new Promise<string>(() => {}) }],
    ['an auth function', { auth: () => new Promise<never>(() => {}) }],
    ['a headers function', { headers: () => new Promise<never>(() => {}) }],
    ['transformRequest', { transformRequest: () => new Promise<never>(() => {}) }],
  ])('ends a call that waits for %s', async (_name, settings) => {
    const { model, provider } = await rig([], settings);
    const call = model.doStream({ prompt: userPrompt() });
    const failure = expect(call).rejects.toMatchObject({ code: 'closed' });
    await provider.close();
    await failure;
  });

  it('ends the pause before a retry', async () => {
    const paused = createGate();
    const { model, provider, requests } = await rig(
      [reply(calls('resp_1', ['now', {}])), errorReply({ status: 503, headers: { 'retry-after': '50' } })],
      {
        tools: { now: { execute: () => 'now' } },
        onEvent: ({ type }) => {
          if (type === 'retry') paused.release();
        },
      },
    );
    const reading = streamParts(model);
    await paused.released;
    await provider.close();
    const parts = await reading;
    expect(parts).toContainEqual({ type: 'error', error: expect.objectContaining({ code: 'closed' }) as unknown });
    expect(requests).toHaveLength(2);
  });

  it('thirty calls at once leave one listener each at most: Node has nothing to warn of', async () => {
    const warnings: string[] = [];
    const keep = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', keep);
    const gate = createGate();
    const step = { events: [...responseEvents(says('resp_1', 'Hi.'))], after: gate.released };
    const { model, server } = await rig(Array.from({ length: 30 }, () => step));
    const shared = new AbortController();
    const all = Array.from({ length: 30 }, () => streamParts(model, { abortSignal: shared.signal }));
    await server.waitForRequest(29);
    gate.release();
    await Promise.all(all);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', keep);
    expect(warnings).toEqual([]);
  });

  it('comes back whenever it is called, also while the tools are loaded for the first time', async () => {
    for (let turns = 0; turns < 40; turns += 1) {
      const provider = createResponsesProvider({
        baseURL: 'http://127.0.0.1:1/v1',
        tools: { now: { execute: () => 'now' } },
      });
      const call = provider('m').doStream({ prompt: userPrompt() });
      call.catch(() => {});
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      await provider.close();
      await expect(call).rejects.toThrow();
    }
  });
});
