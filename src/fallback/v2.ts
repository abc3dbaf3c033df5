import type { ResponsesProviderV2 } from '../adapters/v2/create-provider.js';
import { type FallbackSettings, withFallback } from './with-stock-fallback.js';

/** Two providers, and the choice between them. */
export type StockFallbackSettings = FallbackSettings<ResponsesProviderV2, 'v2'>;

/**
 * Makes one provider of two: this package's and the stock one. A flag chooses between them for every call, so there is always
 * a way back. Conversations continue with either, and the tools of the primary run in both. `onEvent` and the finish metadata
 * (`responses-loop.fallback`) name the provider that answered, and why. Throws a `ResponsesLoopError` with code
 * `invalid-settings`.
 *
 * @example
 * const provider = withStockFallback({
 *   primary: createResponsesProvider({ mcpServers }),
 *   stock: createOpenAI(),
 *   useStock: () => flags.isOn('stock-responses'),
 * });
 */
export function withStockFallback(settings: StockFallbackSettings): ResponsesProviderV2 {
  return withFallback(settings, 'v2');
}
