import type { JsonObject } from '../core/json.js';
import type { FileContent, FileSource } from '../core/message.js';
import { toResultFileV3 } from '../sdk/parts/v3.js';
import { toFileData, toResultFileV4 } from '../sdk/parts/v4.js';
import type { VersionName } from '../sdk/parts/versions.js';
import { defined } from '../util/defined.js';

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

export const STOCK_DIALECTS: Readonly<Record<VersionName, StockDialect>> = {
  v2: {
    sealNeedsId: true,
    // It has inline media only.
    toResultFile: ({ source, mediaType, filename }) =>
      source.type === 'data' ? { type: 'media', data: source.base64, mediaType, ...defined({ filename }) } : undefined,
  },
  v3: { toResultFile: toResultFileV3, answersApprovals: true },
  v4: { toFileData, toResultFile: toResultFileV4, answersApprovals: true, tellsCompaction: true },
};
