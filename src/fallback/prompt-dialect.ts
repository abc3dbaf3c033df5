import type { JsonObject } from '../core/json.js';
import type { FileContent, FileSource } from '../core/message.js';
import { toResultFileV3 } from '../sdk/parts/v3.js';
import { toFileData, toResultFileV4 } from '../sdk/parts/v4.js';
import type { VersionName } from '../sdk/parts/versions.js';
import { defined } from '../util/defined.js';

/** How prompts of one AI SDK version differ from the others. */
export interface StockDialect {
  /** The `data` of a file in a user message. */
  readonly toFileData: (source: FileSource) => unknown;
  /** A file in a tool's result; `undefined` if the version has no part for it. */
  toResultFile(file: FileContent): JsonObject | undefined;
  /** The stock provider sends sealed reasoning only with the id of its item. */
  readonly sealNeedsId?: boolean;
  /** Has a part for the server's summary of a long conversation. */
  readonly writesCompaction?: boolean;
  /** Has a part for the user's answer to an approval request of the server. */
  readonly answersApprovals?: boolean;
}

export const STOCK_DIALECTS: Readonly<Record<VersionName, StockDialect>> = {
  v2: {
    sealNeedsId: true,
    toFileData: toPlainFileData,
    // V2 has inline media only.
    toResultFile: ({ source, mediaType, filename }) =>
      source.type === 'data' ? { type: 'media', data: source.base64, mediaType, ...defined({ filename }) } : undefined,
  },
  v3: { toFileData: toPlainFileData, toResultFile: toResultFileV3, answersApprovals: true },
  v4: { toFileData, toResultFile: toResultFileV4, answersApprovals: true, writesCompaction: true },
};

/** V2 and V3 distinguish files by the type of the value: a URL, or a string with base64 or an id. */
function toPlainFileData(source: FileSource): unknown {
  if (source.type === 'url') return new URL(source.url);
  return source.type === 'id' ? source.id : source.base64;
}
