export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV2,
  type StockFallbackSettings,
  withStockFallback,
} from './adapters/v2/create-provider.js';
export * from './every-entry.js';
