export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV3,
} from './adapters/v3/create-provider.js';
export { type StockFallbackSettings, withStockFallback } from './fallback/v3.js';
export * from './every-entry.js';
