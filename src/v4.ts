export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV4,
  type StockFallbackSettings,
  withStockFallback,
} from './adapters/v4/create-provider.js';
export * from './every-entry.js';
