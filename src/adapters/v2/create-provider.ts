import { CONVENTIONS } from '../../provider/engine.js';
import { createProvider, type ResponsesProvider } from '../../provider/create-provider.js';
import { KELIVO_CONVENTIONS } from '../../provider/kelivo-conventions.js';
import { invalidSettings } from '../../errors/invalid-settings.js';
import type { ResponsesProviderSettings } from '../../provider/settings.js';
import { ResponsesLanguageModelV2 } from './language-model.js';

/** A provider of V2 models: native to AI SDK 5, accepted by 6 and 7. */
export interface ResponsesProviderV2 extends ResponsesProvider<ResponsesLanguageModelV2> {
  /** There are none; registries of the SDK want to be told so by a `NoSuchModelError`. */
  textEmbeddingModel(modelId: string): never;
  /** As with `textEmbeddingModel`. */
  imageModel(modelId: string): never;
}

/**
 * Creates a provider. Throws a `ResponsesLoopError` with code `invalid-settings` when a setting cannot be right; nothing
 * is connected or sent before the first call.
 *
 * @example
 * const provider = createResponsesProvider({ apiKey: process.env.OPENAI_API_KEY, mcpServers: { files: { command: 'npx', args: ['-y', 'some-mcp-server'] } } });
 * const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Which of my files mentions ducks?' });
 */
export function createResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return withoutOtherModels(createProvider(settings, createModel, CONVENTIONS));
}

/** The same provider with the conventions of an existing chat app; see `KELIVO_CONVENTIONS`. */
export function createKelivoResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return withoutOtherModels(createProvider(settings, createModel, KELIVO_CONVENTIONS));
}

const createModel = (...args: ConstructorParameters<typeof ResponsesLanguageModelV2>): ResponsesLanguageModelV2 =>
  new ResponsesLanguageModelV2(...args);

function withoutOtherModels(provider: ResponsesProvider<ResponsesLanguageModelV2>): ResponsesProviderV2 {
  return Object.assign(provider, {
    textEmbeddingModel: (modelId: string) => refuse('textEmbeddingModel', modelId),
    imageModel: (modelId: string) => refuse('imageModel', modelId),
  });
}

/** The SDK knows its own error by name and marker; importing its class would make everybody load it. */
function refuse(modelType: string, modelId: string): never {
  const error = invalidSettings(
    `This provider makes language models only; it has no ${modelType} ${JSON.stringify(modelId)}.`,
  );
  throw Object.assign(error, { name: 'AI_NoSuchModelError', modelType, modelId, [NO_SUCH_MODEL]: true });
}

const NO_SUCH_MODEL = Symbol.for('vercel.ai.error.AI_NoSuchModelError');
