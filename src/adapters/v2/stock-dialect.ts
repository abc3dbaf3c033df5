import type { StockDialect } from '../../fallback/stock-dialect.js';
import { defined } from '../../util/defined.js';

/** Prompts of AI SDK 5. */
export const STOCK_V2: StockDialect = {
  sealNeedsId: true,
  // It has inline media only.
  toResultFile: ({ source, mediaType, filename }) =>
    source.type === 'data' ? { type: 'media', data: source.base64, mediaType, ...defined({ filename }) } : undefined,
};
