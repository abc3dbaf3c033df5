import { COMPACTION, isSealedCompaction } from '../../provider/compaction.js';
import { toApprovalAnswer } from '../../provider/stock/to-approval-answer.js';
import type { StockDialect } from '../../provider/stock/stock-dialect.js';
import { toFileData, toResultFile } from './dialect.js';

/** Prompts of AI SDK 7. */
export const STOCK_V4: StockDialect = {
  toFileData,
  toResultFile,
  toApprovalAnswer,
  toCustom: (item) =>
    isSealedCompaction(item)
      ? {
          type: 'custom',
          kind: COMPACTION,
          providerOptions: {
            openai: { type: 'compaction', itemId: item['id'] ?? '', encryptedContent: item['encrypted_content'] },
          },
        }
      : undefined,
};
