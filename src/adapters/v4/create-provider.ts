import type { ProviderV4 } from '@ai-sdk/provider';
import { createProvider, type ProviderOf } from '../../provider/create-provider.js';
import { CONVENTIONS, KELIVO_CONVENTIONS } from '../../settings/conventions.js';
import type { ResponsesProviderSettings } from '../../settings/settings.js';
import { type FallbackSettings, withFallback } from '../../provider/with-stock-fallback.js';

/** A provider of V4 models: native to AI SDK 7. */
export interface ResponsesProviderV4 extends ProviderOf<'v4'> {}

/**
 * Creates a provider for AI SDK 7. Throws a `ResponsesLoopError` with code `invalid-settings` when a setting cannot be
 * right; nothing is connected or sent before the first call.
 */
export function createResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV4 {
  return createProvider(settings, 'v4', CONVENTIONS) satisfies ProviderV4;
}

/**
 * The same provider with the conventions of the Kelivo chat app: it goes by `kelivo-responses`, a base URL that ends in `/`
 * gets no version, `truncation` is `auto`, and a loop tool keeps its name against a tool of the call.
 */
export function createKelivoResponsesProvider(settings: ResponsesProviderSettings = {}): ResponsesProviderV4 {
  return createProvider(settings, 'v4', KELIVO_CONVENTIONS) satisfies ProviderV4;
}

/** Two providers, and what decides between them. */
export type StockFallbackSettings = FallbackSettings<ResponsesProviderV4, 'v4'>;

/**
 * One provider out of two: this package's and the stock one, chosen for every call by a flag, so that there is always a way
 * back. Conversations go on whichever of them wrote the turns before, and the tools of the primary run in both. `onEvent` and the
 * finish metadata (`responses-loop.fallback`) say which one answered and why. Throws a `ResponsesLoopError` with code `invalid-settings`.
 *
 * @example
 * const provider = withStockFallback({
 *   primary: createResponsesProvider({ mcpServers }),
 *   stock: createOpenAI(),
 *   useStock: () => flags.isOn('stock-responses'),
 * });
 */
export function withStockFallback(settings: StockFallbackSettings): ResponsesProviderV4 {
  return withFallback(settings, 'v4');
}
