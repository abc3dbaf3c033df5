import type { JsonObject } from '../core/json.js';
import type { FileContent, FileSource } from '../core/message.js';

/** What the prompts of one AI SDK version spell in their own way. */
export interface StockDialect {
  /** The `data` of a file in a user message. Default: a URL, or a text that is base64 or an id. */
  readonly toFileData?: (source: FileSource) => unknown;
  /** A file inside a tool's result; `undefined` where the version has no word for it. */
  toResultFile(file: FileContent): JsonObject | undefined;
  /** Its stock provider sends no sealed reasoning without the id of its item. */
  readonly sealNeedsId?: boolean;
  /** It has words for the server's summary of a long conversation. */
  readonly tellsCompaction?: boolean;
  /** It has words for the user's answer to what the server asked leave for. */
  readonly answersApprovals?: boolean;
}
