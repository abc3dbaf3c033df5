import type { StockDialect } from '../../fallback/stock-dialect.js';
import { toFileData, toResultFile } from './dialect.js';

/** Prompts of AI SDK 7. */
export const STOCK_V4: StockDialect = { toFileData, toResultFile, answersApprovals: true, tellsCompaction: true };
