import type { ProviderV2 } from '@ai-sdk/provider';
import { createProvider, type ProviderOf } from '../../provider/create-provider.js';
import { CONVENTIONS, KELIVO_CONVENTIONS } from '../../settings/conventions.js';
import type { ResponsesProviderSettings } from '../../settings/settings.js';

/** A provider of V2 models: native to AI SDK 5, accepted by 6 and 7. */
export interface ResponsesProviderV2 extends ProviderOf<'v2'> {}

/**
 * Creates a provider. Throws a `ResponsesLoopError` with code `invalid-settings` when a setting cannot be right; nothing
 * is connected or sent before the first call.
 *
 * @example
 * import { createResponsesProvider } from 'responses-loop/ai5';
 * const provider = createResponsesProvider({ mcpServers: { files: { command: 'npx', args: ['-y', 'some-mcp-server'] } } });
 * const { textStream } = streamText({ model: provider('gpt-5.1'), prompt: 'Which of my files mentions ducks?' });
 */
export function createResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return createProvider(settings, 'v2', CONVENTIONS) satisfies ProviderV2;
}

/**
 * The same provider with the conventions of the Kelivo chat app: it goes by `kelivo-responses`, a base URL that ends in `/`
 * gets no version, `truncation` is `auto`, and a loop tool keeps its name against a tool of the call.
 */
export function createKelivoResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV2 {
  return createProvider(settings, 'v2', KELIVO_CONVENTIONS) satisfies ProviderV2;
}
