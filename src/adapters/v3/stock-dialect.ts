import { toApprovalAnswer } from '../../provider/stock/to-approval-answer.js';
import type { StockDialect } from '../../provider/stock/stock-dialect.js';
import { toPlainFileData } from '../../provider/stock/to-plain-file-data.js';
import { toResultFile } from './dialect.js';

/** Prompts of AI SDK 6. */
export const STOCK_V3: StockDialect = { toFileData: toPlainFileData, toResultFile, toApprovalAnswer };
