export {
  createKelivoResponsesProvider,
  createResponsesProvider,
  type ResponsesProviderV3,
} from './adapters/v3/create-provider.js';
export * from './every-entry.js';
