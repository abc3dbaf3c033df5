import type { JsonObject } from '../../core/json.js';
import type { FileContent, FileSource } from '../../core/message.js';

/** What the prompts of one AI SDK version spell in their own way. */
export interface StockDialect {
  /** The `data` of a file in a user message. */
  toFileData(source: FileSource): unknown;
  /** A file inside a tool's result; `undefined` where the version has no word for it. */
  toResultFile(file: FileContent): JsonObject | undefined;
  /** Its stock provider sends no sealed reasoning without the id of its item. */
  readonly sealNeedsId?: boolean;
  /** An item only its provider understands; `undefined` where the version has no word for it. */
  toCustom?(item: JsonObject): JsonObject | undefined;
  /** The user's word on what the server asked leave for; absent where the version has none. */
  toApprovalAnswer?(item: JsonObject): JsonObject;
}
