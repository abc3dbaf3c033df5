/** Registers the provider as `kelivo-responses` beside others. An app's old patch for the stock provider leaves it alone. */
import assert from 'node:assert/strict';

import { createOpenAI } from '@ai-sdk/openai';
import {
  createProviderRegistry,
  customProvider,
  generateText,
  type LanguageModelMiddleware,
  wrapLanguageModel,
} from 'ai';
import { createKelivoResponsesProvider } from 'responses-loop';

import { openModelServer } from './support/model-server.js';

await using server = await openModelServer('registry');
await using kelivo = createKelivoResponsesProvider(server.settings);
const openai = createOpenAI(server.settings);

const registry = createProviderRegistry({
  'kelivo-responses': kelivo,
  openai,
  // An app's own names for models, and `kelivo-responses` for all others.
  chat: customProvider({ languageModels: { fast: kelivo(server.modelId) }, fallbackProvider: kelivo }),
});

const patched: string[] = [];
const oldPatch: LanguageModelMiddleware = {
  wrapGenerate: async ({ doGenerate, model }) => {
    patched.push(model.provider);
    return doGenerate();
  },
};

/** The switch such apps have: the patch is for models whose provider ends with `.responses`. */
function modelFor(id: Parameters<typeof registry.languageModel>[0]) {
  const model = registry.languageModel(id);
  return model.provider.endsWith('.responses') ? wrapLanguageModel({ model, middleware: oldPatch }) : model;
}

for (const id of [`kelivo-responses:${server.modelId}`, 'chat:fast', `openai:${server.modelId}`] as const) {
  const model = modelFor(id);
  const { text } = await generateText({ model, prompt: 'Say "Quack.", nothing else.' });
  console.log(`${id} is of ${model.provider} and says: ${text}`);
  assert.match(text, /quack/i, `${id} should have said "Quack.", but said "${text}".`);
}

assert.equal(kelivo(server.modelId).provider, 'kelivo-responses', 'The provider should go by its own name.');
assert.deepEqual(patched, ['openai.responses'], 'The old patch should be applied to the stock provider alone.');
