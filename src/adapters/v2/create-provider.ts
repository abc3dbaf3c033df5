import { CONVENTIONS } from '../../provider/create-engine.js';
import { createProvider, type ResponsesProvider } from '../../provider/create-provider.js';
import { KELIVO_CONVENTIONS } from '../../provider/kelivo-conventions.js';
import type { ResponsesProviderSettings } from '../../provider/settings.js';
import { ResponsesLanguageModelV2 } from './language-model.js';

/** A provider of V2 models: native to AI SDK 5, accepted by 6 and 7. */
export type ResponsesProviderV2 = ResponsesProvider<ResponsesLanguageModelV2>;

/**
 * Creates a provider. Throws a `ResponsesLoopError` with code `invalid-settings` when a setting cannot be right; nothing
 * is connected or sent before the first call.
 *
 * @example
 * const provider = createResponsesProvider({ apiKey: process.env.OPENAI_API_KEY, mcpServers: { files: { command: 'npx', args: ['-y', 'some-mcp-server'] } } });
 * const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Which of my files mentions ducks?' });
 */
export function createResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return createProvider(settings, createModel, CONVENTIONS);
}

/** The same provider with the conventions of an existing chat app; see `KELIVO_CONVENTIONS`. */
export function createKelivoResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return createProvider(settings, createModel, KELIVO_CONVENTIONS);
}

const createModel = (...args: ConstructorParameters<typeof ResponsesLanguageModelV2>): ResponsesLanguageModelV2 =>
  new ResponsesLanguageModelV2(...args);
