export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV4,
} from './adapters/v4/create-provider.js';
export { type StockFallbackSettings, withStockFallback } from './fallback/v4.js';
export * from './every-entry.js';
