import {
  createProviderRegistry,
  customProvider,
  defaultSettingsMiddleware,
  extractReasoningMiddleware,
  generateText,
  type LanguageModelMiddleware,
  NoSuchModelError,
  simulateStreamingMiddleware,
  streamText,
  wrapLanguageModel,
} from 'ai';
import { describe, expect, it } from 'vitest';
import { createKelivoResponsesProvider } from 'responses-loop';
import { calls, reply, type Rig, rig, says } from './support/rig.js';
import { adder } from './support/tools.js';
import { offered } from './support/wire.js';

const withTool = (answer: string, first = 'Let me add.'): Promise<Rig> =>
  rig(
    [
      reply({
        id: 'resp_1',
        output: [
          { type: 'text', text: first },
          { type: 'call', name: 'add', arguments: { a: 1, b: 1 } },
        ],
      }),
      reply(says('resp_2', answer)),
    ],
    { tools: { add: adder().add } },
  );

describe('S1-10 middlewares of the AI SDK around a model with the loop inside', () => {
  it('S1-10 extractReasoningMiddleware takes tagged thoughts out of streamed and generated text', async () => {
    const middleware = extractReasoningMiddleware({ tagName: 'think' });
    const streamed = await withTool('<think>One and one.</think>Two.', '<think>I add.</think>');
    const result = streamText({ model: wrapLanguageModel({ model: streamed.model, middleware }), prompt: 'Add.' });
    expect(await result.text).toBe('Two.');
    expect(await result.reasoningText).toContain('One and one.');
    const generated = await withTool('<think>One and one.</think>Two.');
    const { text, reasoningText } = await generateText({
      model: wrapLanguageModel({ model: generated.model, middleware }),
      prompt: 'Add.',
    });
    expect([text, reasoningText]).toEqual(['Let me add.Two.', 'One and one.']);
  });

  it('S1-10 defaultSettingsMiddleware sets what every round sends', async () => {
    const { model, requests } = await withTool('Two.');
    const wrapped = wrapLanguageModel({
      model,
      middleware: defaultSettingsMiddleware({
        settings: { temperature: 0.2, providerOptions: { openai: { reasoningEffort: 'low' } } },
      }),
    });
    await generateText({ model: wrapped, prompt: 'Add.' });
    expect(requests.map((request) => [request.body['temperature'], request.body['reasoning']])).toEqual([
      [0.2, { effort: 'low' }],
      [0.2, { effort: 'low' }],
    ]);
  });

  it('S1-10 simulateStreamingMiddleware streams what was generated', async () => {
    const { model, requests } = await withTool('Two.');
    const result = streamText({
      model: wrapLanguageModel({ model, middleware: simulateStreamingMiddleware() }),
      prompt: 'Add.',
    });
    expect(await result.text).toBe('Let me add.Two.');
    expect(await result.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    expect(requests.map((request) => request.body['stream'])).toEqual([false, false]);
  });

  it('S1-10 S1-11 one’s own middleware sees one call for all rounds, and needs no patching of its parts', async () => {
    const seen: string[] = [];
    const watching: LanguageModelMiddleware = {
      middlewareVersion: 'v2',
      wrapStream: async ({ doStream }) => {
        seen.push('doStream');
        const { stream, ...rest } = await doStream();
        const watched = stream.pipeThrough(
          new TransformStream({
            transform(part, controller) {
              if (part.type === 'finish') seen.push(part.finishReason);
              controller.enqueue(part);
            },
          }),
        );
        return { stream: watched, ...rest };
      },
    };
    const { model } = await withTool('Two.');
    expect(await streamText({ model: wrapLanguageModel({ model, middleware: watching }), prompt: 'Add.' }).text).toBe(
      'Let me add.Two.',
    );
    expect(seen).toEqual(['doStream', 'stop']);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

describe('S1-38 S1-41 in a registry', () => {
  it('S1-41 the kelivo provider is found by its name in a provider registry', async () => {
    const { server } = await rig([reply(calls('resp_1', ['add', { a: 1, b: 1 }])), reply(says('resp_2', 'Two.'))]);
    const provider = createKelivoResponsesProvider({ baseURL: server.baseURL, tools: { add: adder().add } });
    const registry = createProviderRegistry({ 'kelivo-responses': provider });
    const model = registry.languageModel('kelivo-responses:gpt-test');
    expect([model.provider, model.modelId]).toEqual(['kelivo-responses', 'gpt-test']);
    expect((await generateText({ model, prompt: 'Add.' })).text).toBe('Two.');
    expect(server.requests[0]?.body['truncation']).toBe('auto');
  });

  it('S1-38 stands behind a custom provider, under another name for a model and as its fallback', async () => {
    const { provider, requests } = await rig([reply(says('resp_1', 'Fast.')), reply(says('resp_2', 'Any.'))], {
      tools: { add: adder().add },
    });
    const custom = customProvider({ languageModels: { fast: provider('gpt-fast') }, fallbackProvider: provider });
    expect((await generateText({ model: custom.languageModel('fast'), prompt: 'Hi' })).text).toBe('Fast.');
    expect((await generateText({ model: custom.languageModel('gpt-any' as 'fast'), prompt: 'Hi' })).text).toBe('Any.');
    expect(requests.map((request) => request.body['model'])).toEqual(['gpt-fast', 'gpt-any']);
    expect(offered(requests[0])).toEqual(['add']);
  });

  it('S1-42 no name of a model ends in .responses, on which an app’s old middleware would jump', () => {
    const provider = createKelivoResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    expect(provider.responses('m').provider).toBe('kelivo-responses');
  });

  it('S1-38 models of another kind do not exist, and the SDK is told so', () => {
    const provider = createKelivoResponsesProvider({ baseURL: 'http://localhost:1/v1' });
    for (const modelType of ['textEmbeddingModel', 'imageModel'] as const) {
      const error = thrownBy(() => provider[modelType]('m'));
      expect(NoSuchModelError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ name: 'AI_NoSuchModelError', modelType, modelId: 'm' });
    }
  });
});
