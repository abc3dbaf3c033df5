export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV3,
  type StockFallbackSettings,
  withStockFallback,
} from './adapters/v3/create-provider.js';
export * from './every-entry.js';
