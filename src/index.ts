export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV2,
} from './adapters/v2/create-provider.js';
export { type StockFallbackSettings, withStockFallback } from './fallback/v2.js';
export * from './every-entry.js';
