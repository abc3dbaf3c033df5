import type { StockDialect } from '../../fallback/stock-dialect.js';
import { toResultFile } from './dialect.js';

/** Prompts of AI SDK 6. */
export const STOCK_V3: StockDialect = { toResultFile, answersApprovals: true };
